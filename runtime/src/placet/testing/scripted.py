"""A model that follows a script over what it has been shown: for demonstrations and tests, without a network."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from agents import ModelResponse, Usage
from agents.models.interface import Model
from agents.testing import assistant_message, function_call

__all__ = ["Call", "Scripted", "Step"]

Call = tuple[str, dict[str, Any]]
"""A wire name and its arguments."""

Step = Callable[[list[Any]], "Call | str"]
"""From the results the conversation has so far, oldest first, to the next call or the reply."""


class Scripted(Model):
    """One step for each request it gets, in order; past its end it repeats the last one.

    Raises:
        ValueError: there is no step.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        if not steps:
            raise ValueError("a script has at least one step")
        self._steps, self._at = steps, 0

    async def get_response(
        self, system_instructions: Any, input: Any, *arguments: Any, **named: Any
    ) -> ModelResponse:
        items = input if isinstance(input, list) else []
        results = [_read(one["output"]) for one in items if one.get("type") == "function_call_output"]
        step = self._steps[min(self._at, len(self._steps) - 1)]
        self._at += 1
        said = step(results)
        output = (
            assistant_message(said)
            if isinstance(said, str)
            else function_call(said[0], json.dumps(said[1], ensure_ascii=False), call_id=f"call_{self._at}")
        )
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *arguments: Any, **named: Any) -> Any:
        """A script is not streamed.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("a script answers at once; do not stream it")


def _read(output: str) -> Any:
    """The result as its tool gave it; the loop's own words, such as that there is no such tool, stay text."""
    try:
        return json.loads(output)
    except ValueError:
        return output
