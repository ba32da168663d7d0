"""Encryption at rest: what is sealed for one place opens nowhere else.

AES-256-GCM. A sealed value is `version (1 byte) | key id (8) | nonce (12) | ciphertext and tag`; the place where it
lies is authenticated with it, so that a value copied to another row does not open.
"""

import hmac
import os
from collections.abc import Callable, Sequence

from placet.contract.errors import PlacetError

__all__ = ["SealBroken", "Sealer"]

MIN_SECRET_BYTES = 32

_VERSION = b"\x01"
_KEY_ID_BYTES = 8
_NONCE_BYTES = 12
_PURPOSE = b"placet sealing, version 1"


class SealBroken(PlacetError):
    """A sealed value does not open: no key fits, it was changed, or it belongs to another place."""


class Sealer:
    """Seals with the first key, opens with all.

    Args:
        secrets: At least one, each of 32 bytes or more; the keys are derived from them.
        random: Gives that many random bytes; a nonce is never used twice under one key.

    Raises:
        ValueError: there is none, or one is too short.
    """

    def __init__(self, secrets: Sequence[bytes], *, random: Callable[[int], bytes] = os.urandom) -> None:
        if not secrets:
            raise ValueError("sealing needs a key")
        if any(len(secret) < MIN_SECRET_BYTES for secret in secrets):
            raise ValueError(f"a key of sealing has at least {MIN_SECRET_BYTES} bytes")
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        self._random = random
        self._by_id: dict[bytes, AESGCM] = {}
        ids = []
        for secret in secrets:
            key = hmac.digest(secret, _PURPOSE, "sha256")
            ids.append(hmac.digest(key, b"id", "sha256")[:_KEY_ID_BYTES])
            self._by_id[ids[-1]] = AESGCM(key)
        self._first = ids[0]

    def seal(self, value: bytes, *, place: str) -> bytes:
        """Encrypt `value` for the row named `place`."""
        nonce = self._random(_NONCE_BYTES)
        head = _VERSION + self._first
        sealed = self._by_id[self._first].encrypt(nonce, value, head + place.encode())
        return head + nonce + sealed

    def open(self, sealed: bytes, *, place: str) -> bytes:
        """What was sealed for `place`.

        Raises:
            SealBroken: it does not open; the message does not say which of the causes it is.
        """
        from cryptography.exceptions import InvalidTag

        head, rest = sealed[: 1 + _KEY_ID_BYTES], sealed[1 + _KEY_ID_BYTES :]
        key = self._by_id.get(head[1:]) if head[:1] == _VERSION else None
        if key is None or len(rest) < _NONCE_BYTES:
            raise SealBroken("a sealed value does not open with the configured keys")
        try:
            return key.decrypt(rest[:_NONCE_BYTES], rest[_NONCE_BYTES:], head + place.encode())
        except InvalidTag:
            raise SealBroken("a sealed value does not open with the configured keys") from None

    def is_current(self, sealed: bytes) -> bool:
        """Whether the first key sealed it; another one's should be sealed anew."""
        return sealed[: 1 + _KEY_ID_BYTES] == _VERSION + self._first
