"""Runs: what an engine must remember of a turn so that any process can go on with it.

A run holds no snapshot of the loop. What the loop did stands in the session; what it waits for stands here as call and
approval ids. A run goes on by putting the outputs behind their calls and letting the model read on.
"""

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from placet.contract.call import CallContext
from placet.contract.documents import Document, ListDocuments, LookUpDocument, SwapDocument
from placet.contract.stores import Operation, TruthStore
from placet.sealing import Sealer

__all__ = ["OwnershipLost", "PendingCall", "Run", "Runs", "Used", "Wanted"]

KIND = "run"

Status = Literal["running", "suspended", "resuming", "done", "failed"]


class OwnershipLost(Exception):
    """Another process has moved this run; whatever this one has found out is not the run's any more."""


class Wanted(Struct, frozen=True, kw_only=True):
    """A call at which the loop stopped, for somebody to decide about."""

    call_id: str
    tool: str
    arguments: str


class PendingCall(Struct, frozen=True, kw_only=True):
    """A call whose output waits for a person's decision."""

    call_id: str
    tool: str
    approval_id: str


class Used(Struct, frozen=True, kw_only=True):
    """What a run has cost so far."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0

    def plus(self, other: "Used") -> "Used":
        return Used(
            requests=self.requests + other.requests,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            calls=self.calls + other.calls,
        )


class Run(Struct, frozen=True, kw_only=True):
    """One turn, from a person's message to the reply, however many processes it took.

    Attributes:
        ctx: Who asked, where: as the door authenticated them, never as a decision's click did.
        text: What the person said.
        savepoint: Items of the session that stand, whatever this attempt adds.
        wanted: Calls that the loop has stopped at and nobody has taken to the gate yet, or not to the end: under their
            own ids they may go there again.
        answers: Call id to output, of calls that are answered and not yet told to the model.
        until: When whoever moves it is held to be dead; None while nobody does.
        attempts: How often it was begun or taken up again without a step forward.
    """

    id: str
    ctx: CallContext
    model: str
    text: str
    status: Status
    started_at: float
    savepoint: int
    wanted: tuple[Wanted, ...] = ()
    pending: tuple[PendingCall, ...] = ()
    answers: dict[str, str] = {}
    used: Used = Used()
    until: float | None = None
    attempts: int = 1
    reply: str = ""
    version: int = 0

    @property
    def conversation(self) -> str:
        return self.ctx.session or ""


class Runs:
    """Runs in the truth store, sealed: they hold what people said and what tools answered."""

    def __init__(self, store: TruthStore, sealer: Sealer, *, now: Callable[[], float]) -> None:
        self._store, self._sealer, self._now = store, sealer, now

    async def save(self, run: Run, *beside: Operation) -> tuple[Run, tuple[object, ...]]:
        """Store the next version, with what must be durable with it; the run as it now is, and the others' answers.

        Raises:
            OwnershipLost: another process moved it first. What stood beside it was applied nevertheless: it is to be
                such that it may.
        """
        new = replace(run, version=run.version + 1)
        document = Document(
            kind=KIND,
            id=run.id,
            tenant=run.ctx.app,
            group=run.conversation,
            state=run.status,
            due_at=run.until,
            version=new.version,
            body=self._sealer.seal(msgspec.json.encode(new), place=run.id),
        )
        swap = SwapDocument(kind=KIND, id=run.id, version=run.version, document=document)
        swapped, *others = await self._store.apply(swap, *beside)
        if not swapped:
            raise OwnershipLost(run.id)
        return new, tuple(others)

    async def get(self, identifier: str) -> Run | None:
        (found,) = await self._store.apply(LookUpDocument(kind=KIND, id=identifier))
        return None if found is None else self._opened(found)

    async def abandoned(self) -> list[Run]:
        """Runs that somebody was moving and whose time is over."""
        asked = ListDocuments(kind=KIND, states=("running", "resuming"), due_by=self._now())
        return await self._listed(asked)

    async def suspended(self, most: int = 1000) -> list[Run]:
        """Runs that wait for decisions."""
        return await self._listed(ListDocuments(kind=KIND, states=("suspended",), most=most))

    async def waiting_calls(self, app: str, conversation: str) -> frozenset[str]:
        """Ids of the calls in a conversation that wait for a person."""
        asked = ListDocuments(kind=KIND, tenant=app, group=conversation, states=("suspended",))
        return frozenset(call.call_id for run in await self._listed(asked) for call in run.pending)

    async def _listed(self, asked: ListDocuments) -> list[Run]:
        (found,) = await self._store.apply(asked)
        return [self._opened(one) for one in found]

    def _opened(self, document: Document) -> Run:
        run = msgspec.json.decode(self._sealer.open(document.body, place=document.id), type=Run)
        # The row's version is the store's, whatever a body says.
        return replace(run, version=document.version)
