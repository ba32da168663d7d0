"""The SDK's `EncryptedSession`, with a key that does not fit as an error.

As it comes, it leaves out whatever it cannot open: with a wrong key a conversation is empty, and taking an item back
drops all of them. What has only outlived its `ttl` is left out here too.
"""

from typing import Any

from agents.extensions.memory.encrypt_session import EncryptedSession
from cryptography.fernet import Fernet, InvalidToken

from placet.engine.passing import PassingSession
from placet.sealing import SealBroken

__all__ = ["strict"]


def strict(session: Any) -> Any:
    """The session, or one over the same items that raises `SealBroken` where an `EncryptedSession` would skip."""
    if not isinstance(session, EncryptedSession) or isinstance(session.underlying_session, _Checked):
        return session
    same = type(session).__new__(type(session))
    same.__dict__ |= session.__dict__
    checked: Any = _Checked(session.underlying_session, session.cipher)
    same.underlying_session = checked
    return same


class _Checked(PassingSession):
    """What lies under an `EncryptedSession`; lets no item through that its key does not open."""

    def __init__(self, inner: Any, cipher: Fernet) -> None:
        super().__init__(inner)
        self._cipher = cipher

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[Any]:
        items = await super().get_items(limit, wrapper=wrapper)
        for item in items:
            self._check(item)
        return items

    async def pop_item(self, *, wrapper: Any = None) -> Any | None:
        await self.get_items(1, wrapper=wrapper)  # what is popped is gone, so look before
        return await super().pop_item(wrapper=wrapper)

    def _check(self, item: Any) -> None:
        payload = item.get("payload") if isinstance(item, dict) and item.get("__enc__") == 1 else None
        if not isinstance(payload, str):
            raise SealBroken("an item of an encrypted session is not encrypted")
        try:
            self._cipher.extract_timestamp(payload.encode())  # checks the signature, and no age
        except InvalidToken:
            raise SealBroken("an item of an encrypted session does not open with its key") from None
