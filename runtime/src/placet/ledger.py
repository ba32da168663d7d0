"""Keys of the ledger: who does what under which caller's key. Pure functions; the rules over rows are the stores'."""

import hashlib
from typing import Any, Literal

from msgspec import Struct

from placet.contract.binding import NativeKey
from placet.contract.digest import sha256_of
from placet.contract.words import Identity

__all__ = ["Origin", "ledger_key", "native_key", "request_digest", "resend_s"]

SURE_OF_WINDOW_S = 600.0
"""How long a platform's own memory of a key is relied upon when it forgets. The shortest documented one is an hour;
most are not documented at all."""

FOREVER_S = 10 * 365 * 24 * 3600.0

UUID_LENGTH = 36


class Origin(Struct, frozen=True):
    """What makes two calls one. Kinds never meet: a caller cannot write a key that is another kind's.

    Attributes:
        kind: "caller" (its idempotency key), "call" (run and call id), "approval" (its id) or "fresh" (an id of
            this call alone: no de-duplication).
        parts: The key, or the ids.
    """

    kind: Literal["caller", "call", "approval", "fresh"]
    parts: tuple[str, ...]

    @staticmethod
    def of(
        *,
        fresh: str,
        caller_key: str | None = None,
        run: str | None = None,
        call: str | None = None,
        approval: str | None = None,
    ) -> "Origin":
        """The first that is there: caller's key, run and call, approval, else the fresh id.

        Args:
            fresh: A new random id.
        """
        if caller_key is not None:
            return Origin("caller", (caller_key,))
        if run is not None and call is not None:
            return Origin("call", (run, call))
        if approval is not None:
            return Origin("approval", (approval,))
        return Origin("fresh", (fresh,))


def ledger_key(
    *,
    namespace: str,
    tenant: str,
    app: str,
    identity: Identity,
    principal: str | tuple[str, str] | None,
    tool: str,
    origin: Origin,
) -> str:
    """Hex sha256 under which a write stands in the ledger. One person's key never names another's write.

    Args:
        namespace: The installation's; keeps two of them in one store apart.
        principal: The person who acts. Where nobody is known, what stands for them: ("conversation", its id) or
            ("run", its id), which is no person's name; None where that is not known either.
    """
    return sha256_of(
        ["ledger", 1, namespace, tenant, app, identity.value, principal, tool, origin.kind, *origin.parts]
    )


def request_digest(tool: str, contract: str, arguments: Any, context: Any = None) -> str:
    """Hex sha256 of what is asked: the same key with another digest is a conflict.

    Args:
        contract: The tool's contract digest.
        arguments: Decoded, with the idempotency key and `dry_run` taken out, files as their sha256 and length.
        context: Values that the call's actor or tenant filled in.
    """
    return sha256_of(["request", 1, tool, contract, arguments, context])


def native_key(key: str, native: NativeKey) -> str:
    """The platform's idempotency key for a ledger key: the same one each time, and no way back from it.

    Raises:
        ValueError: the platform's key is too short to tell writes apart.
    """
    digest = hashlib.sha256(b"native key, version 1:" + key.encode()).digest()
    if native.form == "uuid4":
        return _uuid4(digest)
    length = UUID_LENGTH if native.max_len is None else min(native.max_len, 64)
    if length < 16:
        raise ValueError(f"a native key of {length} characters cannot tell writes apart")
    return digest.hex()[:length]


def resend_s(native: NativeKey | None) -> float:
    """Seconds after the first sending within which the platform surely knows its key again; 0.0 without one."""
    if native is None:
        return 0.0
    return FOREVER_S if native.scope == "forever" else SURE_OF_WINDOW_S


def _uuid4(digest: bytes) -> str:
    """A UUID of version 4, RFC 9562 section 5.4, whose random bits are the digest's."""
    octets = bytearray(digest[:16])
    octets[6] = octets[6] & 0x0F | 0x40
    octets[8] = octets[8] & 0x3F | 0x80
    text = octets.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
