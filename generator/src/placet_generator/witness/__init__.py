"""The witness: what the platform itself says about the endpoints; the check compares the SDK with it."""

from placet_generator.witness.model import (
    Bounds,
    DocumentFacts,
    EndpointFacts,
    FieldFacts,
    NativeKey,
    PagingFacts,
)
from placet_generator.witness.reader import Witness

__all__ = [
    "Bounds",
    "DocumentFacts",
    "EndpointFacts",
    "FieldFacts",
    "NativeKey",
    "PagingFacts",
    "Witness",
]
