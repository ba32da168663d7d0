"""Two places for staged files: a private folder that several processes of a machine share, and memory.

In the folder a file is two: the content, and a record written last by renaming, so that a crash leaves either both or
something that `sweep` removes. Both are named by a digest of the handle; whoever lists the folder holds no handle.
"""

import hashlib
import os
import stat
import time
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import anyio.lowlevel
import anyio.to_thread
import msgspec
from msgspec import Struct

from placet.contract.platform import FileContent
from placet.contract.types import FileHandle
from placet.files.handles import Content, FileFault, FileStore, Limits, StagedFile, is_handle, new_handle
from placet.files.naming import SNIFF_BYTES, clean_name, sniff

__all__ = ["FolderFiles", "MemoryFiles", "stage_path"]

T = TypeVar("T")

_PIECE_BYTES = 1024 * 1024
_ORPHAN_S = 3600.0
_LIMITS = Limits()


class _Record(Struct, frozen=True, kw_only=True):
    """A staged file at rest; `app` and `session` are whom it opens for."""

    app: str
    session: str | None
    name: str
    media_type: str
    size: int
    sha256: str
    expires_at: float

    def opens_for(self, app: str, session: str | None, now: float) -> bool:
        return self.app == app and self.session == session and now < self.expires_at


class _Intake:
    """Content on its way in: counted, hashed, and its first bytes kept."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._hash = hashlib.sha256()
        self.size = 0
        self.head = b""

    def take(self, piece: bytes) -> None:
        self.size += len(piece)
        if self.size > self._max_bytes:
            raise FileFault(f"the file has more than {self._max_bytes} bytes")
        self._hash.update(piece)
        if len(self.head) < SNIFF_BYTES:
            self.head += piece[: SNIFF_BYTES - len(self.head)]

    def record(
        self, *, name: str, app: str, session: str | None, said: str | None, expires_at: float
    ) -> _Record:
        clean = clean_name(name)
        return _Record(
            app=app,
            session=session,
            name=clean,
            media_type=sniff(self.head, clean, said),
            size=self.size,
            sha256=self._hash.hexdigest(),
            expires_at=expires_at,
        )


class MemoryFiles:
    """Staged files of one process; for tests and trials.

    Args:
        clock: Unix seconds.
    """

    def __init__(self, *, limits: Limits = _LIMITS, clock: Callable[[], float] = time.time) -> None:
        self._limits, self._clock = limits, clock
        self._files: dict[str, tuple[_Record, bytes]] = {}

    async def put(
        self, content: Content, *, name: str, app: str, session: str | None, media_type: str | None = None
    ) -> StagedFile:
        intake = _Intake(self._limits.max_bytes)
        kept = bytearray()
        async for piece in _pieces(content):
            intake.take(piece)
            kept += piece
        if (
            sum(record.size for record, _ in self._files.values()) + intake.size
            > self._limits.max_total_bytes
        ):
            raise FileFault("the file store is full")
        handle = new_handle()
        record = intake.record(
            name=name,
            app=app,
            session=session,
            said=media_type,
            expires_at=self._clock() + self._limits.ttl_s,
        )
        self._files[handle] = (record, bytes(kept))
        return _staged(handle, record)

    async def open(self, handle: str, *, app: str, session: str | None) -> FileContent | None:
        found = self._files.get(handle)
        if found is None or not found[0].opens_for(app, session, self._clock()):
            return None
        record, content = found

        async def read() -> bytes:
            return content

        return _content(record, read)

    async def open_all(
        self, handles: Iterable[str], *, app: str, session: str | None
    ) -> dict[str, FileContent]:
        return await _open_all(self, handles, app, session)

    async def sweep(self) -> int:
        now = self._clock()
        gone = [handle for handle, (record, _) in self._files.items() if now >= record.expires_at]
        for handle in gone:
            del self._files[handle]
        return len(gone)


class FolderFiles:
    """Staged files in a folder that only this user can read; made when it is missing.

    Args:
        clock: Unix seconds.
    Raises:
        FileFault: the folder belongs to somebody else, or others may look into it.
    """

    def __init__(
        self, folder: Path, *, limits: Limits = _LIMITS, clock: Callable[[], float] = time.time
    ) -> None:
        self._folder, self._limits, self._clock = folder, limits, clock
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise FileFault("the place for staged files is no folder")
        if os.name == "posix" and (found.st_uid != os.geteuid() or found.st_mode & 0o077):
            raise FileFault(
                "the folder for staged files must belong to this user alone; give it mode 0700, or name another"
            )

    async def put(
        self, content: Content, *, name: str, app: str, session: str | None, media_type: str | None = None
    ) -> StagedFile:
        handle = new_handle()
        place = self._place(handle)
        intake = _Intake(self._limits.max_bytes)
        try:
            with await self._run(_created, place.with_suffix(".bin")) as file:
                async for piece in _pieces(content):
                    intake.take(piece)
                    await self._run(file.write, piece)
                await self._run(file.flush)
            await self._run(self._require_room)
            record = intake.record(
                name=name,
                app=app,
                session=session,
                said=media_type,
                expires_at=self._clock() + self._limits.ttl_s,
            )
            await self._run(_publish, place, msgspec.json.encode(record))
        except BaseException:
            _remove(place)
            raise
        return _staged(handle, record)

    async def open(self, handle: str, *, app: str, session: str | None) -> FileContent | None:
        if not is_handle(handle):
            return None
        place = self._place(handle)
        record = await self._run(_read_record, place)
        if record is None or not record.opens_for(app, session, self._clock()):
            return None

        async def read() -> bytes:
            return await self._run(_read_whole, place, record)

        return _content(record, read)

    async def open_all(
        self, handles: Iterable[str], *, app: str, session: str | None
    ) -> dict[str, FileContent]:
        return await _open_all(self, handles, app, session)

    async def sweep(self) -> int:
        return await self._run(self._sweep)

    def _place(self, handle: str) -> Path:
        return self._folder / hashlib.sha256(handle.encode()).hexdigest()

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        try:
            return await anyio.to_thread.run_sync(work, *arguments)
        except OSError as error:
            raise FileFault(f"the file store failed ({type(error).__name__})") from None

    def _require_room(self) -> None:
        with os.scandir(self._folder) as entries:
            total = sum(_size(entry) for entry in entries)
        if total > self._limits.max_total_bytes:
            raise FileFault("the file store is full")

    def _sweep(self) -> int:
        now = self._clock()
        gone = 0
        for content in self._folder.glob("*.bin"):
            record = _read_record(content.with_suffix(""))
            ends = content.lstat().st_mtime + _ORPHAN_S if record is None else record.expires_at
            if now >= ends:
                _remove(content.with_suffix(""))
                gone += 1
        for left in self._folder.glob("*.new"):
            if now - left.lstat().st_mtime > _ORPHAN_S:
                left.unlink(missing_ok=True)
        return gone


async def stage_path(store: FileStore, path: Path, *, app: str, session: str | None) -> StagedFile:
    """Stage a copy of a person's file. For doors only: a path never comes from a model or a document.

    Raises:
        FileFault: it is not there, cannot be read, is no plain file, or is too large.
    """
    try:
        file = await anyio.to_thread.run_sync(_opened_plain, path)
    except (OSError, ValueError) as error:
        raise FileFault(f"the file cannot be read ({type(error).__name__})") from None
    with file:
        return await store.put(_read_pieces(file), name=path.name, app=app, session=session)


async def _read_pieces(file: BinaryIO) -> AsyncIterator[bytes]:
    while piece := await anyio.to_thread.run_sync(file.read, _PIECE_BYTES):
        yield piece


async def _pieces(content: Content) -> AsyncIterator[bytes]:
    if not isinstance(content, AsyncIterable):
        for start in range(0, len(content), _PIECE_BYTES):
            yield content[start : start + _PIECE_BYTES]
            await anyio.lowlevel.checkpoint()
        return
    async for piece in content:
        yield piece


async def _open_all(
    store: FileStore, handles: Iterable[str], app: str, session: str | None
) -> dict[str, FileContent]:
    found: dict[str, FileContent] = {}
    for handle in dict.fromkeys(handles):
        content = await store.open(handle, app=app, session=session)
        if content is not None:
            found[handle] = content
    return found


def _staged(handle: FileHandle, record: _Record) -> StagedFile:
    return StagedFile(
        handle=handle,
        name=record.name,
        media_type=record.media_type,
        size=record.size,
        sha256=record.sha256,
        expires_at=record.expires_at,
    )


def _content(record: _Record, read: Callable[[], Awaitable[bytes]]) -> FileContent:
    return FileContent(
        name=record.name, media_type=record.media_type, size=record.size, sha256=record.sha256, read=read
    )


def _opened_plain(path: Path) -> BinaryIO:
    # Not blocking: a named pipe would wait for its other end.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise FileFault("only a plain file can be staged")
    return os.fdopen(number, "rb")


def _created(path: Path) -> BinaryIO:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o600), "wb")


def _publish(place: Path, record: bytes) -> None:
    fresh = place.with_suffix(".new")
    with _created(fresh) as file:
        file.write(record)
    fresh.replace(place.with_suffix(".json"))


def _remove(place: Path) -> None:
    """The record first: content without one opens for nobody."""
    for suffix in (".json", ".new", ".bin"):
        with suppress(OSError):
            place.with_suffix(suffix).unlink()


def _read_record(place: Path) -> _Record | None:
    try:
        return msgspec.json.decode(place.with_suffix(".json").read_bytes(), type=_Record)
    except (OSError, msgspec.MsgspecError):
        return None


def _read_whole(place: Path, record: _Record) -> bytes:
    try:
        number = os.open(
            place.with_suffix(".bin"), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        )
        with os.fdopen(number, "rb") as file:
            content = file.read(record.size + 1)
    except OSError:
        raise FileFault("the staged file is no longer there") from None
    if len(content) != record.size or hashlib.sha256(content).hexdigest() != record.sha256:
        raise FileFault("the staged file is not what was staged")
    return content


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return 0
