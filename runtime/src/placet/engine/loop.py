"""One stretch of the Agents SDK's loop: until the model has replied, or wants what a person must decide."""

from collections.abc import Awaitable, Callable
from typing import Any

from agents import Agent, RunConfig, Runner, ToolExecutionConfig
from agents.memory import SessionInputCallback
from agents.models.interface import Model
from msgspec import Struct

from placet.contract.call import CallContext
from placet.engine.models import FreshIds
from placet.engine.pairing import paired
from placet.engine.runs import Used, Wanted

__all__ = ["Listener", "Loop", "Stretch"]

Listener = Callable[[dict[str, Any]], Awaitable[None]]
"""Hears of text as it comes and of tools as they begin and end; what it raises ends nothing."""

OVER = "I stopped here: this turn took more steps than it may. Tell me how to go on."


class Stretch(Struct, frozen=True):
    """How it ended: with a reply, or with calls that somebody must decide about."""

    reply: str
    wanted: tuple[Wanted, ...]
    used: Used


class Loop:
    """An agent over the gate's tools.

    Args:
        tools: As `function_tools` makes them.
    """

    def __init__(
        self,
        model: Model,
        *,
        instructions: str,
        tools: list[Any],
        concurrency: int = 4,
        session_input_callback: SessionInputCallback | None = None,
    ) -> None:
        self._model = FreshIds(model)
        self._agent: Agent[Any] = Agent(
            name="placet", instructions=instructions, tools=tools, model=self._model
        )
        self._config = RunConfig(
            # The SDK's own tracing sends tool inputs and outputs to its maker by default.
            tracing_disabled=True,
            trace_include_sensitive_data=False,
            tool_not_found_behavior="return_error_to_model",
            tool_name_collision_policy="error",
            tool_execution=ToolExecutionConfig(
                max_function_tool_concurrency=concurrency, pre_approval_tool_input_guardrails=True
            ),
            session_input_callback=session_input_callback,
            call_model_input_filter=_in_order,
        )

    async def close(self) -> None:
        """Let the model's connections go."""
        await self._model.close()

    async def go_on(
        self,
        text: str | None,
        session: Any,
        *,
        run: str,
        ctx: CallContext,
        most: int,
        listener: Listener | None = None,
    ) -> Stretch:
        """Run until a reply or an interruption.

        Args:
            most: Model requests; a model that goes on is answered by the limit, never by an exception.
            text: What a person said, always as a person's words; None continues from the session as it stands.
        """
        given: Any = [] if text is None else text
        options: dict[str, Any] = {
            "context": (run, ctx),
            "session": session,
            "run_config": self._config,
            "max_turns": most,
            "error_handlers": {"max_turns": lambda _: OVER},
        }
        result: Any
        if listener is None:
            result = await Runner.run(self._agent, given, **options)
        else:
            result = Runner.run_streamed(self._agent, given, **options)
            async for event in result.stream_events():
                await _tell(listener, event)
        wanted = tuple(
            Wanted(call_id=one.call_id, tool=one.tool_name, arguments=one.arguments or "{}")
            for one in result.interruptions
        )
        usage = result.context_wrapper.usage
        calls = sum(item.type == "tool_call_item" for item in result.new_items)
        used = Used(
            requests=len(result.raw_responses),
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            calls=calls,
        )
        return Stretch("" if wanted else str(result.final_output or ""), wanted, used)


def _in_order(data: Any) -> Any:
    """The model's input with each output behind its call, whatever a session or a callback did to it."""
    data.model_data.input = paired(data.model_data.input)
    return data.model_data


async def _tell(listener: Listener, event: Any) -> None:
    told: dict[str, Any] | None = None
    if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
        told = {"type": "text", "delta": event.data.delta}
    elif event.type == "run_item_stream_event" and event.name in ("tool_called", "tool_output"):
        raw = event.item.raw_item
        field = raw.get if isinstance(raw, dict) else lambda name, default=None: getattr(raw, name, default)
        told = {
            "type": "tool_started" if event.name == "tool_called" else "tool_finished",
            "call_id": field("call_id"),
            **({"tool": field("name")} if event.name == "tool_called" else {}),
        }
    if told is not None:
        try:
            await listener(told)
        except Exception:
            return
