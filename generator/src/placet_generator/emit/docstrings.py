"""Docstrings of generated functions and structs: what a developer reads at the call."""

from collections.abc import Iterable

from placet.contract import Call, Scopes
from placet_generator.emit.literals import docstring_literal
from placet_generator.emit.prose import wrapped
from placet_generator.emit.texts import english_about
from placet_generator.ir import MemberIR, ToolIR

__all__ = ["function_docstring", "struct_docstring", "title_docstring"]

WIDTH = 110
INDENT = "    "


def title_docstring(text: str) -> str:
    """A module's docstring: one sentence, wrapped."""
    return docstring_literal("\n".join(wrapped(text, WIDTH - len('""""""'))))


def function_docstring(tool: ToolIR, arguments: Iterable[MemberIR]) -> str:
    """Summary, when to use it, arguments, risk and permissions, source."""
    paragraphs = [wrapped(tool.summary["en"], WIDTH - len(INDENT) - len('"""'))]
    advice = [("Use when", tool.use_when.get("en")), ("Not when", tool.avoid_when.get("en"))]
    told = [line for label, text in advice if text for line in _lines(f"{label}: {text}")]
    listed = _listed((one.name, english_about(one)) for one in arguments)
    facts = [*_lines(f"Risk: {tool.risk.value}. Scopes: {_scopes_text(tool.scopes)}."), *_source_lines(tool)]
    paragraphs += [told, ["Args:", *listed] if listed else [], facts]
    return docstring_literal("\n\n".join("\n".join(lines) for lines in paragraphs if lines), INDENT)


def struct_docstring(first: str, described: Iterable[tuple[str, str]] = ()) -> str:
    """A struct's docstring: `first`, then what is known about its fields.

    Args:
        described: Field name and text; a field without a text is left out.
    """
    listed = _listed(described)
    lines = [*_lines(first), *(["", "Attributes:", *listed] if listed else [])]
    return docstring_literal("\n".join(lines), INDENT)


def _lines(text: str, indent: str = "") -> list[str]:
    return [indent + line for line in wrapped(text, WIDTH - len(INDENT) - len(indent))]


def _listed(described: Iterable[tuple[str, str]]) -> list[str]:
    lines: list[str] = []
    for name, text in described:
        if text:
            first, *rest = wrapped(f"{name}: {text}", WIDTH - 2 * len(INDENT) - len(INDENT))
            lines += [f"{INDENT}{first}", *(f"{INDENT}{INDENT}{line}" for line in rest)]
    return lines


def _scopes_text(scopes: Scopes) -> str:
    parts = []
    if scopes.any_of:
        parts.append(f"any of {', '.join(scopes.any_of)}" if len(scopes.any_of) > 1 else scopes.any_of[0])
    if scopes.all_of:
        parts.append(f"all of {', '.join(scopes.all_of)}")
    return "; ".join(parts) or "none"


def _source_lines(tool: ToolIR) -> list[str]:
    calls = tool.binding.calls
    if not calls:
        return ["Source: local, nothing is sent."]
    if len(calls) == 1:
        return _source("Source", calls[0])
    return ["Sources:", *(f"{INDENT}{line}" for one in calls for line in _source(one.name, one))]


def _source(label: str, call: Call) -> list[str]:
    """One line, or two where verb and route need their own."""
    line = f"{label}: {call.sdk}, {call.http} {call.route}."
    if len(line) + 2 * len(INDENT) <= WIDTH:
        return [line]
    return [f"{label}: {call.sdk},", f"{INDENT}{call.http} {call.route}."]
