"""Arguments against a tool's schema: the fast validator decides, the complete one explains.

msgspec converts into the tool's struct and stops at the first fault; only then does the complete JSON Schema
validator run, to tell every fault with did-you-mean. A property test proves that both accept the same arguments.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import msgspec

from placet.contract.tool import AnyTool
from placet.contract.words import PAGING_ARGUMENTS, WRITE_ARGUMENTS
from placet.inbound.faults import MOST_FAULTS, Fault

__all__ = ["Validator"]

_RESERVED = frozenset(
    {"approve", "approved", "confirm", "confirmed", "yes", "force", "identity", "app", "tenant"}
)
"""Arguments models invent to consent for people; no door has them, and the refusal says so."""

_NAME_MOST = 64
"""Characters of an unknown name that are compared with the known ones."""


class Validator:
    """Checks the arguments of one tool.

    Args:
        schema: The tool's input schema.
    """

    def __init__(self, tool: AnyTool, schema: Mapping[str, Any]) -> None:
        self._schema, self._args, self._rules = schema, tool.args, tool.binding.rules
        self._complete: Any = None

    def faults(self, arguments: Mapping[str, Any]) -> list[Fault]:
        """Everything wrong with the arguments; empty when they fit."""
        try:
            msgspec.convert(arguments, self._args, strict=True)
        except (msgspec.ValidationError, ValueError) as error:
            found = list(self._explain(arguments))
            return found or [Fault(*_from_msgspec(str(error)))]
        return list(self._rule_faults(arguments)) if self._rules else []

    def _explain(self, arguments: Mapping[str, Any]) -> Iterator[Fault]:
        from placet.inbound.explanation import complete_validator, explain

        if self._complete is None:
            self._complete = complete_validator(self._schema)
        properties = self._schema["properties"]
        unknown = sorted(name for name in arguments if name not in properties)
        yield from (self._unknown(name) for name in unknown[: MOST_FAULTS + 1])
        known = {name: value for name, value in arguments.items() if name in properties}
        yield from explain(self._complete, known, self._schema)
        yield from self._rule_faults(known)

    def _unknown(self, name: str) -> Fault:
        if name in _RESERVED:
            return Fault(
                name, "no argument can consent or choose an identity; a person decides outside the call"
            )
        if name in WRITE_ARGUMENTS:
            return Fault(name, "only writes take it; remove it")
        if name in PAGING_ARGUMENTS:
            return Fault(name, "only lists that continue take it; remove it")
        names = list(self._schema["properties"])
        close = get_close_matches(name[:_NAME_MOST], names, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"the arguments are {', '.join(names) or 'none'}"
        return Fault(name, f"there is no such argument; {hint}")

    def _rule_faults(self, arguments: Mapping[str, Any]) -> Iterator[Fault]:
        for rule in self._rules:
            given = [name for name in rule.arguments if name in arguments]
            if problem := _broken(rule.kind, rule.arguments, given):
                yield Fault("", problem)


def _broken(kind: str, names: Sequence[str], given: Sequence[str]) -> str | None:
    listed = ", ".join(names)
    match kind:
        case "exactly_one" if len(given) != 1:
            return f"give exactly one of {listed}" + (f", not {' and '.join(given)}" if given else "")
        case "at_least_one" if not given:
            return f"give at least one of {listed}"
        case "at_most_one" if len(given) > 1:
            return f"give at most one of {listed}, not {' and '.join(given)}"
        case "all_or_none" if given and len(given) != len(names):
            return f"give all of {listed} or none"
        case _:
            return None


def _from_msgspec(message: str) -> tuple[str, str]:
    """`Expected ... - at `$.a.b`` as a place and a sentence."""
    problem, _, place = message.partition(" - at `")
    return place.strip("`").removeprefix("$").removeprefix("."), problem
