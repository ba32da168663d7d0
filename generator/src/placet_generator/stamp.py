"""The no-change path: a stamp that says "all that this check depends on has these hashes, and it was clean".

A stamp covers the curation folder, the generated files, the generator's and the contract's sources, the
platform's names, the libraries' and Python's versions, and the SDK's RECORD. Contents are hashed, not sizes
or times. Anything that cannot be vouched for (a link, a pipe, a missing distribution) means that there is no
stamp, never that it is fresh.

Only light modules may be imported here: no pydantic, jinja2, openapi-pydantic, msgspec, typer or rich.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from placet_generator.workspace import CURATION, STATE, UnsafePath, files_below, read_bytes, state_folder

__all__ = ["Stamp", "fresh_summary", "is_fresh", "reading_digest", "write_stamp"]

HERE = Path(__file__).resolve().parent
FORMAT = 1
LIBRARIES = ("jinja2", "msgspec", "openapi-pydantic", "pydantic", "pydantic-core", "pyyaml", "ruff")
"""What a build is made with; where one of them is not seen, a stamp cannot vouch for anything."""


class _Unvouched(Exception):
    """Something that a stamp depends on cannot be hashed."""


class Stamp(NamedTuple):
    """What a stamp covers besides the folders that every surface has.

    Attributes:
        owned: Files and folders of the build's outputs, relative to the root, as in `write_files`.
        sdk: The SDK's distribution, None for a surface over a document (which lies in the curation folder).
        names: The module with the platform's names, as `placet.platforms.feishu.names`.
        summary: The line that a clean check prints.
    """

    owned: tuple[str, ...]
    sdk: str | None
    names: str
    summary: str


def reading_digest(root: Path, surface: str) -> str | None:
    """Hash of the curation folder and of the sources that read it; None when it cannot be vouched for.

    Taken before a build reads its inputs and handed to `write_stamp` after it: an edit made in between
    is not stamped as checked.
    """
    try:
        return _reading(_inputs(root, surface), _sources())
    except (_Unvouched, UnsafePath, OSError):
        return None


def _reading(inputs: str, generator: str) -> str:
    return _digest([inputs, generator])


def write_stamp(
    root: Path, surface: str, stamp: Stamp, *, before: str | None, files: Mapping[str, str]
) -> bool:
    """Record that the surface is clean; False, and no stamp, when that cannot be said.

    Args:
        before: `reading_digest` from before the build read anything.
        files: The build's outputs; the disk must hold exactly these within `stamp.owned`.
    """
    try:
        made = _digest(_labelled(path, text.encode("utf-8")) for path, text in sorted(files.items()))
        parts = {name: take(root, surface, stamp) for name, take in PARTS.items()}
        if (
            before is None
            or before != _reading(parts["inputs"], parts["generator"])
            or parts["outputs"] != made
        ):
            return False
        place = _place(root, surface)
        state_folder(root)
        fresh = place.with_suffix(".new")
        fresh.write_text(
            json.dumps({"format": FORMAT, **stamp._asdict(), "parts": parts}, indent=1), encoding="utf-8"
        )
        fresh.replace(place)
    except (_Unvouched, UnsafePath, OSError, UnicodeEncodeError):
        return False
    return True


def is_fresh(root: Path, surface: str) -> bool:
    """True when nothing that the surface's last clean check depended on has changed."""
    return fresh_summary(root, surface) is not None


