"""Names that follow from names."""

import keyword
import re
import sys
from functools import cache

from placet.contract.words import RESERVED_ARGUMENTS

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*")


@cache
def pascal(name: str) -> str:
    """`update_record` as `UpdateRecord`."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name) if part)


OWN_TYPES = ("Args", "Result")
"""What a tool's module calls its arguments and its data; nothing else there has such a name."""


def type_name(tool: str, member: str) -> str:
    """The name of the type of a tool's argument or output field."""
    name = pascal(member)
    return f"{pascal(tool)}{name}Value" if name in OWN_TYPES else f"{pascal(tool)}{name}"


def singular(name: str) -> str:
    """The name of one of several: `Entries` as `Entry`, `Items` as `Item`; `ItemItem` never arises."""
    one = _singular(name)
    return f"{one}Item" if one.endswith(OWN_TYPES) else one


def _singular(name: str) -> str:
    if name.endswith("ies") and len(name) > 4:
        return name[:-3] + "y"
    if name.endswith("ses"):
        return name[:-2]
    if name.endswith("s") and not name.endswith("ss"):
        return name[:-1]
    return name + "Item"


_LOCALE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_TOPIC = re.compile(r"[a-z0-9][a-z0-9_-]*")


def is_locale(name: str) -> bool:
    """True for the tag of a language besides English, as `zh` or `pt-BR`."""
    return _LOCALE.fullmatch(name) is not None and name != "en"


RESERVED_TOPICS = frozenset({"tools"})
"""Pages that every skill has besides its topics."""


def is_topic(name: str) -> bool:
    """True for a name that a page of guidance may have: it becomes part of a path and of an address."""
    return _TOPIC.fullmatch(name) is not None and name not in RESERVED_TOPICS


RESERVED_DOMAINS = frozenset({"index", "surface"})
"""Modules and names that every generated package has besides its domains."""


RESERVED_PACKAGES = frozenset({"placet", "placet_generator", *sys.stdlib_module_names})
"""Packages that one of these names would lie over."""


def fault_of(name: str, *, argument: bool = False) -> str | None:
    """Why a curated name cannot be used; None when it can."""
    if not _IDENTIFIER.fullmatch(name):
        return "is not of the form [a-z][a-z0-9_]*"
    if keyword.iskeyword(name):
        return "is a Python keyword"
    if argument and name in RESERVED_ARGUMENTS:
        return "is reserved: the generator adds it where it belongs"
    return None
