"""A result as a model reads it: one JSON object on one line, the same at every door that feeds a model."""

import json
from typing import Any

import msgspec

from placet.contract.result import Ok, Pending, Result

__all__ = ["for_model"]

_NEXT = {
    "approval": "a person must approve this call; it is not made yet, and calling again changes nothing",
    "authorisation": "the person must log in first; tell them, and call again afterwards",
}


def for_model(result: Result[Any]) -> str:
    """The result as JSON text; data that is worth a model's attention, and nothing that is empty."""
    told: dict[str, Any] = {"kind": result.kind}
    if isinstance(result, Pending):
        told |= {"id": result.id, "needs": result.needs, "next": _NEXT[result.needs]}
        if result.needs == "authorisation":
            told |= result.view
    else:
        fields = msgspec.to_builtins(result)
        told |= {name: value for name, value in fields.items() if value not in (None, False, "", [], {}, ())}
        if isinstance(result, Ok):
            told.setdefault("data", {})
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))
