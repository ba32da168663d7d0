// Prints verb, route and bytes of every tool definition of lark-mcp, one JSON object a line, as its server would send it.
const { AllTools } = require("@larksuiteoapi/lark-mcp/dist/mcp-tool/tools");
const { z } = require("zod");

for (const tool of AllTools) {
  if (!tool.path) continue;
  const inputSchema = z.toJSONSchema(z.object(tool.schema), { io: "input", target: "draft-7" });
  const bytes = Buffer.byteLength(JSON.stringify({ name: tool.name, description: tool.description, inputSchema }));
  console.log(JSON.stringify({ http: tool.httpMethod, route: tool.path, bytes }));
}
