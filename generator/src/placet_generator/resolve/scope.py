"""What every step of the resolver sees: the inputs, the report, and the place it speaks of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from placet.contract.names import PlatformNames
from placet_generator.catalogue import Catalogue, Method
from placet_generator.curation.loader import Curation
from placet_generator.curation.models import DomainFile, ToolEntry, Triple
from placet_generator.curation.yaml_text import YamlDocument
from placet_generator.diagnostics import Code, Diagnostic, Severity, Span
from placet_generator.ir import Texts
from placet_generator.witness.model import EndpointFacts
from placet_generator.witness.reader import Witness

Part = str | int


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything the resolver may read."""

    curation: Curation
    catalogue: Catalogue
    supplements: Mapping[str, Catalogue]
    witness: Witness
    names: PlatformNames


class At(NamedTuple):
    """A place in a curation file."""

    document: YamlDocument
    path: tuple[Part, ...] = ()

    def sub(self, *parts: Part) -> "At":
        return At(self.document, (*self.path, *parts))

    def span(self, *, key: bool = False) -> Span:
        return self.document.span(self.path, key=key)


_SHARED: tuple[tuple[Part, ...], ...] = (("parameters",), ("shapes",))


@dataclass(slots=True)
class Report:
    """Collects findings; nothing is printed and nothing stops.

    What several tools find in a shared declaration is told once.
    """

    found: list[Diagnostic] = field(default_factory=list)
    _told: set[tuple[Span, Code]] = field(default_factory=set)

    def error(self, code: Code, at: At | Span, message: str, hint: str, related: Sequence[Span] = ()) -> None:
        self._add(code, at, at.span() if isinstance(at, At) else at, message, hint, related)

    def at_key(self, code: Code, at: At, message: str, hint: str) -> None:
        self._add(code, at, at.span(key=True), message, hint, ())

    def _add(
        self, code: Code, at: At | Span, span: Span, message: str, hint: str, related: Sequence[Span]
    ) -> None:
        if isinstance(at, At) and at.path[:1] in _SHARED:
            if (span, code) in self._told:
                return
            self._told.add((span, code))
        self.found.append(Diagnostic(span, code, message, hint, related=tuple(related)))

    def note(self, code: Code, at: At, message: str, hint: str = "") -> None:
        self.found.append(Diagnostic(at.span(key=True), code, message, hint, Severity.NOTE))


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedCall:
    """One request of a tool: the method it names, and what the witness knows about it."""

    name: str
    sdk: str
    triple: Triple
    method: Method
    facts: EndpointFacts | None
    at: At


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolScope:
    """One tool while it is resolved."""

    inputs: Inputs
    report: Report
    domain: DomainFile
    key: str
    entry: ToolEntry
    at: At
    calls: tuple[ResolvedCall, ...]
    exceptions: "Exceptions"
    tables: Mapping[str, "TextTable"]
    open_shapes: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return f"{self.domain.domain}.{self.key}"

    @property
    def is_routine(self) -> bool:
        return self.entry.routine is not None

    @property
    def texts(self) -> "TextTable":
        return self.tables[self.domain.domain]

    def parameter(self, name: str) -> At:
        """Where a parameter is declared: in the tool, or shared in the domain."""
        if self.entry.parameters[name] == "shared":
            return At(self.at.document, ("parameters", name))
        return self.at.sub("parameters", name)


_MANY_VALUES = frozenset({"enum", "scopes"})
"""Checks that may find several values at one place, so that a value says which finding an exception means."""


class Exceptions:
    """A tool's exceptions: each excuses one finding of one value, and must excuse one."""

    def __init__(self, entry: ToolEntry, at: At) -> None:
        self._entries, self._at = entry.exceptions, at.sub("exceptions")
        self._used: set[int] = set()
        self._changed: dict[int, str] = {}

    def excuse(self, check: str, place: str, value: str) -> bool:
        """True when an exception covers this finding.

        Where a place has one value only, an exception for another value covers it too, and is itself reported.
        """
        for index, one in enumerate(self._entries):
            if (one.check, one.at, one.value) == (check, place, value):
                self._used.add(index)
                return True
        for index, one in enumerate(self._entries):
            if (one.check, one.at) == (check, place) and check not in _MANY_VALUES:
                self._changed[index] = value
                return True
        return False

    def spare(self, place: str) -> None:
        """Do not judge the exceptions at or below a place that a misspelt slot probably means."""
        self._used.update(
            index
            for index, one in enumerate(self._entries)
            if one.at == place or one.at.startswith((f"{place}.", f"{place}["))
        )

    def report_unused(self, report: Report) -> None:
        for index, one in enumerate(self._entries):
            if index in self._changed:
                message = f"excuses {one.value!r}, but there is {self._changed[index]!r}"
                hint = "look at what changed, then correct its value or remove it"
            elif index not in self._used:
                message, hint = f"excuses nothing (value {one.value!r})", "remove it"
            else:
                continue
            what = f"the exception for {one.check} at {one.at!r} {message}"
            report.error(Code.EXCEPTION_UNUSED, self._at.sub(index), what, hint)


class TextTable:
    """Texts of one domain in every locale, by their place in the English file."""

    def __init__(
        self,
        english: Mapping[tuple[str, ...], str],
        overlays: Mapping[str, Mapping[tuple[str, ...], str]],
    ) -> None:
        self.english = english
        self._overlays = overlays

    def at(self, path: Iterable[Part], english: str | None) -> Texts:
        """The text and its translations; empty when there is no English text."""
        if not english:
            return {}
        place = tuple(str(part) for part in path)
        found = {locale: texts[place] for locale, texts in self._overlays.items() if place in texts}
        return {"en": english, **found}


def excuse_hint(check: str, place: str, value: str) -> str:
    """The exception to write, for a finding that may be excused."""
    return f'or write `exceptions: [{{check: {check}, at: "{place}", value: "{value}", because: ...}}]`'
