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


def _model(model: type[M], file: SourceFile, found: list[Diagnostic]) -> Located[M] | None:
    document, faults = read_yaml(file.text or "", file.path)
    found.extend(faults)
    if document is None:
        return None
    try:
        return Located(model.model_validate(document.value), document)
    except ValidationError as error:
        found.extend(_from_pydantic(error, model, document))
        return None


def _misplaced(domain: Located[DomainFile], written: str, expected: str) -> Iterator[Diagnostic]:
    if written != expected:
        yield Diagnostic(
            domain.span(("domain",)),
            Code.FILE_MISPLACED,
            f"domain {written!r} stands in {expected}.yaml",
            f"rename the file to {written}.yaml or the domain to {expected}",
        )


def _from_pydantic(
    error: ValidationError, model: type[BaseModel], document: YamlDocument
) -> Iterator[Diagnostic]:
    for one in error.errors(include_url=False, include_context=False):
        at = _place(one["loc"], document)
        if one["type"] == "extra_forbidden":
            key = str(at[-1])
            known = _known_keys(model, at[:-1])
            close = nearest(key, known, limit=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known keys: {', '.join(sorted(known))}"
            where = _dotted(at[:-1])
            yield Diagnostic(
                document.span(at, key=True), Code.KEY_UNKNOWN, f"unknown key {key!r}{where}", hint
            )
        elif one["type"] == "missing":
            key = str(one["loc"][-1])
            parent = [part for part in at if part != key] if not document.has(at) else at[:-1]
            yield Diagnostic(
                document.span(parent, key=True),
                Code.KEY_MISSING,
                f"{key!r} is missing{_dotted(parent)}",
                f"add `{key}:`",
            )
        else:
            yield _invalid(one["msg"], one["input"], at, document)


def _invalid(message: str, value: Any, at: Path, document: YamlDocument) -> Diagnostic:
    message = message.removeprefix("Value error, ")
    message = re.sub(r"^Input should be", "the value should be", message)
    shown = "" if isinstance(value, dict | list) else f", not {_short(value)}"
    return Diagnostic(
        document.span(at),
        Code.VALUE_INVALID,
        f"{_dotted(at, lead='')}: {message}{shown}".removeprefix(": "),
        "write a value of that form",
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _dotted(at: Path, lead: str = " in ") -> str:
    return lead + repr(".".join(str(part) for part in at)) if at else ""


def _place(location: tuple[str | int, ...], document: YamlDocument) -> tuple[str | int, ...]:
    """The part of a pydantic location that is in the file: union tags and key markers are left out."""
    at: tuple[str | int, ...] = ()
    for part in location:
        if document.has((*at, part)):
            at = (*at, part)
        elif part not in UNION_TAGS and part != "[key]":
            return (*at, part)
    return at


def _known_keys(model: type[BaseModel], at: Path) -> list[str]:
    """The keys that the format has at a place."""
    candidates: list[Any] = [model]
    for part in at:
        candidates = [inner for one in candidates for inner in _below(one, part)]
    return sorted(
        {
            info.alias or name
            for one in candidates
            if isinstance(one, type) and issubclass(one, BaseModel)
            for name, info in one.model_fields.items()
        }
    )


def _below(kind: Any, part: str | int) -> Iterator[Any]:
    """The types that may stand at `part` of a value of type `kind`, with containers and unions opened."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, info in kind.model_fields.items():
            if (info.alias or name) == part:
                yield from _opened(info.annotation)
    elif getattr(kind, "__origin__", None) is dict:
        yield from _opened(get_args(kind)[1])


def _opened(annotation: Any) -> Iterator[Any]:
    if getattr(annotation, "__origin__", None) is dict or (
        isinstance(annotation, type) and issubclass(annotation, BaseModel)
    ):
        yield annotation
        return
    for inner in get_args(annotation):
        if not isinstance(inner, str):
            yield from _opened(inner)
