"""Files inside JSON bodies: until a request is sent they stand there unread, then as base64 text."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from placet.contract.platform import FileContent, WireCall

__all__ = ["inlined", "with_files"]


def with_files(body: Any, form: Callable[[FileContent], Any]) -> Any:
    """The body with each of its files in another form; the body itself is not changed."""
    if isinstance(body, FileContent):
        return form(body)
    if isinstance(body, dict):
        return {name: with_files(one, form) for name, one in body.items()}
    if isinstance(body, list):
        return [with_files(one, form) for one in body]
    return body


async def inlined(wire: WireCall) -> WireCall:
    """The call with the bytes of each file of its body as base64 text; itself where there is none."""
    found: list[FileContent] = []
    if wire.body is not UNSET:
        with_files(wire.body, found.append)
    if not found:
        return wire
    texts = {id(one): b64encode(await one.read()).decode() for one in found}
    return replace(wire, body=with_files(wire.body, lambda one: texts[id(one)]))
