"""Arguments from a door to a call: decoded, inspected, parted from the runtime's own, validated."""

from typing import Any

from msgspec import Struct

from placet.inbound.decoding import decode_arguments
from placet.inbound.faults import Fault
from placet.inbound.inspection import inspect, whole_numbers
from placet.inbound.validation import Validator

__all__ = ["Checked", "Options", "check_arguments"]


class Options(Struct, frozen=True, kw_only=True):
    """The arguments that the generator adds: what the gate reads, and no request carries."""

    idempotency_key: str | None = None
    dry_run: bool = False
    page_size: int | None = None
    page_token: str | None = None
    fetch_all: bool = False
    max_items: int | None = None


class Checked(Struct, frozen=True, kw_only=True):
    """Arguments that may be acted on: the tool's own, and the runtime's."""

    arguments: dict[str, Any]
    options: Options


_OPTIONS = frozenset(Options.__struct_fields__)
_NO_OPTIONS = Options()


def check_arguments(raw: Any, validator: Validator) -> Checked | list[Fault]:
    """The checked arguments, or everything that is wrong with them.

    Args:
        raw: A mapping, or JSON as text or bytes; anything else is a fault like any other.
    """
    decoded = decode_arguments(raw)
    if isinstance(decoded, Fault):
        return [decoded]
    faults, is_readable = inspect(decoded)
    if is_readable:
        misfits = validator.faults(decoded)
        if misfits and (plain := whole_numbers(decoded)) is not decoded:
            decoded, misfits = plain, validator.faults(plain)
        faults += misfits
    if faults:
        return faults
    if _OPTIONS.isdisjoint(decoded):
        return Checked(arguments=dict(decoded), options=_NO_OPTIONS)
    own = {name: value for name, value in decoded.items() if name not in _OPTIONS}
    options = Options(**{name: value for name, value in decoded.items() if name in _OPTIONS})
    return Checked(arguments=own, options=options)
