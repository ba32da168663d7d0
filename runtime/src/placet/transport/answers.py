"""Reading an answer's body whole, within bounds, whatever the other side sends."""

import zlib
from collections.abc import Awaitable, Callable

import anyio.lowlevel

from placet.transport.faults import TransportError, TransportReason

__all__ = ["read_bounded"]

_SLICE_BYTES = 256 * 1024
_GZIP = zlib.MAX_WBITS | 16

Chunks = Callable[[], Awaitable[bytes]]


async def read_bounded(chunks: Chunks, *, encoding: str, length: int | None, max_bytes: int) -> bytes:
    """All bytes, decoded.

    Args:
        chunks: Gives the next bytes as they came; empty at the end.
        encoding: Content-Encoding, lower-case.
        length: Content-Length, when it was given.
        max_bytes: Bound of what is received and of what it decodes to.
    Raises:
        TransportError: too large, an encoding we did not ask for, or compressed bytes that do not decode.
    """
    if length is not None and length > max_bytes:
        raise _fault(TransportReason.TOO_LARGE, "the answer's length is over the bound")
    if encoding in ("", "identity"):
        return await _plain(chunks, max_bytes)
    if encoding != "gzip":
        raise _fault(TransportReason.ENCODING, "the answer's content encoding is none that was asked for")
    return await _gzipped(chunks, max_bytes)


async def _plain(chunks: Chunks, max_bytes: int) -> bytes:
    first = await chunks()
    if not first:
        return first
    found = [first]
    size = len(first)
    while size <= max_bytes:
        chunk = await chunks()
        if not chunk:
            return first if len(found) == 1 else b"".join(found)
        found.append(chunk)
        size += len(chunk)
    raise _fault(TransportReason.TOO_LARGE, "the answer is over the bound")


async def _gzipped(chunks: Chunks, max_bytes: int) -> bytes:
    decoder = zlib.decompressobj(_GZIP)
    found = bytearray()
    received = 0
    while chunk := await chunks():
        received += len(chunk)
        while chunk:
            try:
                found += decoder.decompress(chunk, _SLICE_BYTES)
            except zlib.error:
                raise _fault(TransportReason.ENCODING, "the answer's bytes do not decode") from None
            if len(found) > max_bytes or received > max_bytes:
                raise _fault(TransportReason.TOO_LARGE, "the decoded answer is over the bound")
            chunk = decoder.unconsumed_tail
            if chunk:
                # One received piece can decode to a thousand slices; others get a turn between them.
                await anyio.lowlevel.checkpoint()
        if decoder.unused_data:
            raise _fault(TransportReason.ENCODING, "bytes follow the end of the compressed answer")
    if received and not decoder.eof:
        raise _fault(TransportReason.TRUNCATED, "the compressed answer ends early")
    return bytes(found)


def _fault(reason: TransportReason, detail: str) -> TransportError:
    return TransportError(sent=True, reason=reason, detail=detail)
