"""Who calls, for whom, and the one method through which typed calls go."""

from typing import Protocol, TypeVar

from msgspec import UNSET, Struct, UnsetType

from placet.contract.result import Result
from placet.contract.tool import Tool
from placet.contract.words import Identity

__all__ = ["Actor", "CallContext", "Caller"]

A = TypeVar("A")
R = TypeVar("R")


class Actor(Struct, frozen=True, kw_only=True):
    """The person on whose behalf a call is made, as the door authenticated them.

    Attributes:
        user: The platform's id of the person; None when nobody is known.
        ids: Kind to id, where a platform knows one person by several.
    """

    user: str | None = None
    ids: dict[str, str] = {}


class CallContext(Struct, frozen=True, kw_only=True):
    """What a host knows about a call and a model can never set.

    Attributes:
        app: The tenant's app id.
        session: The conversation; `turn` the turn within it. Where no person is known, it owns the caller's
            idempotency keys, and without it the run does.
        run, call: An agent's run and the id of its call within it: the same two are the same write.
        result_chars: Budget of this call's result in characters of JSON; None is off, UNSET the policy's.
    """

    app: str
    identity: Identity = Identity.TENANT
    actor: Actor = Actor()
    session: str | None = None
    turn: str | None = None
    run: str | None = None
    call: str | None = None
    result_chars: int | UnsetType | None = UNSET


class Caller(Protocol):
    """Takes a typed call through the gate; never raises for an expected answer."""

    async def invoke(self, tool: Tool[A, R], ctx: CallContext, args: A) -> Result[R]: ...
