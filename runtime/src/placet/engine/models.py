"""A model behind a law that its server may not keep: no two calls share an id."""

import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

from agents.models.interface import Model

__all__ = ["FreshIds"]


class FreshIds(Model):
    """Gives every call an id of its own.

    Small servers count `call_0`, `call_1` in each answer; the SDK would take the second `call_0` of a conversation for
    the first, and so might a ledger.
    """

    def __init__(self, inner: Model, fresh: Callable[[], str] = lambda: uuid.uuid4().hex) -> None:
        self._inner, self._fresh = inner, fresh

    async def get_response(self, *arguments: Any, **named: Any) -> Any:
        response = await self._inner.get_response(*arguments, **named)
        response.output = self._all_renamed(response.output, {})
        return response

    async def stream_response(self, *arguments: Any, **named: Any) -> AsyncIterator[Any]:
        renamed: dict[int, str] = {}
        event: Any
        async for event in self._inner.stream_response(*arguments, **named):
            changes: dict[str, Any] = {}
            item, response = getattr(event, "item", None), getattr(event, "response", None)
            if item is not None:
                changes["item"] = self._renamed(item, event.output_index, renamed)
            if response is not None and response.output:
                output = self._all_renamed(response.output, renamed)
                changes["response"] = response.model_copy(update={"output": output})
            yield event.model_copy(update=changes) if changes else event

    async def close(self) -> None:
        await self._inner.close()

    def get_retry_advice(self, request: Any) -> Any:
        return self._inner.get_retry_advice(request)

    def _all_renamed(self, items: list[Any], renamed: dict[int, str]) -> list[Any]:
        return [self._renamed(item, at, renamed) for at, item in enumerate(items)]

    def _renamed(self, item: Any, at: int, renamed: dict[int, str]) -> Any:
        """The item under the id of its place in the answer: two calls that share an id are two calls."""
        if getattr(item, "type", None) != "function_call":
            return item
        new = renamed.setdefault(at, f"call_{self._fresh()}")
        return item.model_copy(update={"call_id": new})
