"""What a model reads about a tool and its arguments, in each language.

Texts keep the curated words; added are the default, the tool a value comes from, an example, and a file's limit.
Tools that a text names appear under the names a model can call.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from placet.contract import canonical_json
from placet_generator.ir import MemberIR, SurfaceIR, Texts, ToolIR

__all__ = ["WireTexts", "english_about", "wire_names_of"]

_TOOL_NAME = re.compile(r"(?<![A-Za-z0-9_.])[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*(?![A-Za-z0-9_])")
_ENDS_A_SENTENCE = tuple(".!?:;)。！？：；）…")
_MIB = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Phrases:
    use_when: str
    avoid_when: str
    default: str
    origin: str
    max_bytes: str
    example: str
    stop: str
    gap: str


_ENGLISH = _Phrases(
    use_when="Use when: ",
    avoid_when="Not when: ",
    default="Default: {}.",
    origin="From {}.",
    max_bytes="At most {}.",
    example="E.g. {}",
    stop=".",
    gap=" ",
)
_CHINESE = _Phrases(
    use_when="适用：",
    avoid_when="不适用：",
    default="默认：{}。",
    origin="来自 {}。",
    max_bytes="最大 {}。",
    example="例：{}",
    stop="。",
    gap="",
)


_GENERATED = {
    "idempotency_key": "Calls with equal keys run once.",
    "dry_run": "Check everything and send nothing.",
    "page_size": "Items a page.",
    "page_token": "Where to continue: `page.next` of the answer before.",
    "fetch_all": "Follow the pages to the end.",
    "max_items": "Stop after this many items.",
}
"""What a developer reads about the arguments that the generator adds. A model reads it once, in the instructions."""


def english_about(member: MemberIR) -> str:
    """What a developer reads about an argument; empty when nothing is said."""
    return member.about.get("en") or _GENERATED.get(member.name, "")


def wire_names_of(surface: SurfaceIR) -> Mapping[str, str]:
    """Canonical name to wire name of every tool."""
    return {tool.name: tool.wire_name for domain in surface.domains for tool in domain.tools}


class WireTexts:
    """The texts of one language, as a model reads them; a text that the language lacks is taken from English."""

    def __init__(self, locale: str, wire_names: Mapping[str, str]) -> None:
        self._locale = locale
        self._wire_names = wire_names
        self._phrases = _CHINESE if locale.startswith("zh") else _ENGLISH

    def plain(self, texts: Texts) -> str:
        """A curated text with the tools it names under their wire names; empty when there is none."""
        text = texts.get(self._locale) or texts.get("en", "")
        return _TOOL_NAME.sub(self._wire_name, text) if "." in text else text

    def description(self, tool: ToolIR) -> str:
        """Summary, then when to use the tool and when not, a line each."""
        lines = [self.plain(tool.summary)]
        if use_when := self.plain(tool.use_when):
            lines.append(self._phrases.use_when + use_when)
        if avoid_when := self.plain(tool.avoid_when):
            lines.append(self._phrases.avoid_when + avoid_when)
        return "\n".join(lines)

    def about(self, member: MemberIR) -> str:
        """What an argument is, and where its value comes from; empty when nothing is said."""
        phrases = self._phrases
        parts = [part for part in (self.plain(member.about),) if part]
        if member.default is not None:
            parts.append(phrases.default.format(_shown(member.default)))
        if member.limits.max_bytes is not None:
            parts.append(phrases.max_bytes.format(_size(member.limits.max_bytes)))
        if (origin := self._origin(member)) is not None:
            parts.append(phrases.origin.format(origin))
        if member.example is not None:
            parts.append(phrases.example.format(_shown(member.example)))
        ended = [part if part.endswith(_ENDS_A_SENTENCE) else part + phrases.stop for part in parts[:-1]]
        return phrases.gap.join([*ended, *parts[-1:]])

    def _origin(self, member: MemberIR) -> str | None:
        """The first tool that gives the value, by its wire name."""
        for place in member.obtain:
            name, is_place, _ = place.partition("#")
            if is_place:
                return self._wire_names.get(name, name)
        return None

    def _wire_name(self, match: re.Match[str]) -> str:
        return self._wire_names.get(match.group(), match.group())


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value).decode()


def _size(size_bytes: int) -> str:
    return f"{size_bytes // _MIB} MiB" if size_bytes % _MIB == 0 else f"{size_bytes} bytes"
