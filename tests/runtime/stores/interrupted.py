"""Connections whose commit, or whose database, fails where a test says."""

from collections.abc import Mapping
from typing import Any

from placet.stores.sql.session import Connection, Statement

__all__ = ["Interrupted", "Switch"]


class Switch:
    """What goes wrong next: "" nothing, "before" the commit is lost, "after" its answer is, "down" no connection."""

    def __init__(self) -> None:
        self.fault = ""
        self.connections = 0


class Interrupted:
    """A connection that fails as its switch says, once."""

    def __init__(self, inner: Connection, switch: Switch) -> None:
        self._inner = inner
        self._switch = switch
        switch.connections += 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def run(self, statement: Statement, values: Mapping[str, Any]) -> int:
        return self._inner.run(statement, values)

    def commit(self) -> None:
        fault, self._switch.fault = self._switch.fault, ""
        if fault == "before":
            self._inner.close()
            raise ConnectionError("gone before the commit")
        self._inner.commit()
        if fault == "after":
            raise ConnectionError("gone after the commit")
