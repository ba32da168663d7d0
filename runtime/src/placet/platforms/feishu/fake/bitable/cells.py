"""Values of cells: what may be written to a field of which type, and what is read back.

Text is written as a string and read as segments; a person is written by id and read with a name. An answer to a write
gives the value as it was written.
Source: the platform's page on record values, read 2026-11.
"""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from placet.platforms.feishu.fake.bitable.errors import bitable_error

if TYPE_CHECKING:
    from placet.platforms.feishu.fake.bitable.state import Field
    from placet.platforms.feishu.fake.world import World

__all__ = ["TYPES", "read_value", "stored_value"]

TYPES: Mapping[str, int] = {
    "Text": 1, "Email": 1, "Barcode": 1, "Number": 2, "Progress": 2, "Currency": 2, "Rating": 2, "SingleSelect": 3,
    "MultiSelect": 4, "DateTime": 5, "Checkbox": 7, "User": 11, "Phone": 13, "Url": 15, "Attachment": 17,
    "SingleLink": 18, "Lookup": 19, "Formula": 20, "DuplexLink": 21, "Location": 22, "GroupChat": 23,
    "CreatedTime": 1001, "ModifiedTime": 1002, "CreatedUser": 1003, "ModifiedUser": 1004, "AutoNumber": 1005,
}  # fmt: skip
"""How a field looks to its type on the wire; several looks share a type."""


def stored_value(field: "Field", value: Any) -> Any:
    """The value as the table keeps it.

    Raises:
        ApiError: it does not fit the field, or the platform alone writes it.
    """
    rule = _RULES.get(field.type)
    if rule is None:
        raise bitable_error(1254015)
    code, fits = rule
    if not fits(value):
        raise bitable_error(code)
    if field.type == 1 and isinstance(value, list):
        return "".join(segment["text"] for segment in value)
    if field.type in (3, 4):
        field.add_options([value] if field.type == 3 else value)
    return value


def read_value(field: "Field", value: Any, world: "World") -> Any:
    """The value as a search or a read answers it."""
    match field.type:
        case 1:
            return [{"text": value, "type": "text"}]
        case 11 | 1003 | 1004:
            return [world.person(one["id"]) for one in value]
        case 17:
            return [
                {
                    "file_token": one["file_token"],
                    "name": f"{one['file_token']}.png",
                    "type": "image/png",
                    "size": 1,
                }
                for one in value
            ]
        case 18 | 21:
            return {"link_record_ids": value}
        case 22:
            return {"location": value, "full_address": value}
        case 23:
            return [{"id": one["id"], "name": one["id"]} for one in value]
        case _:
            return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or _is_list(
        value, lambda one: isinstance(one, dict) and isinstance(one.get("text"), str)
    )


def _is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(fits(one) for one in value)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _has_id(prefix: str) -> Callable[[Any], bool]:
    return lambda one: isinstance(one, dict) and str(one.get("id", "")).startswith(prefix)


def _is_record(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("rec")


_RULES: Mapping[int, tuple[int, Callable[[Any], bool]]] = {
    1: (1254060, _is_text),
    2: (1254061, _is_number),
    3: (1254062, _is_name),
    4: (1254063, lambda value: _is_list(value, _is_name)),
    5: (1254064, lambda value: _is_number(value) and float(value).is_integer()),
    7: (1254065, lambda value: isinstance(value, bool)),
    11: (1254066, lambda value: _is_list(value, _has_id("ou_"))),
    13: (
        1254072,
        lambda value: isinstance(value, str) and re.fullmatch(r"\+?[0-9]{1,64}", value) is not None,
    ),
    15: (1254068, lambda value: isinstance(value, dict) and isinstance(value.get("link"), str)),
    17: (1254069, lambda value: _is_list(value, lambda one: isinstance(one, dict) and "file_token" in one)),
    18: (1254067, lambda value: _is_list(value, _is_record)),
    21: (1254074, lambda value: _is_list(value, _is_record)),
    22: (1254015, lambda value: isinstance(value, str) and value.count(",") == 1),
    23: (1254015, lambda value: _is_list(value, _has_id("oc_"))),
}
"""Type to the code of a value that does not fit, and what fits."""
