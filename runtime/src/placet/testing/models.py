"""A loopback server that speaks chat completions and responses as OpenAI's does, and is as strict about order.

The real clients talk to it, so that what they send is what a model's server would be sent. What the model says comes
from a script, or from a function of the conversation.
"""

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from aiohttp import web

__all__ = ["FakeModels", "Turn"]

Turn = Callable[[list[dict[str, Any]]], "str | list[tuple[str, dict[str, Any]]]"]
"""From the conversation as it was sent to a reply, or to the calls that the model wants, as name and arguments."""


class FakeModels:
    """`async with FakeModels(script) as models`: an endpoint at `models.base_url`.

    Args:
        script: One entry a request; the last one repeats.
        ids: Ids of calls, as careless servers give them: by default `call_0` for every first call of an answer.

    Attributes:
        requests: Bodies in the order they came.
        refused: Why requests were refused: an order of calls and results that a strict server does not take.
    """

    def __init__(
        self, script: Sequence[Turn], *, ids: Callable[[int], str] = lambda number: f"call_{number}"
    ) -> None:
        if not script:
            raise ValueError("a script has at least one entry")
        self._script, self._ids = script, ids
        self.requests: list[dict[str, Any]] = []
        self.refused: list[str] = []
        self.base_url = ""
        self._numbers = itertools.count(1)

    async def __aenter__(self) -> Self:
        application = web.Application()
        application.router.add_post("/v1/chat/completions", self._chat)
        application.router.add_post("/v1/responses", self._responses)
        self._runner = web.AppRunner(application)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await self._read(request)
        fault = chat_fault(body["messages"])
        if fault is not None:
            return self._refuse(fault)
        said = self._said(body["messages"])
        message: dict[str, Any] = {"role": "assistant", "content": said if isinstance(said, str) else None}
        if not isinstance(said, str):
            message["tool_calls"] = [
                {
                    "id": self._ids(at),
                    "type": "function",
                    "function": {"name": name, "arguments": json.dumps(given)},
                }
                for at, (name, given) in enumerate(said)
            ]
        reason = "stop" if isinstance(said, str) else "tool_calls"
        if body.get("stream"):
            return await self._stream(request, _chunks(body["model"], message, reason))
        choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
        return web.json_response(
            {**_head(body["model"], "chat.completion"), "choices": [choice], "usage": _USAGE}
        )

    async def _responses(self, request: web.Request) -> web.StreamResponse:
        body = await self._read(request)
        items = (
            body["input"] if isinstance(body["input"], list) else [{"role": "user", "content": body["input"]}]
        )
        fault = items_fault(items)
        if fault is not None:
            return self._refuse(fault)
        said = self._said(items)
        number = next(self._numbers)
        output = (
            [_message(f"msg_{number}", said)]
            if isinstance(said, str)
            else [
                {
                    "type": "function_call",
                    "id": f"fc_{number}_{at}",
                    "call_id": self._ids(at),
                    "name": name,
                    "arguments": json.dumps(given),
                    "status": "completed",
                }
                for at, (name, given) in enumerate(said)
            ]
        )
        answer = {
            "id": f"resp_{number}",
            "object": "response",
            "created_at": 1,
            "model": body["model"],
            "status": "completed",
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": 10,
                "output_tokens": 5,
                "total_tokens": 15,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens_details": {"reasoning_tokens": 0},
            },
        }
        return web.json_response(answer)

    async def _read(self, request: web.Request) -> dict[str, Any]:
        body: dict[str, Any] = await request.json()
        self.requests.append(body)
        return body

    def _said(self, conversation: list[dict[str, Any]]) -> "str | list[tuple[str, dict[str, Any]]]":
        at = len(self.requests) - 1 - len(self.refused)
        return self._script[min(at, len(self._script) - 1)](conversation)

    def _refuse(self, fault: str) -> web.Response:
        self.refused.append(fault)
        error = {"message": fault, "type": "invalid_request_error", "param": None, "code": None}
        return web.json_response({"error": error}, status=400)

    async def _stream(self, request: web.Request, chunks: Sequence[Mapping[str, Any]]) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for chunk in chunks:
            await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
        await response.write(b"data: [DONE]\n\n")
        return response


_USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def chat_fault(messages: Sequence[Mapping[str, Any]]) -> str | None:
    """Why a strict server of chat completions refuses these messages; None when it takes them."""
    open_calls: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                return "messages with role 'tool' must follow the message with their 'tool_calls'"
            open_calls.remove(message["tool_call_id"])
        elif open_calls:
            return "an assistant message with 'tool_calls' must be followed by tool messages for each"
        else:
            ids = [call["id"] for call in message.get("tool_calls") or ()]
            if len(ids) != len(set(ids)):
                return "two tool calls share an id"
            open_calls = set(ids)
    return "a tool call has no result" if open_calls else None


def items_fault(items: Sequence[Mapping[str, Any]]) -> str | None:
    """Why a strict server of responses refuses these items; None when it takes them."""
    calls = [item["call_id"] for item in items if item.get("type") == "function_call"]
    outputs = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
    if len(set(calls)) != len(calls) or len(set(outputs)) != len(outputs):
        return "two calls, or two outputs, share an id"
    for one in outputs:
        if one not in calls:
            return f"No tool call found for function call output with call_id {one}."
    for one in calls:
        if one not in outputs:
            return f"No tool output found for function call {one}."
    return None


def _head(model: str, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": model}


def _chunks(model: str, message: Mapping[str, Any], reason: str) -> list[dict[str, Any]]:
    """The message in two deltas, then why it ended, then what it cost."""
    deltas: list[dict[str, Any]] = []
    if message["content"] is not None:
        half = len(message["content"]) // 2
        deltas = [
            {"role": "assistant", "content": message["content"][:half]},
            {"content": message["content"][half:]},
        ]
    else:
        deltas = [
            {
                "role": "assistant",
                "tool_calls": [{"index": at, **one} for at, one in enumerate(message["tool_calls"])],
            }
        ]
    head = _head(model, "chat.completion.chunk")
    chunks = [{**head, "choices": [{"index": 0, "delta": one, "finish_reason": None}]} for one in deltas]
    chunks.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    return [*chunks, {**head, "choices": [], "usage": _USAGE}]


def _message(identifier: str, text: str) -> dict[str, Any]:
    content = {"type": "output_text", "text": text, "annotations": []}
    return {
        "type": "message",
        "id": identifier,
        "role": "assistant",
        "status": "completed",
        "content": [content],
    }
