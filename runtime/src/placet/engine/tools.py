"""The gate's tools as the loop knows them. Whatever the loop decides, a call is made by the gate or not at all."""

import logging
from collections.abc import Iterable
from typing import Any

from agents import FunctionTool
from msgspec.structs import replace

from placet.contract.call import CallContext
from placet.contract.tool import ToolEntry
from placet.gate import Gate
from placet.rendering import for_model

__all__ = ["call_of", "enabled_tools", "function_tools"]

_BROKEN = '{"kind":"failed","code":"runtime","message":"the call could not be made; the operator sees why"}'


def enabled_tools(gate: Gate, names: Iterable[str] | None = None) -> tuple[ToolEntry, ...]:
    """What the policy has on and this runtime can do, by name.

    Args:
        names: Only these; None is all.
    """
    runtime = gate.runtime
    wanted = None if names is None else frozenset(names)
    return tuple(
        entry
        for name, entry in sorted(runtime.catalogue.entries.items())
        if runtime.rules.is_on(name)
        and (wanted is None or name in wanted)
        and (entry.source.http is not None or runtime.catalogue.bind(entry).binding.local in runtime.locals)
    )


def function_tools(gate: Gate, entries: Iterable[ToolEntry], *, locale: str = "en") -> list[FunctionTool]:
    """One tool each, its schema as curated. A write stops the loop, so that the engine can propose it."""
    return [_tool(gate, entry, locale) for entry in entries]


def call_of(ctx: CallContext, run: str, call: str) -> CallContext:
    """The context of one call of a run: the same two ids are the same write, whoever asks again."""
    return replace(ctx, turn=run, run=run, call=call)


def _tool(gate: Gate, entry: ToolEntry, locale: str) -> FunctionTool:
    record = gate.runtime.catalogue.record(entry)
    wire = record["wire" if locale == "en" else f"wire_{locale}"]

    async def invoke(context: Any, arguments: str) -> str:
        try:
            run, ctx = context.context
            return for_model(await gate.call(entry.name, arguments, call_of(ctx, run, context.tool_call_id)))
        except Exception as error:
            # A tool that raises would end the run, and its text would reach the model.
            logging.getLogger("placet.engine").error("a call broke", exc_info=error)
            return _BROKEN

    return FunctionTool(
        name=wire["name"],
        description=wire["description"],
        params_json_schema=wire["inputSchema"],
        on_invoke_tool=invoke,
        # A strict schema would close open objects and make every argument required; the gate validates.
        strict_json_schema=False,
        needs_approval=entry.risk.is_write,
    )
