"""Printing diagnostics: text for people, JSON and SARIF for tools, annotations for CI.

Every printer sorts, drops doubles, and shows characters that could hide or reorder text as code points.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal, get_args
from urllib.parse import quote

from placet_generator.diagnostics.codes import CODES
from placet_generator.diagnostics.model import Diagnostic, Severity, Span, sort_diagnostics

__all__ = ["FORMATS", "Format", "count_line", "render", "visible"]

Format = Literal["text", "json", "sarif", "github"]
FORMATS: tuple[Format, ...] = get_args(Format)

HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
HIDDEN_RANGES = ((0x115F, 0x1160), (0x3164, 0x3164), (0xFFA0, 0xFFA0), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
"""Fillers and variation selectors: letters and marks by category, and yet nothing to be seen."""


def visible(text: str, *, keep: str = "") -> str:
    """`text` with control, bidi and zero-width characters as `<U+XXXX>`; those in `keep` stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if one in keep or not _hidden(one) else f"<U+{ord(one):04X}>" for one in text)


def _hidden(one: str) -> bool:
    return unicodedata.category(one) in HIDDEN_CATEGORIES or any(
        low <= ord(one) <= high for low, high in HIDDEN_RANGES
    )


def render(found: Iterable[Diagnostic], form: Format) -> str:
    """All of them in that form, ending in a newline; empty where text or annotations have nothing to say."""
    return PRINTERS[form](sort_diagnostics(found))


def count_line(found: Iterable[Diagnostic]) -> str:
    """How many there are of each severity: `2 errors, 1 warning`; empty when there are none."""
    counts = Counter(one.severity for one in set(found))
    return ", ".join(f"{n} {one}{'s' if n > 1 else ''}" for one in Severity if (n := counts[one]))


def _sentence(one: Diagnostic, *, keep: str = "") -> str:
    return visible(f"{one.message}; {one.hint}" if one.hint else one.message, keep=keep)


def _text(found: tuple[Diagnostic, ...]) -> str:
    lines = []
    for one in found:
        word = "" if one.severity is Severity.ERROR else f"{one.severity}: "
        lines.append(f"{visible(str(one.span))}: {one.code} {word}{_sentence(one)}")
        lines.extend(f"    see {visible(str(place))}" for place in one.related)
    if found:
        lines.append(count_line(found))
    return "".join(f"{line}\n" for line in lines)


def _place(span: Span) -> dict[str, Any]:
    return {"path": visible(span.path), "line": span.line, "column": span.column}


def _json(found: tuple[Diagnostic, ...]) -> str:
    rows = [
        {
            "code": str(one.code),
            "severity": str(one.severity),
            **_place(one.span),
            "message": visible(one.message),
            "hint": visible(one.hint),
            "related": [_place(place) for place in one.related],
        }
        for one in found
    ]
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


SARIF_LEVELS: Mapping[Severity, str] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "note",
}


def _sarif(found: tuple[Diagnostic, ...]) -> str:
    codes = list(CODES)
    rules = [
        {
            "id": str(code),
            "name": code.name.title().replace("_", ""),
            "shortDescription": {"text": info.purpose},
            "help": {"text": info.remedy},
        }
        for code, info in CODES.items()
    ]
    results = []
    for one in found:
        result: dict[str, Any] = {
            "ruleId": str(one.code),
            "ruleIndex": codes.index(one.code),
            "level": SARIF_LEVELS[one.severity],
            "message": {"text": _sentence(one)},
            "locations": [_location(one.span)],
        }
        if one.related:
            result["relatedLocations"] = [_location(place) for place in one.related]
        results.append(result)
    driver = {"name": "placet", "version": _own_version(), "rules": rules}
    log = {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _location(span: Span) -> dict[str, Any]:
    path = quote(span.path.encode("utf-8", "surrogatepass"))
    physical: dict[str, Any] = {
        "artifactLocation": {"uri": f"file://{path}" if path.startswith("/") else path}
    }
    if span.line:
        physical["region"] = {"startLine": span.line, "startColumn": max(span.column, 1)}
    return {"physicalLocation": physical}


def _own_version() -> str:
    try:
        return version("placet-generator")
    except PackageNotFoundError:
        return "0"


ANNOTATIONS: Mapping[Severity, str] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "notice",
}


def _github(found: tuple[Diagnostic, ...]) -> str:
    lines = []
    for one in found:
        properties = {"file": visible(one.span.path, keep="\r\n")}
        if one.span.line:
            properties |= {"line": str(one.span.line), "col": str(max(one.span.column, 1))}
        properties["title"] = str(one.code)
        listed = ",".join(f"{key}={_annotation_property(value)}" for key, value in properties.items())
        message = _sentence(one, keep="\r\n") + "".join(
            f" (see {visible(str(place))})" for place in one.related
        )
        lines.append(f"::{ANNOTATIONS[one.severity]} {listed}::{_annotation_text(message)}")
    return "".join(f"{line}\n" for line in lines)


def _annotation_text(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _annotation_property(text: str) -> str:
    return _annotation_text(text).replace(":", "%3A").replace(",", "%2C")


PRINTERS: Mapping[Format, Callable[[tuple[Diagnostic, ...]], str]] = {
    "text": _text,
    "json": _json,
    "sarif": _sarif,
    "github": _github,
}
