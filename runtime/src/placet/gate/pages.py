"""Reading: one page, or as many as were asked for, within the budget, with a cursor that loses and repeats nothing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from placet.budget import chars_of, fitting
from placet.contract.binding import Paging
from placet.contract.digest import sha256_of
from placet.contract.platform import Body, Failure
from placet.contract.refusal import Reason
from placet.contract.result import Failed, Ok, Page, Refused
from placet.cursors import Cursor, InvalidCursor, is_token, read_cursor, write_cursor
from placet.encoding import Filling
from placet.gate.runtime import GateRuntime
from placet.gate.sending import Unanswered, failed, unanswered
from placet.gate.state import AnyResult, CallState
from placet.gate.steps.outbound import budget_of
from placet.places import value_at
from placet.projection import DRIFT_MOST, decode_data, in_parts

__all__ = ["MOST_PAGES", "read_pages"]

MOST_PAGES = 50
"""Requests of one `fetch_all`; a longer list goes on with its cursor."""

MOST_BYTES = 16 * 1024 * 1024
"""Bytes of answers after which one call reads no further page; the list goes on with its cursor."""

USUAL_SIZE = 20
"""Items a page where the platform wants to be told and nobody asked for a size."""

_START = {"offset": 0, "page": 1}
"""Where counted pages begin."""


@dataclass(slots=True)
class _Reading:
    """Pages read so far: the projected data of the first, and the items of all."""

    data: dict[str, Any] = field(default_factory=dict)
    items: list[Any] = field(default_factory=list)
    drift: list[str] = field(default_factory=list)
    starts: list[tuple[int, Cursor]] = field(default_factory=list)
    following: Cursor | None = None
    stopped: str = ""
    chars: int = 0
    bytes: int = 0

    def add(self, items: list[Any], budget: int | None) -> None:
        """Items behind those that were read; their characters are counted where there is a budget."""
        self.items += items
        if budget is not None:
            self.chars += sum(map(chars_of, items)) + len(items)

    def stop(self, sentence: str) -> None:
        """The list ends here although the platform says that there is more."""
        self.following, self.stopped = None, sentence


async def read_pages(state: CallState, runtime: GateRuntime) -> AnyResult:
    """The read of a call: its answer, or its list with where it goes on."""
    paging = state.bound.binding.paging
    if paging is None:
        answer = await _request(state, runtime, {})
        return _whole(state, answer)
    of, given = _list_id(state), state.options.page_token
    try:
        cursor = (
            Cursor()
            if given is None
            else read_cursor(given, of, size_max=paging.size_max, is_number=paging.style != "token")
        )
    except InvalidCursor as error:
        return Refused(
            code=Reason.ARGUMENTS_INVALID, reason=f"page_token: {error}", hint="start the list again"
        )
    return await _list(state, runtime, paging, cursor, of)


def _list_id(state: CallState) -> str:
    """Names the list that a cursor belongs to: what is asked, of whom, as whom, by whom and in which conversation."""
    identity = state.identity.value if state.identity is not None else ""
    ctx = state.ctx
    whose = [ctx.app, identity, ctx.actor.user, ctx.session]
    asked = [state.bound.entry.name, whose, state.arguments, state.context_values]
    return sha256_of(asked)[:16]


async def _list(state: CallState, runtime: GateRuntime, paging: Paging, cursor: Cursor, of: str) -> AnyResult:
    # A cursor counts within pages of its own size, none sent included.
    size = _page_size(state, paging) if state.options.page_token is None else cursor.size
    reading = _Reading()
    seen: set[str] = set()
    place: Cursor | None = Cursor(token=cursor.token, skip=cursor.skip, size=size)
    while place is not None:
        seen.add(place.token)
        answer = await _request(state, runtime, _slots(paging, place))
        reading.bytes += len(answer.data) if isinstance(answer, Body) else 0
        problem = _take(state, runtime, reading, paging, place, answer)
        if problem is not None:
            if not reading.starts:
                return problem
            reading.stopped = _sentence(problem)
            break
        place = reading.following
        if place is not None and place.token in seen:
            reading.stop("the platform gave the same page token twice")
        elif place is not None and not is_token(place.token):
            reading.stop("the platform gave a page token that nobody can send back")
        is_one_page = not state.options.fetch_all or len(reading.starts) >= MOST_PAGES
        if reading.following is None or is_one_page or _is_enough(state, runtime, reading):
            break
    return _answer(state, runtime, reading, of)


def _page_size(state: CallState, paging: Paging) -> int | None:
    if paging.size is None:
        return None
    wanted = state.options.page_size
    if wanted is None and state.options.fetch_all:
        wanted = paging.size_max
    if wanted is None and paging.is_stated:
        wanted = USUAL_SIZE
    if wanted is not None and paging.size_max is not None:
        wanted = min(wanted, paging.size_max)
    return wanted


def _slots(paging: Paging, place: Cursor) -> dict[str, Any]:
    slots: dict[str, Any] = {}
    if place.token:
        slots[paging.token] = place.token if paging.style == "token" else int(place.token)
    elif paging.is_stated and paging.style != "token":
        slots[paging.token] = _START[paging.style]
    if paging.size is not None and place.size is not None:
        slots[paging.size] = place.size
    return slots


async def _request(state: CallState, runtime: GateRuntime, slots: dict[str, Any]) -> Any:
    assert state.draft is not None
    tool = state.bound
    filling = Filling(slots={**state.context_values, **slots}, files=state.files)
    calls = tool.encoder.complete(state.draft, state.arguments, filling)
    if tool.binding.routine is not None:
        return await runtime.sender.run_routine(state, calls, state.left_s(runtime.deadline_s))
    return await runtime.sender.send(state, calls["main"], state.left_s(runtime.deadline_s))


def _decoded(state: CallState, answer: Any, decode: Callable[[bytes], Any] = decode_data) -> Any | Failed:
    if not isinstance(answer, Body):
        if isinstance(answer, Unanswered):
            return unanswered(answer)
        return failed(answer) if isinstance(answer, Failure) else answer
    if answer.is_file:
        return answer
    try:
        return decode(answer.data) if answer.data else {}
    except ValueError as error:
        return _unreadable(error)


def _unreadable(error: ValueError) -> Failed:
    return Failed(code="bad_answer", category="server", message=str(error), retryable=True)


def _whole(state: CallState, answer: Any) -> AnyResult:
    data = _decoded(state, answer)
    if isinstance(data, Failed):
        return data
    if isinstance(data, Body):
        return Ok(data=data)
    projected = state.bound.projector.project(data)
    return Ok(data=projected.data, drift=projected.drift)


def _take(
    state: CallState, runtime: GateRuntime, reading: _Reading, paging: Paging, place: Cursor, answer: Any
) -> Failed | None:
    """Add a page to what was read, as far as it may leave; the failure when there is none."""
    budget = budget_of(state, runtime)
    items_apart = state.bound.list_decoder if budget is not None else None
    data = _decoded(state, answer, items_apart.decode if items_apart is not None else decode_data)
    if isinstance(data, Failed):
        return data
    name, start, skip = state.bound.items_field or "", len(reading.items), place.skip
    try:
        for part in in_parts(data, paging.items):
            projected = state.bound.projector.project(part)
            items = projected.data.get(name)
            items = items if isinstance(items, list) else []
            if not reading.starts and len(reading.items) == start:
                reading.data = projected.data
            reading.add(items[skip:], budget)
            skip -= min(skip, len(items))
            reading.drift += projected.drift
            # Inside a page only an item that does not leave shows that there are more.
            if _is_enough(state, runtime, reading) and _kept(state, runtime, reading) < len(reading.items):
                break
    except ValueError as error:
        del reading.items[start:]
        return _unreadable(error)
    reading.starts.append((start, place))
    # Counted as the platform counts: an item that did not fit its declaration is one of its items all the same.
    raw = value_at(data, paging.items)
    reading.following = _following(paging, place, data, len(raw) if isinstance(raw, list) else 0)
    return None


def _following(paging: Paging, place: Cursor, data: Any, count: int) -> Cursor | None:
    more = value_at(data, paging.more) if paging.more is not None else None
    if more is False:
        return None
    if paging.style == "token":
        token = value_at(data, paging.next) if paging.next is not None else None
        if token is None or token == "":
            return None
        return Cursor(token=str(token), size=place.size)
    if count == 0 or (more is None and place.size is not None and count < place.size):
        return None
    start = int(place.token) if place.token else _START[paging.style]
    step = count if paging.style == "offset" else 1
    return Cursor(token=str(start + step), size=place.size)


def _is_enough(state: CallState, runtime: GateRuntime, reading: _Reading) -> bool:
    most, budget = state.options.max_items, budget_of(state, runtime)
    if (most is not None and len(reading.items) >= most) or reading.bytes >= MOST_BYTES:
        return True
    return budget is not None and reading.chars - 1 > budget


def _kept(state: CallState, runtime: GateRuntime, reading: _Reading) -> int:
    """How many of the items that were read may leave."""
    most, budget = state.options.max_items, budget_of(state, runtime)
    kept = len(reading.items) if most is None else min(most, len(reading.items))
    if budget is None:
        return kept
    # What could not leave anyway is not looked at by the steps that follow.
    return min(kept, max(1, fitting(reading.items[:kept], budget)))


def _answer(state: CallState, runtime: GateRuntime, reading: _Reading, of: str) -> Ok[Any]:
    """What was read, with the cursor of what was not."""
    name = state.bound.items_field or ""
    kept = _kept(state, runtime, reading)
    data = {**reading.data, name: reading.items[:kept]} if name else reading.data
    drift = tuple(dict.fromkeys(reading.drift))[:DRIFT_MOST]
    if reading.stopped:
        drift = (*drift, f"the list stopped early: {reading.stopped}")
    state.cursor_at = lambda count: cursor_after(
        reading.starts, reading.following, len(reading.items), count, of
    )
    following = state.cursor_at(kept)
    return Ok(data=data, page=Page(next=following), truncated=kept < len(reading.items), drift=drift)


def cursor_after(
    starts: list[tuple[int, Cursor]], following: Cursor | None, total: int, count: int, of: str
) -> str | None:
    """The cursor with which a list goes on after its first `count` items; None when that was all of it."""
    if count >= total:
        return write_cursor(following, of) if following is not None else None
    # Of several that start there the last: the others were empty.
    first, place = next(one for one in reversed(starts) if one[0] <= count)
    return write_cursor(Cursor(token=place.token, skip=place.skip + count - first, size=place.size), of)


def _sentence(problem: Failed) -> str:
    """Without the platform's message: it has not been sanitised, and the next call will tell it."""
    return f"a later page failed with {problem.code}"
