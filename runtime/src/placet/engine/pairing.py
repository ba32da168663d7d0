"""Any session behind the laws of a well-formed history: each call has one output, and it stands behind its call.

The SDK stores what a run did as it happens, so a run that waits leaves calls without outputs, an approval that comes
late leaves an output far behind, and a run made again leaves an output twice. Readers get all three healed.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from placet.engine.passing import ALL, PassingSession

__all__ = ["WAITING", "PairingSession", "paired", "trimmed"]

WAITING = '{"kind":"pending","next":"waits for a person; not executed"}'
"""What a call says for itself while nobody has decided about it."""

LOST = '{"kind":"unknown","reason":"this call was interrupted; look at what it would have changed"}'
"""What a call says for itself whose run ended without an output."""

_CALLS = ("function_call",)
_OUTPUTS = ("function_call_output",)


class PairingSession(PassingSession):
    """`agents.memory.Session` around another one.

    Args:
        inner: Any session; a host's own `get_items` limit and settings stay in force.
        waiting: Ids of calls that wait for a person; other calls without output were interrupted.
        most_tokens: Of the history that a model is given, estimated; whole exchanges are left out, the oldest first.
        wrapper: As for `PassingSession`.
    """

    def __init__(
        self,
        inner: Any,
        *,
        waiting: Iterable[str] = (),
        most_tokens: int | None = None,
        wrapper: Any = None,
    ) -> None:
        super().__init__(inner, wrapper=wrapper)
        self._waiting = frozenset(waiting)
        self._most_tokens = most_tokens

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[Any]:
        """The healed history. A limit counts stored items; a call that it would part from its output comes with it."""
        stored = await super().get_items(limit, wrapper=wrapper)
        if apart := _ids(stored, _OUTPUTS) - _ids(stored, _CALLS):
            everything = await super().get_items(ALL, wrapper=wrapper)
            stored = [*(one for one in everything if _kind(one) in _CALLS and _id(one) in apart), *stored]
        healed = paired(stored, waiting=self._waiting)
        if self._most_tokens is None:
            return healed
        kept = trimmed(healed, self._most_tokens)
        fresh = _ids(_last_outputs(stored), _OUTPUTS)
        return [*(one for one in healed[: len(healed) - len(kept)] if _id(one) in fresh), *kept]

    async def add_items(self, items: list[Any], *, wrapper: Any = None) -> None:
        """Append without outputs that are stored already."""
        kept = list(items)
        if _ids(kept, _OUTPUTS):
            stored = _ids(await super().get_items(ALL, wrapper=wrapper), _OUTPUTS)
            kept = [one for one in kept if _kind(one) not in _OUTPUTS or _id(one) not in stored]
        if kept:
            await super().add_items(kept, wrapper=wrapper)

    async def count(self) -> int:
        """How many items are stored, whatever a limit or an age hides."""
        beneath = PassingSession(
            getattr(self._inner, "underlying_session", self._inner), wrapper=self._wrapper
        )
        return len(await beneath.get_items(ALL))

    async def roll_back(self, count: int) -> None:
        """Take back what was stored since there were `count` items; only whoever holds the conversation may."""
        while await self.count() > count and await self.pop_item() is not None:
            pass


def paired(items: Sequence[Any], *, waiting: frozenset[str] = frozenset()) -> list[Any]:
    """Items in an order that every model server takes: a group of calls, their outputs in the same order, the rest.

    An output without a call is left out, and of several outputs of one call the first is kept.
    """
    outputs: dict[str, Any] = {}
    for item in items:
        if _kind(item) in _OUTPUTS:
            outputs.setdefault(_id(item), item)
    healed: list[Any] = []
    group: list[str] = []
    seen: set[str] = set()

    def close() -> None:
        healed.extend(outputs.get(one) or _stand_in(one, waiting) for one in group)
        group.clear()

    for item in items:
        kind = _kind(item)
        if kind in _OUTPUTS:
            continue
        if kind not in _CALLS:
            if kind != "reasoning":
                close()
            healed.append(item)
        elif _id(item) not in seen:
            seen.add(_id(item))
            group.append(_id(item))
            healed.append(item)
    close()
    return healed


def trimmed(items: Sequence[Any], most_tokens: int) -> list[Any]:
    """The newest exchanges that fit; each begins with a person's message, so no call is parted from its output."""
    starts = [at for at, item in enumerate(items) if _is_person(item)]
    if not starts:
        return list(items)
    kept_from, total = starts[-1], sum(map(_tokens, items[starts[-1] :]))
    for at, start in reversed(list(enumerate(starts[:-1]))):
        total += sum(map(_tokens, items[start : starts[at + 1]]))
        if total > most_tokens:
            break
        kept_from = start
    return list(items[kept_from:])


def _ids(items: Iterable[Any], kinds: tuple[str, ...]) -> set[str]:
    return {_id(one) for one in items if _kind(one) in kinds}


def _last_outputs(stored: Sequence[Any]) -> list[Any]:
    """The outputs that no model has read yet: nothing was stored behind them."""
    at = len(stored)
    while at and _kind(stored[at - 1]) in _OUTPUTS:
        at -= 1
    return list(stored[at:])


def _tokens(item: Any) -> int:
    """An upper estimate: a token for every CJK character, and for three others."""
    text = json.dumps(item, ensure_ascii=False, default=str)
    wide = sum(char > "\u2e7f" for char in text)
    return wide + (len(text) - wide) // 3 + 4


def _stand_in(call_id: str, waiting: frozenset[str]) -> dict[str, str]:
    return {
        "type": "function_call_output",
        "call_id": call_id,
        "output": WAITING if call_id in waiting else LOST,
    }


def _kind(item: Any) -> str:
    found = item.get("type") if isinstance(item, dict) else getattr(item, "type", None)
    return str(found or "message")


def _id(item: Any) -> str:
    found = item.get("call_id") if isinstance(item, dict) else getattr(item, "call_id", "")
    return str(found or "")


def _is_person(item: Any) -> bool:
    return isinstance(item, dict) and item.get("role") == "user"
