"""A small tool pack of a made-up platform, with one tool for each thing that the gate can do to a call."""

from placet.contract import Source, Surface, ToolEntry
from placet.contract.tool import AnyTool
from tests.runtime.gate.pack import shop

__all__ = ["entry_of", "surface"]


def entry_of(constant: str, *, module: str = "tests.runtime.gate.pack.shop") -> ToolEntry:
    """The index line of a tool of this pack."""
    tool: AnyTool = getattr(shop, constant)
    call = tool.binding.calls[0] if tool.binding.calls else None
    source = Source() if call is None else Source(sdk=call.sdk, http=call.http, route=call.route)
    return ToolEntry(
        name=tool.name,
        wire_name=tool.wire_name,
        domain=tool.name.partition(".")[0],
        risk=tool.risk,
        identity=tool.identity,
        scopes=tool.scopes,
        source=source,
        summary=f"What {tool.name} does.",
        target=f"{module}:{constant}",
        digest=tool.digest,
        sensitive=tool.sensitive,
        aliases=("shop.fetch_item",) if constant == "GET_ITEM" else (),
    )


surface = Surface(
    name="shop",
    package="tests.runtime.gate.pack",
    platform="scripted",
    title="A shop",
    tools=tuple(entry_of(name) for name in shop.TOOLS),
)
