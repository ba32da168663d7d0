"""What a conversation is made of, and its form at rest."""

from dataclasses import dataclass
from typing import Any, Literal

__all__ = [
    "ContentPart",
    "Message",
    "ReasoningPart",
    "Role",
    "TextPart",
    "ToolResultPart",
    "ToolUsePart",
    "message_of",
    "plain_message",
]

Role = Literal["user", "assistant", "tool"]


@dataclass(slots=True)
class TextPart:
    """Words of a person or of the model."""

    text: str


@dataclass(slots=True)
class ReasoningPart:
    """What the model thought, for servers that want it back with the results of its calls."""

    text: str


@dataclass(slots=True)
class ToolUsePart:
    """A call that the model wants, its arguments decoded."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(slots=True)
class ToolResultPart:
    """What a call came to. `tool_call_id` is the `id` of its `ToolUsePart`."""

    tool_call_id: str
    content: str
    is_error: bool = False


ContentPart = TextPart | ReasoningPart | ToolUsePart | ToolResultPart


@dataclass(slots=True)
class Message:
    """One message; results of calls stand in messages whose role is `tool`."""

    role: Role
    content: list[ContentPart]


_FIELDS: dict[str, tuple[str, ...]] = {
    "TextPart": ("text",),
    "ReasoningPart": ("text",),
    "ToolUsePart": ("id", "name", "arguments"),
    "ToolResultPart": ("tool_call_id", "content", "is_error"),
}


def plain_message(message: Any) -> dict[str, Any]:
    """A message as JSON values; of ours, or of any classes with the same names and attributes.

    Raises:
        TypeError: it holds a part of another name.
    """
    parts = []
    for part in message.content:
        name = type(part).__name__
        if name not in _FIELDS:
            raise TypeError(f"a message holds {', '.join(_FIELDS)}, and not {name}")
        parts.append({"part": name, **{field: getattr(part, field) for field in _FIELDS[name]}})
    return {"role": message.role, "content": parts}


def message_of(plain: dict[str, Any], types: Any) -> Any:
    """What `plain_message` was given, made of the classes that `types` has under our names."""
    content = []
    for part in plain["content"]:
        name = part["part"]
        content.append(getattr(types, name)(**{field: part[field] for field in _FIELDS[name]}))
    return types.Message(role=plain["role"], content=content)
