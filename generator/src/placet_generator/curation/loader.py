"""From curation text to checked models: every fault of every file, each at its place."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Generic, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.models import UNION_TAGS, DomainFile, SurfaceFile
from placet_generator.curation.yaml_text import YamlDocument, read_yaml
from placet_generator.diagnostics import Code, Diagnostic, Span

M = TypeVar("M", bound=BaseModel)
Path = Sequence[str | int]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the surface folder: its path as shown in messages, its place in the folder, its text.

    `text` is None when the bytes are not UTF-8.
    """

    path: str
    place: PurePosixPath
    text: str | None


@dataclass(frozen=True, slots=True)
class Located(Generic[M]):
    """A checked model and the document that knows where everything stands."""

    model: M
    document: YamlDocument

    def span(self, at: Path = (), *, key: bool = False) -> Span:
        return self.document.span(at, key=key)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of guidance: `topic` is empty for a domain's first page."""

    locale: str
    domain: str
    topic: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Curation:
    """Everything people wrote for one surface."""

    surface: Located[SurfaceFile]
    domains: tuple[Located[DomainFile], ...]
    overlays: Mapping[tuple[str, str], YamlDocument]
    pages: tuple[Page, ...]
    documents: Mapping[str, SourceFile]


def load_curation(files: Sequence[SourceFile]) -> tuple[Curation | None, tuple[Diagnostic, ...]]:
    """Read a surface folder.

    Args:
        files: Every file of the folder except the witness, in any order.

    Returns:
        The curation, or None when surface.yaml cannot be used, and every finding. A domain file with a fault is
        left out, so that the others are still checked.
    """
    found: list[Diagnostic] = []
    surface: Located[SurfaceFile] | None = None
    domains: list[Located[DomainFile]] = []
    overlays: dict[tuple[str, str], YamlDocument] = {}
    pages: list[Page] = []
    documents: dict[str, SourceFile] = {}
    for file in sorted(files, key=lambda one: one.place):
        if file.text is None:
            found.append(
                Diagnostic(
                    Span(file.path, 1, 1), Code.YAML_UNREADABLE, "the file is not UTF-8", "save it as UTF-8"
                )
            )
            continue
        match file.place.parts:
            case ("surface.yaml",):
                surface = _model(SurfaceFile, file, found)
            case ("domains", name) if name.endswith(".yaml"):
                domain = _model(DomainFile, file, found)
                if domain is not None:
                    found.extend(_misplaced(domain, domain.model.domain, name.removesuffix(".yaml")))
                    domains.append(domain)
            case ("locales", locale, name) if name.endswith(".yaml"):
                overlay, faults = read_yaml(file.text, file.path)
                found.extend(faults)
                if overlay is not None:
                    overlays[locale, name.removesuffix(".yaml")] = overlay
            case ("guidance", locale, name) if name.endswith(".md"):
                pages.append(Page(locale, name.removesuffix(".md"), "", file.path, file.text))
            case ("guidance", locale, domain_name, name) if name.endswith(".md"):
                pages.append(Page(locale, domain_name, name.removesuffix(".md"), file.path, file.text))
            case _:
                documents[str(file.place)] = file
    if surface is None:
        if not any(file.place == PurePosixPath("surface.yaml") for file in files):
            folder = str(PurePosixPath(files[0].path).parent) if files else "."
            found.append(Diagnostic(Span(folder), Code.FILE_MISPLACED, "there is no surface.yaml", "add one"))
        return None, tuple(found)
    return Curation(surface, tuple(domains), overlays, tuple(pages), documents), tuple(found)


def _surface(file: SourceFile, found: list[Diagnostic]) -> Located[SurfaceFile] | None:
    document, faults = read_yaml(file.text or "", file.path)
    found.extend(faults)
    if document is None:
        return None
    try:
        located = Located(SurfaceFile.model_validate(document.value), document)
    except ValidationError as error:
        found.extend(one for _, one in findings_of(error, SurfaceFile, document))
        return None
    folder = PurePosixPath(file.path).parent.name
    if folder and located.model.surface != folder:
        message = f"surface {located.model.surface!r} stands in the folder {folder!r}"
        found.append(Diagnostic(located.span(("surface",)), Code.FILE_MISPLACED, message, f"write `surface: {folder}`"))
    return located


def _domain(file: SourceFile, found: list[Diagnostic]) -> Located[DomainFile] | None:
    """The domain without the entries that have a fault; None when the file as a whole cannot be used."""
    document, faults = read_yaml(file.text or "", file.path)
    found.extend(faults)
    if document is None:
        return None
    places = {one.span for one in faults}
    faulty = {place for one in faults if (place := _entry_at(document, one.span)) is not None}
    try:
        model = DomainFile.model_validate(document.value)
    except ValidationError as error:
        for at, finding in findings_of(error, DomainFile, document):
            faulty.add(at[:2] if at[:1] in _SECTIONS and len(at) > 1 else at)
            if finding.span not in places:
                found.append(finding)
    if not faulty:
        return Located(model, document)
    left_out = frozenset(_with_users(faulty, document.value))
    try:
        return Located(DomainFile.model_validate(_without(document.value, left_out)), document, left_out)
    except ValidationError:
        return None


_SECTIONS = (("tools",), ("shapes",), ("parameters",))


def _entry_at(document: YamlDocument, span: Span) -> Path | None:
    """The tool, shape or shared parameter in which a place lies; else the key of the file."""
    for (section,) in _SECTIONS:
        entries = document.value.get(section) if isinstance(document.value, dict) else None
        for key in entries if isinstance(entries, dict) else ():
            if document.encloses((section, key), span):
                return (section, key)
    return None


def _with_users(faulty: set[Path], value: Any) -> Iterator[Path]:
    """The entries with a fault, and the tools that use a shape or a shared parameter among them."""
    yield from faulty
    tools = value.get("tools") if isinstance(value, dict) else None
    for key, tool in tools.items() if isinstance(tools, dict) else ():
        if any(_uses(tool, *at) for at in faulty if len(at) == 2):
            yield ("tools", key)


def _uses(value: Any, section: str | int, name: str | int) -> bool:
    if not isinstance(value, dict):
        return False
    if (section == "shapes" and value.get("shape") == name) or (
        section == "parameters" and value.get(name) == "shared"
    ):
        return True
    return any(_uses(inner, section, name) for inner in value.values())


def _without(value: Any, left_out: frozenset[Path]) -> Any:
    """A file's value without some of its keys and entries."""
    if not isinstance(value, dict):
        return value
    kept = {key: inner for key, inner in value.items() if (key,) not in left_out}
    for (section,) in _SECTIONS:
        if isinstance(kept.get(section), dict):
            kept[section] = {key: one for key, one in kept[section].items() if (section, key) not in left_out}
    return kept


def _misplaced(domain: Located[DomainFile], written: str, expected: str) -> Iterator[Diagnostic]:
    if written != expected:
        yield Diagnostic(
            domain.span(("domain",)),
            Code.FILE_MISPLACED,
            f"domain {written!r} stands in {expected}.yaml",
            f"rename the file to {written}.yaml or the domain to {expected}",
        )
