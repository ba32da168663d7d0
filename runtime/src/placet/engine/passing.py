"""A session in front of another one: what it does not change goes through, with a run's wrapper where that is taken."""

import inspect
from typing import Any

__all__ = ["ALL", "PassingSession"]

ALL = 2**31 - 1
"""A limit that limits nothing, for where a session's own settings would limit without one."""

_METHODS = ("get_items", "add_items", "pop_item", "clear_session")


class PassingSession:
    """`agents.memory.Session` in front of `inner`.

    Args:
        wrapper: The `RunContextWrapper` of calls that come without one. A session gets a wrapper when all its methods
            take one, which is the SDK's own rule.
    """

    def __init__(self, inner: Any, *, wrapper: Any = None) -> None:
        self._inner, self._wrapper = inner, wrapper
        self.session_id: str = inner.session_id

    @property
    def session_settings(self) -> Any:
        return getattr(self._inner, "session_settings", None)

    @session_settings.setter
    def session_settings(self, settings: Any) -> None:
        self._inner.session_settings = settings

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[Any]:
        found: list[Any] = await self._inner.get_items(limit, **self._with(wrapper))
        return found

    async def add_items(self, items: list[Any], *, wrapper: Any = None) -> None:
        await self._inner.add_items(items, **self._with(wrapper))

    async def pop_item(self, *, wrapper: Any = None) -> Any | None:
        return await self._inner.pop_item(**self._with(wrapper))

    async def clear_session(self, *, wrapper: Any = None) -> None:
        await self._inner.clear_session(**self._with(wrapper))

    def _with(self, wrapper: Any) -> dict[str, Any]:
        chosen = self._wrapper if wrapper is None else wrapper
        return {"wrapper": chosen} if chosen is not None and takes_wrapper(self._inner) else {}


def takes_wrapper(session: Any) -> bool:
    """Whether a session wants to know for which run it is asked."""
    return all("wrapper" in inspect.signature(getattr(session, name)).parameters for name in _METHODS)
