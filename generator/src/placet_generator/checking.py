"""What `placet check` says: findings of the compiler, the SDK against its pin, and drift.

Drift that comes from an edit of the curation is told at the place of the edit and in words; a generated file that
somebody touched, lost or added is told as that file.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from placet_generator.build import Build
from placet_generator.curation.loader import Curation
from placet_generator.diagnostics import Code, Diagnostic, Severity, Span
from placet_generator.diff import Change, change_sentence, compare, read_folder
from placet_generator.drift import Drift, compare_outputs, find_drift, read_pin
from placet_generator.ir import SurfaceIR
from placet_generator.pin import compare_pins, pin_document

COMMAND = "make generate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The result of a check: everything found, and the drift of files behind it."""

    diagnostics: tuple[Diagnostic, ...]
    drift: Drift | None


def check_build(root: Path, build: Build) -> Checked:
    """Compare a build with the disk.

    Raises:
        UnsafePath: an output folder leads through a link.
        OSError: an output cannot be read.
    """
    surface, curation = build.compilation.surface, build.compilation.curation
    if build.failed or surface is None or curation is None:
        return Checked(diagnostics=build.diagnostics, drift=None)
    drift = find_drift(root, build.files, build.owned)
    found = list(build.diagnostics)
    if drift:
        changes = _curated_changes(root, build, surface)
        found += [_as_diagnostic(one, surface, curation) for one in changes]
        touched = {one.tool.partition(".")[0] for one in changes}
        files = compare_outputs(root, build.files, build.owned)
        found += [one for one in files if not _explained(one, touched)]
        found += _pin_changes(root, build, surface)
        if not any(one.severity is Severity.ERROR for one in found):
            found += files
    return Checked(diagnostics=tuple(found), drift=drift)


def _pin_changes(root: Path, build: Build, surface: SurfaceIR) -> tuple[Diagnostic, ...]:
    path = f"golden/{build.name}/sdk.pin.json"
    pin = read_pin(root, path)
    if pin is None:
        return ()
    tools = [tool for domain in surface.domains for tool in domain.tools]
    return compare_pins(pin, pin_document(surface), tools, path=path)


def _curated_changes(root: Path, build: Build, surface: SurfaceIR) -> list[Change]:
    """Changes of tools whose committed manifest line differs too: those came from the curation."""
    folder = root / "golden" / build.name / "tools"
    old = read_folder(folder) if folder.is_dir() else {}
    if not old:
        return []
    manifest = f"golden/{build.name}/manifest.tsv"
    was = _manifest_lines(_text(root / manifest))
    now = _manifest_lines(build.files[manifest])
    return [one for one in compare(old, golden_records(build)) if was.get(one.tool) != now.get(one.tool)]


def golden_records(build: Build) -> Mapping[str, Mapping[str, Any]]:
    """The golden tool files of a build, by the tools' names."""
    prefix = f"golden/{build.name}/tools/"
    records = (json.loads(text) for path, text in build.files.items() if path.startswith(prefix))
    return {record["name"]: record for record in records}


def _manifest_lines(text: str) -> dict[str, str]:
    return {line.partition("\t")[0]: line for line in text.splitlines()[1:]}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _as_diagnostic(change: Change, surface: SurfaceIR, curation: Curation) -> Diagnostic:
    message = f"{change.tool!r} changed and is not generated: {change_sentence(change)} ({change.effect})"
    hint = f"run `{COMMAND}`, review `placet diff`, and commit both"
    return Diagnostic(place_of(change, surface, curation), Code.DRIFT_CHANGED, message, hint)


def place_of(change: Change, surface: SurfaceIR, curation: Curation) -> Span:
    """Where in the curation a change was made, as near as its kind tells; the domain file for a tool that is gone."""
    domain, _, key = change.tool.partition(".")
    for located in curation.domains:
        if located.model.domain == domain:
            path = ("tools", key, *_below(change))
            if path[-1:] != (key,) and not located.document.has(path):
                path = ("tools", key)
            return located.span(path, key=path == ("tools", key))
    return curation.surface.span()


_KEYS = {
    "risk": "risk",
    "identity": "identity",
    "scope": "scopes",
    "order": "scopes",
    "idempotency": "idempotency",
    "native": "idempotency",
    "sensitive": "sensitive",
    "description": "summary",
    "paging": "paging",
    "before": "before",
    "rules": "rules",
    "preflight": "preflight",
}
_QUOTED = {"parameter": "parameters", "slot": "parameters", "output": "output", "answer": "output"}
_MAPPINGS = ("fixed", "context", "derive", "errors")


def _below(change: Change) -> tuple[str, ...]:
    word = change.kind.partition("-")[0].partition(" ")[0]
    name = change.place.split("'")[1] if change.place.count("'") >= 2 else ""
    if word in _QUOTED and name:
        top = name.split(".")[0].removesuffix("[]")
        return (_QUOTED[word], top)
    if word == "obtain":
        return ("parameters", name, "obtain")
    if word in _MAPPINGS:
        return (word, name) if name else (word,)
    if word == "call":
        part = change.kind.partition("-")[2]
        return ("source", part) if part in ("sdk", "http", "route") else ("source",)
    return (_KEYS[word],) if word in _KEYS else ()


def _explained(one: Diagnostic, touched: Iterable[str]) -> bool:
    """True when an edit of these domains accounts for the file."""
    path = one.span.path
    parts = path.split("/")
    domains = set(touched)
    if not domains:
        return False
    general = {"manifest.tsv", "sdk.pin.json", "__init__.py"}
    return parts[-1] in general or any(_names_domain(part, domains) for part in parts)


def _names_domain(part: str, domains: Iterable[str]) -> bool:
    return any(part == one or part.startswith(f"{one}.") or part.endswith(f"-{one}") for one in domains)


def drift_lines(drift: Drift | None) -> Iterator[str]:
    """One line on the files behind the findings."""
    if drift:
        count = len(drift.missing) + len(drift.changed) + len(drift.extra)
        kinds = f"{len(drift.missing)} missing, {len(drift.changed)} changed, {len(drift.extra)} extra"
        yield f"{count} generated files differ: {kinds}; run `{COMMAND}`"
