"""A surface on disk: reading its folder, and finding the SDK, documents, witness and names it speaks of."""

import os
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path, PurePosixPath

from placet.contract.names import PlatformNames
from placet_generator.catalogue import Catalogue, CatalogueError
from placet_generator.catalogue.lark import LarkCatalogue, find_lark
from placet_generator.catalogue.nearest import nearest
from placet_generator.compile import Compilation, Sources, compile_surface
from placet_generator.curation.loader import Curation, SourceFile, load_curation
from placet_generator.curation.yaml_text import read_yaml
from placet_generator.diagnostics import Code, Diagnostic, Span
from placet_generator.witness.reader import Witness
from placet_generator.workspace import CURATION, files_below, read_bytes, surface_names

NAMES_GROUP = "placet.platform_names"


def compile_folder(root: Path, surface: str) -> Compilation:
    """Compile `curation/<surface>` below `root`.

    Raises:
        UnsafePath: the folder is or holds a link that would have to be followed.
        OSError: a file cannot be read.
    """
    return compile_surface(tuple(read_folder(root, surface)), lambda curation: _find(root, surface, curation))


def surface_sources(root: Path, surface: str) -> Sources | None:
    """What a surface's surface.yaml names, for commands that need no compilation; None when it cannot be used.

    Raises:
        UnsafePath, OSError: as `compile_folder`.
    """
    curation, _ = load_curation(tuple(read_folder(root, surface)))
    return None if curation is None else _find(root, surface, curation)[0]


def read_folder(root: Path, surface: str) -> Iterator[SourceFile]:
    """Every file of the surface's folder except the witness' own, which is read lazily."""
    folder = f"{CURATION}/{surface}"
    for path, is_regular in sorted(files_below(root, [folder])):
        place = PurePosixPath(path.removeprefix(f"{folder}/"))
        if place.parts[0] == "witness" or not is_regular or place.name.startswith("."):
            continue
        try:
            text: str | None = read_bytes(os.fspath(root / path)).decode("utf-8-sig")
        except UnicodeDecodeError:
            text = None
        yield SourceFile(path, place, text)


def platform_names(platform: str) -> PlatformNames | None:
    """The names of an installed platform; None when no distribution offers it."""
    for entry in _platforms():
        if entry.name == platform:
            found = entry.load()
            return found if isinstance(found, PlatformNames) else None
    return None


def names_module(platform: str) -> str | None:
    """The module that holds a platform's names; an input of every build for it."""
    return next((entry.module for entry in _platforms() if entry.name == platform), None)


@cache
def _platforms() -> EntryPoints:
    """Platforms that installed distributions offer; finding them reads a file of every distribution."""
    return entry_points(group=NAMES_GROUP)


def _find(root: Path, surface: str, curation: Curation) -> tuple[Sources | None, tuple[Diagnostic, ...]]:
    written = curation.surface.model
    found: list[Diagnostic] = []
    names = platform_names(written.platform)
    if names is None:
        known = sorted(entry.name for entry in _platforms())
        found.append(
            Diagnostic(
                curation.surface.span(("platform",)),
                Code.PLATFORM_UNKNOWN,
                f"no installed distribution offers the platform {written.platform!r}",
                f"known platforms: {', '.join(known) or 'none'}",
            )
        )
    found.extend(_shared_package(root, surface, curation))
    witness = _witness(root, surface, curation, found)
    envelope = names.envelope if names is not None else ""
    catalogue = _catalogue(curation, witness, envelope, found)
    supplements = _supplements(curation, envelope, found)
    if names is None or catalogue is None:
        return None, tuple(found)
    return Sources(catalogue=catalogue, supplements=supplements, witness=witness, names=names), tuple(found)


