"""Compiling text that was never on disk, with the real SDK and witness found once."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath

from placet_generator.compile import Compilation, Sources, compile_surface
from placet_generator.curation.loader import SourceFile
from placet_generator.surface_folder import read_folder, surface_sources
from tests.three_domains import is_kept, trimmed

WORKSPACE = Path(__file__).parents[2]


@lru_cache
def feishu_files() -> tuple[SourceFile, ...]:
    """Three domains of the committed curation of `feishu`."""
    kept = [one for one in read_folder(WORKSPACE, "feishu") if is_kept(one.place.as_posix())]
    return tuple(
        SourceFile(one.path, one.place, trimmed(one.text or "")) if one.place.name == "surface.yaml" else one
        for one in kept
    )


@lru_cache
def whole_feishu() -> Compilation:
    """The whole of the committed curation, compiled."""
    return compile_files(list(read_folder(WORKSPACE, "feishu")))


@lru_cache
def feishu_sources() -> Sources:
    """The SDK, witness and names that the committed curation compiles with."""
    sources = surface_sources(WORKSPACE, "feishu")
    assert sources is not None
    return sources


def compile_files(files: Sequence[SourceFile]) -> Compilation:
    """Compile with the real SDK; surface.yaml's choice of catalogue, supplements and witness is not looked at."""
    return compile_surface(files, lambda curation: (feishu_sources(), ()))


def changed(files: Sequence[SourceFile], place: str, text: str) -> tuple[SourceFile, ...]:
    """The files with another text at one place."""
    return tuple(SourceFile(one.path, one.place, text) if str(one.place) == place else one for one in files)


def source_files(texts: Mapping[str, str], folder: str = "curation/demo") -> tuple[SourceFile, ...]:
    """Files of a surface folder from place to text."""
    return tuple(SourceFile(f"{folder}/{place}", PurePosixPath(place), text) for place, text in texts.items())
