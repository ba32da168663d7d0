"""What a call comes back as: exactly one of five kinds, never an exception for an expected answer."""

from typing import Any, Generic, Literal, NoReturn, TypeVar

from msgspec import Struct

from placet.contract.errors import CallFailed

__all__ = ["Failed", "Ok", "Page", "Pending", "Refused", "Result", "Unknown"]

T = TypeVar("T")


class Page(Struct, frozen=True, kw_only=True):
    """Where a list continues: send `next` as `page_token`; None means that this was the end."""

    next: str | None = None


class Ok(Struct, Generic[T], frozen=True, kw_only=True, tag="ok", tag_field="kind"):
    """The call was made (or, with `dry_run`, would be) and `data` is what may leave.

    Attributes:
        truncated: True when whole items were left out to fit the budget; `page` says how to get the rest.
        replayed: True when this is the stored result of an earlier identical call.
        drift: Places of the answer that did not fit the declared output.
        withheld: Why data was withheld after a write was sent.
    """

    data: T
    page: Page | None = None
    truncated: bool = False
    replayed: bool = False
    dry_run: bool = False
    drift: tuple[str, ...] = ()
    withheld: str | None = None

    @property
    def kind(self) -> Literal["ok"]:
        return "ok"

    def unwrap(self) -> T:
        return self.data


class _NotOk(Struct, frozen=True, kw_only=True):
    def unwrap(self) -> NoReturn:
        """Always raises.

        Raises:
            CallFailed: carries this result in `result`.
        """
        raise CallFailed(self)


class Refused(_NotOk, frozen=True, kw_only=True, tag="refused", tag_field="kind"):
    """Nothing was sent. `code` is stable; `hint` is the next move."""

    code: str
    reason: str
    hint: str = ""

    @property
    def kind(self) -> Literal["refused"]:
        return "refused"


class Pending(_NotOk, frozen=True, kw_only=True, tag="pending", tag_field="kind"):
    """A person must approve or authorise first. `view` is what that person sees."""

    id: str
    needs: Literal["approval", "authorisation"]
    view: dict[str, Any] = {}

    @property
    def kind(self) -> Literal["pending"]:
        return "pending"


class Failed(_NotOk, frozen=True, kw_only=True, tag="failed", tag_field="kind"):
    """The platform answered with an error.

    Attributes:
        category: A neutral word: `missing_scope`, `rate_limited`, `not_found` ...
        retry_after_s: Seconds; None when the platform did not say.
        missing_scopes: What to grant, and `grant_url` where.
        violations: Field to rule, as the platform names them.
    """

    code: str
    category: str
    message: str = ""
    retryable: bool = False
    retry_after_s: float | None = None
    log_id: str | None = None
    missing_scopes: tuple[str, ...] = ()
    grant_url: str | None = None
    violations: dict[str, str] = {}

    @property
    def kind(self) -> Literal["failed"]:
        return "failed"


class Unknown(_NotOk, frozen=True, kw_only=True, tag="unknown", tag_field="kind"):
    """A write was sent and no answer came. It may have happened; it is not sent again."""

    id: str
    reason: str

    @property
    def kind(self) -> Literal["unknown"]:
        return "unknown"


Result = Ok[T] | Refused | Pending | Failed | Unknown
