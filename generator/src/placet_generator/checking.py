"""What `placet check` says: findings of the compiler, the SDK against its pin, and drift.

Drift that comes from an edit of the curation is told at the place of the edit and in words; a generated file that
somebody touched, lost or added is told as that file.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from placet_generator.build import Build
from placet_generator.curation.loader import Curation
from placet_generator.diagnostics import Code, Diagnostic, Severity, Span
from placet_generator.diff import Change, DiffFailed, change_sentence, compare, read_folder
from placet_generator.drift import Drift, compare_outputs, find_drift, read_pin
from placet_generator.ir import SurfaceIR
from placet_generator.pin import compare_pins, pin_document

COMMAND = "make generate"

Keys = tuple[str, ...]


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
    if not (root / _manifest(build)).exists():
        message = (
            f"the surface {build.name!r} has never been generated: {len(build.files)} files are not there"
        )
        hint = f"run `{COMMAND}` and commit the result"
        found.append(Diagnostic(curation.surface.span(), Code.DRIFT_MISSING, message, hint))
    elif drift:
        changes = _curated_changes(root, build, surface)
        found += _as_diagnostics(changes, curation)
        touched = {one.tool.partition(".")[0] for one in changes}
        files = compare_outputs(root, build.files, build.owned)
        pinned = _pin_changes(root, build, surface)
        told = {one.span.path for one in pinned}
        found += [one for one in files if not _explained(one, touched) and one.span.path not in told]
        found += pinned
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
    """Changes of tools whose committed manifest line differs too: those came from the curation.

    None where a golden file is broken, as by a merge: then the files that differ are told one by one.
    """
    try:
        old = read_folder(root / "golden" / build.name / "tools")
    except DiffFailed:
        return []
    if not old:
        return []
    was = _manifest_lines(_text(root / _manifest(build)))
    now = _manifest_lines(build.files[_manifest(build)])
    changes = compare(old, golden_records(build))
    return [one for one in changes if one.kind == "obtain" or was.get(one.tool) != now.get(one.tool)]


def _manifest(build: Build) -> str:
    return f"golden/{build.name}/manifest.tsv"


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


def _as_diagnostics(changes: Sequence[Change], curation: Curation) -> Iterator[Diagnostic]:
    """One finding for each place that was edited, however many tools and texts follow from it."""
    moved = {(one.tool, _quoted(one)) for one in changes if one.kind == "obtain"}
    english = {(one.tool, _path_of(one)) for one in changes if _locale(one) is None}
    by_place: dict[Span, list[Change]] = {}
    for one in changes:
        path, locale = _path_of(one), _locale(one)
        if (one.tool, _quoted(one)) in moved:
            path, locale = ("parameters", _quoted(one), "obtain"), None
        elif (one.tool, path) in english:
            locale = None
        by_place.setdefault(_span(one, path, curation, locale), []).append(one)
    for at, ones in by_place.items():
        yield _as_diagnostic(at, ones)


def _as_diagnostic(at: Span, ones: Sequence[Change]) -> Diagnostic:
    first = next((one for one in ones if one.kind == "obtain"), ones[0])
    code = {"tool-added": Code.DRIFT_MISSING, "tool-removed": Code.DRIFT_EXTRA}.get(
        first.kind, Code.DRIFT_CHANGED
    )
    others = len({one.tool for one in ones}) - 1
    more = f"; {others} more tools change with it" if others else ""
    message = f"{first.tool!r} is not generated as curated: {change_sentence(first)} ({first.effect}){more}"
    return Diagnostic(at, code, message, f"run `{COMMAND}`, review `placet diff`, and commit both")


def _span(change: Change, path: Keys, curation: Curation, locale: str | None) -> Span:
    """Where that part of a tool is written, as near as it is; surface.yaml for a tool whose domain is gone."""
    domain, _, key = change.tool.partition(".")
    located = next((one for one in curation.domains if one.model.domain == domain), None)
    if located is None:
        return curation.surface.span()
    entry = located.model.tools.get(key)
    is_shared = (
        path[:1] == ("parameters",) and entry is not None and entry.parameters.get(path[1]) == "shared"
    )
    full = path if is_shared else ("tools", key, *path)
    document = curation.overlays.get((locale, domain), located.document) if locale else located.document
    if path == ("summary",) and document.has(("tools", key)):
        full = ("tools", key, _new_text(change, document.value["tools"][key]))
    while not document.has(full):
        full = full[:-1]
    return document.span(full, key=isinstance(reduce(getitem, full, document.value), dict))


def _new_text(change: Change, texts: Mapping[str, Any]) -> str:
    """Which of the texts that make up a description is not in the old one."""
    old = _words(change.old)
    keys = ("summary", "use_when", "avoid_when")
    return next((key for key in keys if texts.get(key) and _words(texts[key]) not in old), keys[0])


def _words(text: object) -> str:
    """A text on one line, names of tools as a model sees them."""
    return " ".join(str(text).split()).replace(".", "_")


_KEYS = {
    "risk": "risk",
    "identity": "identity",
    "scope": "scopes",
    "order": "scopes",
    "idempotency": "idempotency",
    "native": "idempotency",
    "sensitive": "sensitive",
    "description": "summary",
    "text_digest": "keywords",
    "paging": "paging",
    "before": "before",
    "rules": "rules",
    "preflight": "preflight",
}
_QUOTED = {"parameter": "parameters", "slot": "parameters", "output": "output", "answer": "output"}
_MAPPINGS = ("fixed", "context", "derive")


def _path_of(change: Change) -> Keys:
    """What a change is about, as keys below its tool."""
    word = change.kind.partition("-")[0].partition(" ")[0]
    name = _quoted(change)
    if word in _QUOTED and name:
        text = ("about",) if change.message == "description changed" and "." not in name else ()
        return (_QUOTED[word], name.split(".")[0].removesuffix("[]"), *text)
    if word == "error":
        return ("errors", name)
    if word in _MAPPINGS:
        return (word, name) if name else (word,)
    if word == "call":
        part = change.kind.partition("-")[2]
        return ("source", part) if part in ("sdk", "http", "route") else ("source",)
    return (_KEYS[word],) if word in _KEYS else ()


def _quoted(change: Change) -> str:
    """The name that a change's place quotes: of a parameter, a field, a slot."""
    return change.place.split("'")[1] if change.place.count("'") >= 2 else ""


def _locale(change: Change) -> str | None:
    """The language of a changed text, None for English and for what is no text."""
    found = re.search(r"\((\w+)\)", change.place)
    return found[1] if found else None


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
