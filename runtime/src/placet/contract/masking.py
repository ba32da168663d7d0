"""What is masked and marked before an answer leaves, as plain data: a host's choices, a platform's secrets, a finding.

The rules that hold for every platform live in `placet.sanitise`; what only one vendor's credentials look like comes
from that platform as `SecretShapes`.
"""

from enum import StrEnum

from msgspec import Struct

__all__ = ["Finding", "MaskingPolicy", "Personal", "SafetyMode", "SecretPattern", "SecretShapes"]


class SafetyMode(StrEnum):
    """What happens to texts that try to instruct the model."""

    OFF = "off"
    WARN = "warn"
    BLOCK = "block"


class Personal(StrEnum):
    """Kinds of personal data that a host may have masked."""

    PHONE = "phone"
    ID_CARD = "id_card"
    BANK_CARD = "bank_card"


class MaskingPolicy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A host's choices. Credentials are always masked; personal data only as named here."""

    personal: frozenset[Personal] = frozenset()


class SecretPattern(Struct, frozen=True, kw_only=True):
    """What a vendor's credential looks like in a text.

    Attributes:
        rule: Stable name for findings.
        kind: Words for the mask: `[masked: app access token]`.
        pattern: What is masked, in the syntax that Python's `re` and RE2 share: no look-around, no group, no
            back-reference, bounded repeats. It is never matched in the middle of a word.
    """

    rule: str
    kind: str
    pattern: str


class SecretShapes(Struct, frozen=True, kw_only=True):
    """A platform's secrets.

    Attributes:
        keys: Names whose values are secrets, beyond the usual (`password`, `client_secret` ...).
        identifiers: Names that sound like secrets but are ids which the next call needs (`page_token`).
    """

    patterns: tuple[SecretPattern, ...] = ()
    keys: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()


class Finding(Struct, frozen=True, kw_only=True):
    """Something that was masked, removed or marked. Holds no value.

    Attributes:
        kind: "credential", "personal", "invisible", "injection" or "limit".
        path: JSON pointer; a segment `#` steps into JSON that was found inside a text.
    """

    kind: str
    rule: str
    path: str
