"""The words every room shares: risk, identity, and the names the generator adds by itself."""

from enum import StrEnum

CONTRACT = 1
"""The version of the contract that generated packages are written against."""


class Risk(StrEnum):
    """What a call can do. Decided by effect, never by verb."""

    READ = "read"
    WRITE = "write"
    HIGH_RISK_WRITE = "high-risk-write"

    @property
    def rank(self) -> int:
        """0, 1 or 2: the order in which risks rise."""
        return tuple(Risk).index(self)

    @property
    def is_write(self) -> bool:
        return self is not Risk.READ


class Identity(StrEnum):
    """Whose token a call carries."""

    TENANT = "tenant"
    USER = "user"


FILE_PROPERTIES = frozenset({"name", "size", "sha256", "media_type"})
"""What `derive:` and `default_from:` may take from a file argument."""

WRITE_ARGUMENTS = ("idempotency_key", "dry_run")
"""Arguments that the generator adds to every write."""

PAGING_ARGUMENTS = ("page_size", "page_token", "fetch_all", "max_items")
"""Arguments that the generator adds to every paged read."""

RESERVED_ARGUMENTS = frozenset({*WRITE_ARGUMENTS, *PAGING_ARGUMENTS, "gate", "ctx", "self"})
"""Names a curated parameter cannot have."""

WIRE_NAME_MAX = 48
"""Longest wire name: leaves a client 16 characters for its own prefix below the providers' limit of 64."""
