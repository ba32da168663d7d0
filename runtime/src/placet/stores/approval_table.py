"""Each approval operation over a table of rows, whatever keeps the table. The rules are `approval_rules`."""

from collections.abc import Sequence
from typing import Any, Protocol

from placet.contract.approvals import (
    ApprovalRow,
    ApprovalState,
    DecideApproval,
    ExpireApprovals,
    ListApprovals,
    LookUpApproval,
    ProposeApproval,
    ResolveApproval,
    SettleApproval,
    SwapApproval,
    TakeOverApprovals,
)
from placet.contract.stores import ApprovalOperation
from placet.stores import approval_rules

__all__ = ["ApprovalTable", "MemoryTable", "answer"]


class ApprovalTable(Protocol):
    """Rows inside one transaction. What a method returned nobody else changes before it ends."""

    def alone(self, tenant: str) -> None:
        """Wait until no other proposal of this tenant is being made."""
        ...

    def get(self, identifier: str) -> ApprovalRow | None: ...

    def look_up(self, identifier: str) -> ApprovalRow | None:
        """The row as it was last stored; somebody else may be changing it."""
        ...

    def waiting(self, row: ApprovalRow) -> Sequence[ApprovalRow]:
        """Waiting rows of the same tenant and of the same conversation, requester or operation."""
        ...

    def due(self, state: ApprovalState, at: float, most: int) -> Sequence[ApprovalRow]:
        """Waiting rows whose time, or executing rows whose lease, is over at that moment; the oldest first."""
        ...

    def listed(self, asked: ListApprovals) -> Sequence[ApprovalRow]: ...

    def put(self, row: ApprovalRow) -> None: ...

    def drop(self, identifier: str) -> None: ...


def answer(table: ApprovalTable, operation: ApprovalOperation) -> Any:
    """Apply one operation and say what its docstring promises."""
    match operation:
        case ProposeApproval():
            table.alone(operation.row.tenant)
            proposed, changed = approval_rules.proposed(operation, table.waiting(operation.row))
            for one in changed:
                table.put(one)
            return proposed
        case DecideApproval():
            decided, moved = approval_rules.decided(table.get(operation.id), operation)
            if moved is not None:
                table.put(moved)
            return decided
        case SettleApproval():
            return _kept(table, approval_rules.settled(table.get(operation.id), operation))
        case ResolveApproval():
            return _kept(table, approval_rules.resolved_approval(table.get(operation.id), operation))
        case TakeOverApprovals():
            due = table.due("executing", operation.at, operation.most)
            taken = [row for old in due if (row := approval_rules.taken_over(old, operation)) is not None]
            for one in taken:
                table.put(one)
            return tuple(taken)
        case ExpireApprovals():
            due = table.due("awaiting_confirmation", operation.at, operation.most)
            gone = tuple(approval_rules.expired(row) for row in due)
            for one in gone:
                table.put(one)
            return gone
        case SwapApproval():
            return _swapped(table, operation)
        case LookUpApproval():
            return table.look_up(operation.id)
        case ListApprovals():
            return tuple(table.listed(operation))


def _kept(table: ApprovalTable, row: ApprovalRow | None) -> bool:
    if row is None:
        return False
    table.put(row)
    return True


def _swapped(table: ApprovalTable, asked: SwapApproval) -> bool:
    row = table.get(asked.id)
    if (row.version if row is not None else 0) != asked.version:
        return False
    if asked.row is not None:
        table.put(asked.row)
    elif row is not None:
        table.drop(asked.id)
    return True


class MemoryTable:
    """Rows in a dictionary, seen through what one transaction has changed.

    Attributes:
        changed: Id to new row, None for a dropped one; `apply` makes it last.
    """

    def __init__(self, rows: dict[str, ApprovalRow]) -> None:
        self._rows = rows
        self.changed: dict[str, ApprovalRow | None] = {}

    def apply(self) -> None:
        for identifier, row in self.changed.items():
            if row is None:
                self._rows.pop(identifier, None)
            else:
                self._rows[identifier] = row

    def alone(self, tenant: str) -> None:
        """Nothing runs beside a transaction in memory."""

    def get(self, identifier: str) -> ApprovalRow | None:
        if identifier in self.changed:
            return self.changed[identifier]
        return self._rows.get(identifier)

    def look_up(self, identifier: str) -> ApprovalRow | None:
        return self.get(identifier)

    def waiting(self, row: ApprovalRow) -> list[ApprovalRow]:
        return [
            other
            for other in self._all()
            if other.state == "awaiting_confirmation"
            and other.tenant == row.tenant
            and (
                other.conversation == row.conversation
                or other.requester == row.requester
                or (row.op_key != "" and other.op_key == row.op_key)
            )
        ]

    def due(self, state: ApprovalState, at: float, most: int) -> list[ApprovalRow]:
        ends = [
            (row.lease_until if state == "executing" else row.expires_at, row)
            for row in self._all()
            if row.state == state
        ]
        over = sorted((pair for pair in ends if pair[0] <= at), key=lambda pair: (pair[0], pair[1].id))
        return [row for _, row in over[:most]]

    def listed(self, asked: ListApprovals) -> list[ApprovalRow]:
        found = [
            row
            for row in self._all()
            if row.tenant == asked.tenant
            and (asked.states is None or row.state in asked.states)
            and (not asked.digest or row.digest == asked.digest)
            and (asked.before is None or row.proposed_at < asked.before)
        ]
        found.sort(key=lambda row: (row.proposed_at, row.id), reverse=True)
        return found[: asked.most]

    def put(self, row: ApprovalRow) -> None:
        self.changed[row.id] = row

    def drop(self, identifier: str) -> None:
        self.changed[identifier] = None

    def _all(self) -> list[ApprovalRow]:
        return [row for row in {**self._rows, **self.changed}.values() if row is not None]