def fresh_summary(root: Path, surface: str) -> str | None:
    """The summary line of the surface's last clean check when it still holds, else None."""
    try:
        kept = json.loads(read_bytes(os.fspath(_place(root, surface))))
        stamp = Stamp(
            owned=tuple(kept["owned"]), sdk=kept["sdk"], names=kept["names"], summary=kept["summary"]
        )
        parts = kept["parts"]
        known = kept["format"] == FORMAT and parts.keys() == PARTS.keys()
        if known and all(take(root, surface, stamp) == parts[name] for name, take in PARTS.items()):
            return stamp.summary
    except (_Unvouched, UnsafePath, OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return None


def _place(root: Path, surface: str) -> Path:
    return root / STATE / f"{surface}.stamp.json"


def _inputs(root: Path, surface: str) -> str:
    return _tree(root, [f"{CURATION}/{surface}"])


def _sources() -> str:
    """Hash of the generator's package, the contract, and the platforms' names that ship with the runtime."""
    runtime = _package_folder("placet")
    names = [f"platforms/{one.name}/names.py" for one in os.scandir(runtime / "platforms") if one.is_dir()]
    return _digest([_tree(HERE.parent, [HERE.name]), _tree(runtime, ["contract", *sorted(names)])])


def _names(module: str) -> str:
    top, _, rest = module.partition(".")
    file = _package_folder(top) / f"{rest.replace('.', '/')}.py"
    return _digest([_labelled(module, read_bytes(os.fspath(file)))])


def _package_folder(package: str) -> Path:
    """Where a top-level package lies; finding it imports nothing."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise _Unvouched(package)
    return Path(next(iter(spec.submodule_search_locations)))


def _libraries() -> str:
    """Hash of Python's version, installed versions, and the entry points through which platforms are found."""
    installed = _distributions()
    for name in LIBRARIES:
        _pick(installed, name)
    parts: list[str | bytes] = [sys.version]
    for name, one in sorted(installed.items()):
        parts += [name, one.version, _entry_points(one.folder)]
    return _digest(parts)


def _entry_points(folder: str) -> bytes:
    try:
        return read_bytes(os.path.join(folder, "entry_points.txt"))
    except FileNotFoundError:
        return b""


def _record(sdk: str | None) -> str:
    if sdk is None:
        return "none"
    return _digest([sdk, read_bytes(os.path.join(_pick(_distributions(), sdk).folder, "RECORD"))])


class _Distribution(NamedTuple):
    version: str
    folder: str


def _pick(installed: Mapping[str, _Distribution], name: str) -> _Distribution:
    found = installed.get(_normal(name))
    if found is None:
        raise _Unvouched(name)
    return found


def _distributions() -> Mapping[str, _Distribution]:
    """Installed distributions by normal name, the first on the path as the import system takes it.

    `importlib.metadata` says the same, and importing it costs more than the rest of the check together.
    """
    found: dict[str, _Distribution] = {}
    for place in sys.path:
        try:
            names = os.listdir(place or ".")
        except OSError:
            continue
        for entry in names:
            if entry.endswith(".dist-info"):
                name, _, version = entry.removesuffix(".dist-info").rpartition("-")
                found.setdefault(_normal(name), _Distribution(version, os.path.join(place, entry)))
    return found


def _normal(name: str) -> str:
    return name.lower().replace("-", "_").replace(".", "_")


PARTS: Mapping[str, Callable[[Path, str, Stamp], str]] = {
    "libraries": lambda root, surface, stamp: _libraries(),
    "generator": lambda root, surface, stamp: _sources(),
    "platform": lambda root, surface, stamp: _names(stamp.names),
    "sdk": lambda root, surface, stamp: _record(stamp.sdk),
    "inputs": lambda root, surface, stamp: _inputs(root, surface),
    "outputs": lambda root, surface, stamp: _tree(root, stamp.owned),
}
"""Part of a stamp to how its hash is taken."""


def _tree(root: Path, places: Sequence[str]) -> str:
    """Hash of the paths and contents of all files of those places."""
    top = os.fspath(root)
    return _digest(_labelled(path, read_bytes(f"{top}/{path}")) for path in _regular(root, places))


def _regular(root: Path, places: Sequence[str]) -> list[str]:
    found = sorted(set(files_below(root, places)))
    for path, regular in found:
        if not regular:
            raise _Unvouched(path)
    return [path for path, _ in found]


def _labelled(path: str, content: bytes) -> bytes:
    """A file as an entry that cannot run into its neighbour."""
    return f"{len(path)} {path} {len(content)} ".encode("utf-8", "surrogateescape") + content


def _digest(parts: Iterable[str | bytes]) -> str:
    total = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8") if isinstance(part, str) else part
        total.update(b"%d " % len(content))
        total.update(content)
    return total.hexdigest()