def _shared_package(root: Path, surface: str, curation: Curation) -> Iterator[Diagnostic]:
    """Another surface of the project with this package: each build would remove the other's files."""
    package = curation.surface.model.package
    for other in surface_names(root):
        if other == surface:
            continue
        path = f"{CURATION}/{other}/surface.yaml"
        document, _ = read_yaml((root / path).read_bytes().decode("utf-8", "replace"), path)
        if (
            document is not None
            and isinstance(document.value, dict)
            and document.value.get("package") == package
        ):
            at = curation.surface.span(("package",))
            message = f"surface {other!r} has the package {package!r} too"
            hint = "give each surface a package of its own"
            yield Diagnostic(at, Code.NAME_DUPLICATE, message, hint, related=(document.span(("package",)),))


def _witness(root: Path, surface: str, curation: Curation, found: list[Diagnostic]) -> Witness:
    folder = curation.surface.model.witness
    nowhere = root / CURATION / surface / ".no-witness"
    if folder is None:
        return Witness.load(nowhere)
    at = curation.surface.span(("witness",))
    place = root / CURATION / surface / folder
    if folder != "witness" or not place.is_dir():
        found.append(
            Diagnostic(
                at, Code.FILE_MISPLACED, f"there is no folder {folder!r}", "the witness lies in `witness`"
            )
        )
        return Witness.load(nowhere)
    try:
        witness = Witness.load(place)
        if not len(witness.methods()):
            message = f"the folder {folder!r} has no facts about any method"
            found.append(Diagnostic(at, Code.FILE_MISPLACED, message, "add endpoints.jsonl"))
    except CatalogueError as error:
        found.append(
            Diagnostic(
                Span(_shown(error.path, root), error.line, 1),
                Code.SOURCE_UNREADABLE,
                error.message,
                "mend it",
            )
        )
        return Witness.load(nowhere)
    return witness


def _shown(path: str, root: Path) -> str:
    return str(PurePosixPath(path).relative_to(root)) if path.startswith(f"{root}/") else path


def _catalogue(
    curation: Curation, witness: Witness, envelope: str, found: list[Diagnostic]
) -> Catalogue | None:
    choice = curation.surface.model.catalogue
    at = curation.surface.span(("catalogue",), key=True)
    if choice.provider == "openapi":
        return _document(curation, choice.document or "", envelope, at, found)
    if choice.distribution != "lark-oapi":
        message = f"provider lark reads the distribution 'lark-oapi', not {choice.distribution!r}"
        found.append(Diagnostic(at, Code.VALUE_INVALID, message, "write `distribution: lark-oapi`"))
        return None
    try:
        installed = find_lark()
    except CatalogueError as error:
        hint = "install lark-oapi in the version that the generator names"
        found.append(Diagnostic(at, Code.SOURCE_UNREADABLE, str(error), hint))
        return None
    return LarkCatalogue(installed.root, witness.methods(), version=installed.version)


def _supplements(curation: Curation, envelope: str, found: list[Diagnostic]) -> dict[str, Catalogue]:
    catalogues: dict[str, Catalogue] = {}
    for index, name in enumerate(curation.surface.model.supplements):
        at = curation.surface.span(("supplements", index))
        catalogue = _document(curation, f"supplement/{name}.yaml", envelope, at, found)
        if catalogue is not None:
            catalogues[name] = catalogue
    return catalogues


def _document(
    curation: Curation, place: str, envelope: str, at: Span, found: list[Diagnostic]
) -> Catalogue | None:
    from placet_generator.catalogue.openapi import OpenApiCatalogue, read_document

    file = curation.documents.get(place)
    if place in curation.unreadable:
        return None
    if file is None or file.text is None:
        close = nearest(place, curation.documents, limit=1)
        hint = f"did you mean {close[0]!r}?" if close else "add the document"
        found.append(Diagnostic(at, Code.FILE_MISPLACED, f"there is no document {place!r}", hint))
        return None
    document, faults = read_document(file.text, file.path)
    found.extend(faults)
    return None if document is None else OpenApiCatalogue(document, envelope=envelope)
