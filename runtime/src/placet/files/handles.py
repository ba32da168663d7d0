"""What a handle is, what is known of a staged file, and the protocol of the stores that keep them."""

import base64
import re
import secrets
from collections.abc import AsyncIterable, Callable, Iterable
from typing import Protocol

from msgspec import Struct

from placet.contract.errors import PlacetError
from placet.contract.platform import FileContent
from placet.contract.types import FileHandle

__all__ = ["Content", "FileFault", "FileStore", "Limits", "StagedFile", "is_handle", "new_handle"]

Content = bytes | AsyncIterable[bytes]

_HANDLE = re.compile(r"file_[a-z2-7]{32}\Z")
_RANDOM_BYTES = 20


class FileFault(PlacetError):
    """A file cannot be staged or read. Names neither a path nor the content."""


class Limits(Struct, frozen=True, kw_only=True):
    """Bounds of a store. `ttl_s` is how long a handle lives."""

    max_bytes: int = 100 * 1024 * 1024
    max_total_bytes: int = 4 * 1024 * 1024 * 1024
    ttl_s: float = 24 * 3600.0

    def __post_init__(self) -> None:
        if self.max_bytes < 1 or self.max_total_bytes < 1 or not self.ttl_s > 0:
            raise ValueError("the limits of a file store must be positive")


class StagedFile(Struct, frozen=True, kw_only=True):
    """What a handle stands for. `expires_at` is Unix seconds; `sha256` is hex."""

    handle: FileHandle
    name: str
    media_type: str
    size: int
    sha256: str
    expires_at: float


class FileStore(Protocol):
    """Staged files. A handle opens for the app and conversation it was made for, and for nobody else."""

    async def put(
        self, content: Content, *, name: str, app: str, session: str | None, media_type: str | None = None
    ) -> StagedFile:
        """Stage a copy.

        Args:
            name: As given by whoever had the file; kept without path parts and unseen characters.
            session: The conversation; None for calls outside any.
            media_type: What the sender says; used where the content itself does not tell.
        Raises:
            FileFault: too large, or the store is full.
        """
        ...

    async def open(self, handle: str, *, app: str, session: str | None) -> FileContent | None:
        """The file; None alike for an unknown handle, another app's, another conversation's and an expired one.

        Reading raises `FileFault` when the content is not what was staged.
        """
        ...

    async def open_all(
        self, handles: Iterable[str], *, app: str, session: str | None
    ) -> dict[str, FileContent]:
        """Those of the handles that open."""
        ...

    async def sweep(self) -> int:
        """Delete what has expired and what a crash left behind; the number of files deleted."""
        ...


def new_handle(random: Callable[[int], bytes] = secrets.token_bytes) -> FileHandle:
    """`file_` and 160 random bits in base32."""
    return FileHandle("file_" + base64.b32encode(random(_RANDOM_BYTES)).decode().lower())


def is_handle(text: str) -> bool:
    """True for what `new_handle` can make."""
    return _HANDLE.match(text) is not None
