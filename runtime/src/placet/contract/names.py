"""What a platform calls its own parts.

The generator checks the names that curation uses against these values; the platform implements each of them.
Standard library only, so a build can read a platform's names without loading a runtime.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["CodecName", "PlatformNames", "RoutineName"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodecName:
    """A named translation between the model's form of a value and the wire's.

    Attributes:
        version: Rises when the same input gives other bytes; part of the contract digest.
        targets: How many slots the codec writes when it translates arguments.
        arguments: True when it translates arguments.
        answers: True when it translates answers.
    """

    version: int = 1
    targets: int = 1
    arguments: bool = True
    answers: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineName:
    """The name of a procedure that sends several requests for one tool.

    Attributes:
        version: Part of the contract digest.
        calls: Names of the requests it may send; a tool that uses it declares each of them.
        fills: Slots (`call.slot`, as `finish.body.upload_id`) that the routine itself fills.
    """

    version: int = 1
    calls: frozenset[str] = frozenset()
    fills: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformNames:
    """Every name that curation for one platform may use.

    Attributes:
        platform: The platform's name, as in `surface.yaml`.
        envelope: The member of an answer that holds its data; empty when answers have no envelope.
        codecs: Translations that a shape, a parameter or an output field may name.
        preflights: Checks that may run before a write is proposed.
        routines: Procedures of several requests.
        derivations: Values computed from one argument, as `im.id_kind`.
        context_keys: Values a call's actor or tenant record can supply, as `actor.open_id`.
        local_tools: Behaviours of tools that send nothing.
        acting_slots: Last parts of slots that may say who acts, as `operator_id`.
        brands: Brand to base URL; empty where every tenant has an address of its own.
    """

    platform: str
    envelope: str = ""
    codecs: Mapping[str, CodecName] = field(default_factory=dict)
    preflights: frozenset[str] = frozenset()
    routines: Mapping[str, RoutineName] = field(default_factory=dict)
    derivations: frozenset[str] = frozenset()
    context_keys: frozenset[str] = frozenset()
    local_tools: frozenset[str] = frozenset()
    acting_slots: frozenset[str] = frozenset()
    brands: Mapping[str, str] = field(default_factory=dict)
