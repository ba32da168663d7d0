"""The file as it is written. Each struct is a section; a secret is named, never spelled out."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from placet.contract.masking import Personal, SafetyMode
from placet.contract.words import Identity, Risk

__all__ = [
    "AuditSection",
    "BudgetsSection",
    "ConfigFile",
    "DoorsSection",
    "FilesSection",
    "HostDoor",
    "McpDoor",
    "ModelSection",
    "PolicySection",
    "SafetySection",
    "SecretRef",
    "StoresSection",
    "TenantSection",
    "TransportSection",
]

REFERENCE = r"^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+|keyring:[^/]+/.+)$"

SecretRef = Annotated[
    str,
    Meta(
        description="Where a secret stands: env:NAME, file:PATH (mode 0600) or keyring:SERVICE/NAME.",
        extra_json_schema={"pattern": REFERENCE},
        extra={"secret": True},
    ),
]
Name = Annotated[str, Meta(min_length=1)]
Positive = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0)]


class _Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class TenantSection(_Section, frozen=True, kw_only=True):
    """One app of one tenant. `brand` is the platform's own word for one of its instances; there is no default."""

    app: Name
    platform: Name
    brand: Name
    secret: SecretRef
    identities: Annotated[tuple[Identity, ...], Meta(min_length=1)] = (Identity.TENANT,)
    base_url: (
        Annotated[str, Meta(description="Instead of the brand's host: https, or http on loopback.")] | None
    ) = None
    options: Annotated[
        dict[str, str], Meta(description="What only this platform knows, by its own names; never a secret.")
    ] = {}
    secrets: Annotated[
        dict[str, SecretRef],
        Meta(description="Further secrets that only this platform knows, by its own names."),
    ] = {}


class PolicySection(_Section, frozen=True, kw_only=True):
    """What may run. Writes and sensitive reads are on by exact name only."""

    reads: tuple[str, ...] = ("*",)
    write_allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    ceiling: Risk = Risk.HIGH_RISK_WRITE
    identities: Annotated[tuple[Identity, ...], Meta(min_length=1)] = (Identity.TENANT,)
    unattended: tuple[str, ...] = ()
    calls_per_turn: Positive = 10
    result_chars: Annotated[int, Meta(ge=200)] | Literal["off"] = 4000


class StoresSection(_Section, frozen=True, kw_only=True):
    """Where truth lies (`url`) and, if elsewhere, what processes share and may forget (`shared`).

    An address with a password is a secret: name it with env:, file: or keyring:.
    """

    url: Name
    shared: Name | None = None


class FilesSection(_Section, frozen=True, kw_only=True):
    """Staged files. A relative folder starts at the configuration's own."""

    folder: Name = "placet-files"
    max_bytes: Positive = 100 * 1024 * 1024
    max_total_bytes: Positive = 4 * 1024 * 1024 * 1024
    ttl_s: Seconds = 86_400.0


class BudgetsSection(_Section, frozen=True, kw_only=True):
    """Bounds of one call (`deadline_s`) and of one run of an agent; a bound that is left out is off."""

    deadline_s: Seconds = 30.0
    run_tokens: Positive | None = None
    run_calls: Positive | None = None


class SafetySection(_Section, frozen=True, kw_only=True):
    """Texts that try to instruct a model, and the kinds of personal data that are masked besides credentials."""

    mode: SafetyMode = SafetyMode.WARN
    personal: tuple[Personal, ...] = ()


class TransportSection(_Section, frozen=True, kw_only=True):
    """Connections to platforms. A proxy is used only when it stands here."""

    max_connections: Positive = 64
    keepalive_s: Annotated[float, Meta(ge=0)] = 15.0
    max_answer_bytes: Positive = 32 * 1024 * 1024
    proxy: SecretRef | None = None
    ca_file: Name | None = None


class AuditSection(_Section, frozen=True, kw_only=True):
    """How often a writer anchors the other chains' heads."""

    anchor_records: Positive = 1000
    anchor_s: Seconds = 60.0


class ModelSection(_Section, frozen=True, kw_only=True):
    """A model behind an OpenAI-compatible endpoint; the section's name is what hosts call it."""

    model: Name
    base_url: Name | None = None
    api_key: SecretRef | None = None


class McpDoor(_Section, frozen=True, kw_only=True):
    """`elicitation` lets a client answer for its user, whom nobody has authenticated."""

    elicitation: bool = False


class HostDoor(_Section, frozen=True, kw_only=True):
    """The web door. Hosts and origins that it answers are listed; `operator_token` names an operator's."""

    listen: Name = "127.0.0.1:8765"
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    operator_token: SecretRef | None = None


class DoorsSection(_Section, frozen=True, kw_only=True):
    """Options of single doors."""

    mcp: McpDoor = McpDoor()
    host: HostDoor = HostDoor()


class ConfigFile(_Section, frozen=True, kw_only=True):
    """The configuration of every door.

    Attributes:
        keys: Encrypt what is kept and sign the audit: the first does, all are tried when reading.
        approvers: App to those who may approve its high-risk writes: persons, or `operator:NAME`.
        two_approvers: Exact names of writes that need two different yeses.
    """

    keys: Annotated[tuple[SecretRef, ...], Meta(min_length=1)]
    tenants: Annotated[tuple[TenantSection, ...], Meta(min_length=1)]
    stores: StoresSection
    locale: Literal["en", "zh"] = "en"
    policy: PolicySection = PolicySection()
    approvers: dict[str, Annotated[tuple[str, ...], Meta(min_length=1)]] = {}
    two_approvers: tuple[str, ...] = ()
    budgets: BudgetsSection = BudgetsSection()
    safety: SafetySection = SafetySection()
    files: FilesSection = FilesSection()
    transport: TransportSection = TransportSection()
    audit: AuditSection = AuditSection()
    models: dict[str, ModelSection] = {}
    doors: DoorsSection = DoorsSection()
