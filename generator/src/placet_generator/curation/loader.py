"""From curation text to checked models: every fault of every file, each at its place."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from placet_generator.curation.faults import findings_of
from placet_generator.curation.models import DomainFile, SurfaceFile
from placet_generator.curation.yaml_text import YamlDocument, read_yaml
from placet_generator.diagnostics import Code, Diagnostic, Span

M = TypeVar("M", bound=BaseModel)
Path = tuple[str | int, ...]


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
    """A checked model and the document that knows where everything stands.

    Attributes:
        left_out: Keys and entries, as `("tools", "add_record")`, that a fault keeps out of the model.
    """

    model: M
    document: YamlDocument
    left_out: frozenset[Path] = frozenset()

    def span(self, at: Path = (), *, key: bool = False) -> Span:
        return self.document.span(at, key=key)

    def left_out_of(self, section: str) -> frozenset[str]:
        """Names of the tools, shapes or parameters that were left out."""
        return frozenset(str(at[1]) for at in self.left_out if len(at) == 2 and at[0] == section)


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
    """Everything people wrote for one surface.

    Attributes:
        unreadable: Files that exist and could not be used, by their place in the folder: what they would
            say is not known, so nobody may say that it is missing.
    """

    surface: Located[SurfaceFile]
    domains: tuple[Located[DomainFile], ...]
    overlays: Mapping[tuple[str, str], YamlDocument]
    pages: tuple[Page, ...]
    documents: Mapping[str, SourceFile]
    unreadable: frozenset[str] = frozenset()

    def is_complete(self) -> bool:
        """True when every file, and everything in it, could be used."""
        return not self.unreadable and not any(domain.left_out for domain in self.domains)

    def knows_domain(self, name: str) -> bool:
        """True when there is a file of that domain, readable or not."""
        return f"domains/{name}.yaml" in self.unreadable or any(
            one.model.domain == name for one in self.domains
        )


@dataclass(slots=True)
class _Reading:
    """The files read so far."""

    surface: Located[SurfaceFile] | None = None
    domains: list[Located[DomainFile]] = field(default_factory=list)
    overlays: dict[tuple[str, str], YamlDocument] = field(default_factory=dict)
    pages: list[Page] = field(default_factory=list)
    documents: dict[str, SourceFile] = field(default_factory=dict)
    unreadable: set[str] = field(default_factory=set)
    found: list[Diagnostic] = field(default_factory=list)


def load_curation(files: Sequence[SourceFile]) -> tuple[Curation | None, tuple[Diagnostic, ...]]:
    """Read a surface folder.

    Args:
        files: Every file of the folder except the witness, in any order.

    Returns:
        The curation, or None when surface.yaml cannot be used, and every finding. What has a fault is left out,
        a tool at a time where that can be told, so that the rest is still checked.
    """
    reading = _Reading()
    for file in sorted(files, key=lambda one: one.place):
        if file.text is None:
            fault = Diagnostic(
                Span(file.path, 1, 1), Code.YAML_UNREADABLE, "the file is not UTF-8", "save it as UTF-8"
            )
            reading.found.append(fault)
            reading.unreadable.add(str(file.place))
        else:
            _read(file, file.text, reading)
    surface, found = reading.surface, reading.found
    if surface is None:
        if not any(file.place == PurePosixPath("surface.yaml") for file in files):
            folder = str(PurePosixPath(files[0].path).parent) if files else "."
            found.append(Diagnostic(Span(folder), Code.FILE_MISPLACED, "there is no surface.yaml", "add one"))
        return None, tuple(found)
    curation = Curation(
        surface,
        tuple(reading.domains),
        reading.overlays,
        tuple(reading.pages),
        reading.documents,
        frozenset(reading.unreadable),
    )
    return curation, tuple(found)


def _read(file: SourceFile, text: str, reading: _Reading) -> None:
    match file.place.parts:
        case ("surface.yaml",):
            reading.surface = _surface(file, reading.found)
        case ("domains", name) if name.endswith(".yaml"):
            domain = _domain(file, reading.found)
            if domain is not None:
                reading.domains.append(_in_place(domain, name.removesuffix(".yaml"), reading.found))
            else:
                reading.unreadable.add(str(file.place))
        case ("locales", locale, name) if name.endswith(".yaml"):
            overlay, faults = read_yaml(text, file.path)
            reading.found.extend(faults)
            if overlay is not None and all(one.code is Code.YAML_DUPLICATE_KEY for one in faults):
                reading.overlays[locale, name.removesuffix(".yaml")] = overlay
            else:
                reading.unreadable.add(str(file.place))
        case ("guidance", locale, name) if name.endswith(".md"):
            reading.pages.append(Page(locale, name.removesuffix(".md"), "", file.path, text))
        case ("guidance", locale, domain_name, name) if name.endswith(".md"):
            reading.pages.append(Page(locale, domain_name, name.removesuffix(".md"), file.path, text))
        case (("domains" | "locales" | "guidance") as folder, *_):
            reading.found.append(_stray(file, folder))
        case _:
            reading.documents[str(file.place)] = file


_FORMS = {
    "domains": "domains/<domain>.yaml",
    "locales": "locales/<locale>/<domain>.yaml",
    "guidance": "guidance/<locale>/<domain>.md or guidance/<locale>/<domain>/<topic>.md",
}


def _stray(file: SourceFile, folder: str) -> Diagnostic:
    message = f"nothing reads a file of that name in {folder!r}"
    return Diagnostic(
        Span(file.path), Code.FILE_MISPLACED, message, f"name it {_FORMS[folder]}, or remove it"
    )


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
        found.append(
            Diagnostic(located.span(("surface",)), Code.FILE_MISPLACED, message, f"write `surface: {folder}`")
        )
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


def _in_place(domain: Located[DomainFile], expected: str, found: list[Diagnostic]) -> Located[DomainFile]:
    """The domain under its file's name, by which all else knows it."""
    written = domain.model.domain
    if written == expected:
        return domain
    message = f"domain {written!r} stands in {expected}.yaml"
    hint = f"rename the file to {written}.yaml or the domain to {expected}"
    found.append(Diagnostic(domain.span(("domain",)), Code.FILE_MISPLACED, message, hint))
    return replace(domain, model=domain.model.model_copy(update={"domain": expected}))
