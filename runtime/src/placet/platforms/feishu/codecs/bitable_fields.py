"""Types of fields and access to tables: names for the model, numbers on the wire.

Source: the platform's pages on fields and on custom roles, read 2026-11.
"""

from collections.abc import Mapping
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["ACCESS", "FIELD_TYPE", "TABLE_ACCESS", "TYPES"]

TYPES: Mapping[str, int] = {
    "Text": 1, "Email": 1, "Barcode": 1, "Number": 2, "Progress": 2, "Currency": 2, "Rating": 2, "SingleSelect": 3,
    "MultiSelect": 4, "DateTime": 5, "Checkbox": 7, "User": 11, "Phone": 13, "Url": 15, "Attachment": 17,
    "SingleLink": 18, "Formula": 20, "DuplexLink": 21, "Location": 22, "GroupChat": 23, "CreatedTime": 1001,
    "ModifiedTime": 1002, "CreatedUser": 1003, "ModifiedUser": 1004, "AutoNumber": 1005,
}  # fmt: skip
"""How a field looks to its type; several looks share one."""

ACCESS: Mapping[str, int] = {"none": 0, "read": 1, "edit": 2, "manage": 4}


def _field_type(value: Any) -> tuple[int, str]:
    number = TYPES.get(value) if isinstance(value, str) else None
    if number is None:
        raise ValueError(f"there is no field type {value!r}; use {', '.join(TYPES)}")
    return number, value


def _access(value: Any) -> int:
    number = ACCESS.get(value) if isinstance(value, str) else None
    if number is None:
        raise ValueError(f"there is no access {value!r}; use {', '.join(ACCESS)}")
    return number


def _access_name(value: Any) -> str:
    name = next((name for name, number in ACCESS.items() if type(value) is int and number == value), None)
    if name is None:
        raise ValueError(f"{value!r} is no access")
    return name


FIELD_TYPE = Pair(encode=_field_type)
"""`bitable.field_type`: writes the type and the look."""

TABLE_ACCESS = Pair(encode=_access, decode=_access_name)
"""`bitable.table_access`."""
