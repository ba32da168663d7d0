"""Three domains of the surface, for tests that compile it hundreds of times.

A compilation of the whole takes seconds; what the whole must hold is checked by `make check` and by the tests of the
generated package.
"""

import re

__all__ = ["KEPT", "is_kept", "trimmed"]

KEPT = ("approval", "bitable", "feishu")


def is_kept(place: str) -> bool:
    """Whether a file of the surface's folder belongs to the three, or to the surface itself.

    Args:
        place: Its path in the folder, such as `domains/bitable.yaml`.
    """
    kind, _, rest = place.partition("/")
    if kind == "domains":
        name = rest
    elif kind in ("locales", "guidance"):
        name = rest.partition("/")[2]
    else:
        return kind != "supplement"
    return re.split(r"[./]", name)[0] in KEPT


def trimmed(surface: str) -> str:
    """`surface.yaml` without what belongs to other domains."""
    others = rf"(?m)^    - (?!(?:{'|'.join(KEPT)})\.)\w+\.\w+\n"
    return re.sub(others, "", re.sub(r"(?m)^supplements: .*\n", "", surface))
