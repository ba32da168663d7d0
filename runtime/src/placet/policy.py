"""A host's rules, checked when they are made, and the authorisers that ship with the runtime."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase

from msgspec import Struct

from placet.contract.errors import PlacetError
from placet.contract.policy import Decision, Policy, Proposal
from placet.contract.refusal import Reason
from placet.contract.tool import ToolEntry
from placet.contract.words import Identity, Risk

__all__ = ["InvalidPolicy", "Rules", "Verdict", "ask_for_writes", "read_only"]


class InvalidPolicy(PlacetError):
    """Options that cannot hold. `faults` names each option, its value and the next move."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("the policy cannot hold:\n" + "\n".join(f"  {one}" for one in faults))
        self.faults = faults


class Verdict(Struct, frozen=True):
    """What the rules say of a tool, whoever calls it: None when it is on, else why it is off."""

    reason: Reason | None = None
    sentence: str = ""
    hint: str = ""


_ON = Verdict()


class Rules:
    """A policy over the tools of a runtime.

    Raises:
        InvalidPolicy: an option is out of range, or names a tool that does not exist.
    """

    def __init__(self, policy: Policy, tools: Mapping[str, ToolEntry]) -> None:
        faults = tuple(_faults(policy, tools))
        if faults:
            raise InvalidPolicy(faults)
        self.policy = policy
        self._tools = tools
        self._verdicts: dict[str, Verdict] = {}
        self._unattended = frozenset(policy.unattended)

    def verdict(self, tool: ToolEntry) -> Verdict:
        """Whether the tool is on at all; the same for every call, so it is worked out once."""
        found = self._verdicts.get(tool.name)
        if found is None:
            found = self._verdicts[tool.name] = self._judge(tool)
        return found

    def is_on(self, name: str) -> bool:
        tool = self._tools.get(name)
        return tool is not None and self.verdict(tool).reason is None

    def identity(self, tool: ToolEntry, wanted: Identity) -> Identity | Verdict | None:
        """The identity a call is made with: the wanted one; None for a tool that sends nothing."""
        if not tool.identity:
            return None
        if wanted in tool.identity and wanted in self.policy.identities:
            return wanted
        usable = [one.value for one in tool.identity if one in self.policy.identities]
        if wanted not in self.policy.identities:
            sentence = f"the policy does not allow the identity {wanted.value!r}"
        else:
            sentence = f"{tool.name!r} does not take the identity {wanted.value!r}"
        hint = f"call it as {' or '.join(usable)}" if usable else "the host must allow one of its identities"
        return Verdict(Reason.IDENTITY_NOT_ALLOWED, sentence, hint)

    def is_unattended(self, name: str) -> bool:
        """True for writes that an authoriser's `allow` alone may let through."""
        return name in self._unattended

    def _judge(self, tool: ToolEntry) -> Verdict:
        policy = self.policy
        if tool.risk.rank > policy.ceiling.rank:
            sentence = f"{tool.name!r} is a {tool.risk.value}, above the ceiling {policy.ceiling.value!r}"
            return Verdict(Reason.RISK_OVER_CEILING, sentence, "the host sets the ceiling")
        if any(_matches(tool, pattern) for pattern in policy.deny):
            return Verdict(
                Reason.TOOL_NOT_ENABLED, f"{tool.name!r} is denied by the host", "use another tool"
            )
        if tool.risk.is_write:
            if tool.name in policy.write_allow:
                return _ON
            sentence = f"the write {tool.name!r} is not enabled"
            return Verdict(
                Reason.TOOL_NOT_ENABLED, sentence, "a host enables writes one by one, by exact name"
            )
        if tool.sensitive:
            if tool.name in policy.reads:
                return _ON
            sentence = f"{tool.name!r} reads sensitive data and is not enabled"
            return Verdict(Reason.TOOL_NOT_ENABLED, sentence, "a host enables such reads by exact name")
        if any(_matches(tool, pattern) for pattern in policy.reads):
            return _ON
        return Verdict(
            Reason.TOOL_NOT_ENABLED, f"the read {tool.name!r} is not enabled", "the host enables reads"
        )


def _matches(tool: ToolEntry, pattern: str) -> bool:
    return pattern in (tool.name, tool.domain) or fnmatchcase(tool.name, pattern)


def _faults(policy: Policy, tools: Mapping[str, ToolEntry]) -> Iterable[str]:
    if policy.calls_per_turn < 1:
        yield f"calls_per_turn is {policy.calls_per_turn}; use 1 or more"
    if policy.result_chars is not None and policy.result_chars < 200:
        yield f"result_chars is {policy.result_chars}; use 200 or more, or none for no budget"
    if not policy.identities:
        yield "identities is empty; name tenant, user or both"
    for option, names in (("write_allow", policy.write_allow), ("unattended", policy.unattended)):
        for name in names:
            yield from _name_faults(option, name, tools)
    for name in policy.unattended:
        if name not in policy.write_allow and name in tools:
            yield f"unattended names {name!r}, which write_allow does not; add it there or remove it here"
    for option, patterns in (("reads", policy.reads), ("deny", policy.deny)):
        for pattern in patterns:
            if not any(_matches(tool, pattern) for tool in tools.values()):
                yield f"{option} has {pattern!r}, which matches no tool{_close(pattern, tools)}"


def _name_faults(option: str, name: str, tools: Mapping[str, ToolEntry]) -> Iterable[str]:
    if "*" in name or "?" in name or "[" in name:
        yield f"{option} has {name!r}; writes are named one by one, without globs"
    elif name not in tools:
        yield f"{option} names {name!r}, which is no tool{_close(name, tools)}"
    elif tools[name].risk is Risk.READ:
        yield f"{option} names {name!r}, which is a read; reads are enabled by `reads`"


def _close(name: str, tools: Mapping[str, ToolEntry]) -> str:
    found = get_close_matches(name, tools, n=1)
    return f"; did you mean {found[0]!r}?" if found else ""


async def ask_for_writes(proposal: Proposal) -> Decision:
    """Reads run; a person is asked about every write."""
    return Decision.ASK if proposal.tool.risk.is_write else Decision.ALLOW


async def read_only(proposal: Proposal) -> Decision:
    """Reads run; writes never do."""
    return Decision.DENY if proposal.tool.risk.is_write else Decision.ALLOW
