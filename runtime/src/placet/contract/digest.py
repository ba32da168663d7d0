"""One canonical form of JSON-like data, and the hash over it."""

import hashlib
from typing import Any

import msgspec

__all__ = ["canonical_json", "sha256_of"]


def canonical_json(value: Any) -> bytes:
    """UTF-8 JSON with sorted keys and no spaces; equal values give equal bytes.

    Args:
        value: Structs, mappings, sequences, strings, finite numbers, booleans and None.
    """
    return msgspec.json.encode(value, order="sorted")


def sha256_of(value: Any) -> str:
    """Hex sha256 of the canonical form of `value`."""
    return hashlib.sha256(canonical_json(value)).hexdigest()
