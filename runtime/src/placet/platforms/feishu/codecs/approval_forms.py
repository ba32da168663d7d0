"""Forms of approval requests as they are filed: one entry per field, its value in the form its type wants.

A mistake is said here, before a person is asked, because the platform answers most of them with one code.
Source: the platform's page on form controls of an approval instance, read 2026-11.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair
from placet.platforms.feishu.codecs.times import millis_of, moment_of

__all__ = ["FORM"]

_MEMBERS = frozenset({"id", "type", "value", "currency"})
_PERSONS_ONLY = {
    "text": "it is an explanation and takes no answer; leave it out",
    "serialNumber": "the platform gives it; leave it out",
    **dict.fromkeys(
        (
            "account",
            "mutableGroup",
            "tripGroup",
            "remedyGroupV2",
            "apaascorehrOnboardingGroup",
            "apaascorehrRegularateGroup",
            "apaascorehrJobAdjustGroup",
            "apaascorehrOffboardingGroup",
        ),
        "it cannot be filled in from outside; the person files the request in the approval app",
    ),
}


def _encode_form(value: Any) -> list[dict[str, Any]]:
    return _entries(value, "the form")


def _entries(value: Any, where: str) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise ValueError(f"{where} is a list of entries, each with id, type and value")
    seen: set[str] = set()
    written = []
    for one in value:
        entry = _entry(one, where)
        if entry["id"] in seen:
            raise ValueError(f"{where} has two entries for {entry['id']!r}; send one")
        seen.add(entry["id"])
        written.append(entry)
    return written


def _entry(entry: Any, where: str) -> dict[str, Any]:
    if not isinstance(entry, dict) or not _is_text(entry.get("id")) or not _is_text(entry.get("type")):
        raise ValueError(f"an entry of {where} has an id and a type, copied from approval.get_definition")
    identifier, kind = entry["id"], entry["type"]
    if extra := sorted(entry.keys() - _MEMBERS):
        raise ValueError(f"{identifier!r}: an entry has id, type, value and currency, not {', '.join(extra)}")
    if entry.get("value") is None:
        raise ValueError(f"{identifier!r} has no value; leave an optional field without an answer out")
    if "currency" in entry and kind != "amount":
        raise ValueError(f"{identifier!r}: currency belongs to a field of type amount")
    write = _WRITERS.get(kind)
    if write is None:
        raise ValueError(f"{identifier!r}: {_unknown(kind)}")
    try:
        return {"id": identifier, "type": kind, **write(entry)}
    except _Unfit as error:
        raise ValueError(f"{identifier!r} ({kind}): {error}") from error


def _unknown(kind: str) -> str:
    if kind in _PERSONS_ONLY:
        return f"a field of type {kind}: {_PERSONS_ONLY[kind]}"
    close = get_close_matches(kind, _WRITERS, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else f"; the types are {', '.join(_WRITERS)}"
    return f"there is no field type {kind!r}{hint}"


class _Unfit(Exception):
    """A value does not fit its type; the sentence says what does."""


_Write = Callable[[dict[str, Any]], dict[str, Any]]


def _value(fits: Callable[[Any], bool], wanted: str) -> _Write:
    """A type whose value is sent as it is, when it fits."""

    def write(entry: dict[str, Any]) -> dict[str, Any]:
        if not fits(entry["value"]):
            raise _Unfit(f"the value is {wanted}")
        return {"value": entry["value"]}

    return write


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(_is_text(one) for one in value)


def _has(*names: str, optional: tuple[str, ...] = ()) -> Callable[[Any], bool]:
    """An object with exactly these members, all text."""

    def fits(value: Any) -> bool:
        if not isinstance(value, dict) or not set(names) <= value.keys() <= {*names, *optional}:
            return False
        return all(isinstance(one, str) for one in value.values())

    return fits


def _is_moment(value: Any) -> bool:
    try:
        moment_of(value)
    except ValueError:
        return False
    return True


def _is_shift(value: Any) -> bool:
    fits = _has("shiftTime", "returnTime", "reason")(value)
    return fits and _is_moment(value["shiftTime"]) and _is_moment(value["returnTime"])


def _amount(entry: dict[str, Any]) -> dict[str, Any]:
    if not _is_number(entry["value"]):
        raise _Unfit("the value is a number")
    if not _is_text(entry.get("currency")):
        raise _Unfit("an amount has a currency beside its value, such as CNY")
    return {"value": entry["value"], "currency": entry["currency"]}


def _interval(entry: dict[str, Any]) -> dict[str, Any]:
    value = entry["value"]
    if not isinstance(value, dict) or value.keys() != {"start", "end", "interval"}:
        raise _Unfit("the value is an object with start, end and interval (days)")
    if not (_is_moment(value["start"]) and _is_moment(value["end"]) and _is_number(value["interval"])):
        raise _Unfit("start and end are times with an offset, interval is a number of days")
    if millis_of(value["end"]) < millis_of(value["start"]):
        raise _Unfit("it ends before it starts")
    return {"value": value}


def _contact(entry: dict[str, Any]) -> dict[str, Any]:
    ids = entry["value"]
    if not _are_texts(ids):
        raise _Unfit("the value is a list of open_ids (ou_...)")
    return {
        "value": [one for one in ids if not one.startswith("ou_")],
        "open_ids": [one for one in ids if one.startswith("ou_")],
    }


def _department(entry: dict[str, Any]) -> dict[str, Any]:
    if not _are_texts(entry["value"]):
        raise _Unfit("the value is a list of department ids (od-...)")
    return {"value": [{"open_id": one} for one in entry["value"]]}


def _address(entry: dict[str, Any]) -> dict[str, Any]:
    value = entry["value"]
    fits = _has("id", optional=("detailAddress",))
    if not isinstance(value, list) or len(value) != 1 or not fits(value[0]):
        raise _Unfit("the value is a list of one object with a region's id and, if wanted, detailAddress")
    return {"value": value}


def _rows(entry: dict[str, Any]) -> dict[str, Any]:
    rows = entry["value"]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise _Unfit("the value is a list of rows, each row a list of entries")
    return {"value": [_entries(row, f"a row of {entry['id']!r}") for row in rows]}


def _group(entry: dict[str, Any]) -> dict[str, Any]:
    return {"value": _entries(entry["value"], f"the group {entry['id']!r}")}


_TEXT = _value(lambda value: isinstance(value, str), "text")
_NUMBER = _value(_is_number, "a number, not text")
_OPTION = _value(_is_text, "the value of one option, as approval.get_definition lists it")
_OPTIONS = _value(_are_texts, "a list of option values, as approval.get_definition lists them")
_FILES = _value(_are_texts, "a list of file codes")

_WRITERS: Mapping[str, _Write] = {
    "input": _TEXT,
    "textarea": _TEXT,
    "number": _NUMBER,
    "formula": _NUMBER,
    "amount": _amount,
    "date": _value(_is_moment, "a time with an offset, such as 2026-06-03T09:00:00+08:00"),
    "dateInterval": _interval,
    "radio": _OPTION,
    "radioV2": _OPTION,
    "checkbox": _OPTIONS,
    "checkboxV2": _OPTIONS,
    "contact": _contact,
    "department": _department,
    "connect": _value(_are_texts, "a list of instance codes"),
    "document": _value(_has("token", "type"), "an object with a document's token and type"),
    "telephone": _value(
        _has("countryCode", "nationalNumber"), "an object with countryCode and nationalNumber, both text"
    ),
    "address": _address,
    "fieldList": _rows,
    "leaveGroupV2": _group,
    "workGroup": _group,
    "outGroup": _group,
    "shiftGroup": _value(_is_shift, "an object with shiftTime, returnTime and reason"),
    "image": _FILES,
    "imageV2": _FILES,
    "attachment": _FILES,
    "attachmentV2": _FILES,
}

FORM = Pair(encode=_encode_form)
"""`approval.form`: the list of entries; the parameter writes it as JSON text."""
