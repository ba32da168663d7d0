"""`placet check` when nothing has changed: an answer without loading the compiler.

The executable asks the entry point group `placet.fast` for a function of the command's name before it loads
any command; None means that the command itself must run.
"""

from pathlib import Path

from placet_generator.stamp import fresh_summary
from placet_generator.workspace import find_root, surface_names

__all__ = ["fast_check"]


def fast_check(argv: list[str]) -> int | None:
    """Print the summary of each fresh surface and return 0, or None when the full check has to run.

    Args:
        argv: The arguments after `check`. Only none, `--surface NAME` and `--format text` are answered here.
    """
    options = _options(argv)
    root = find_root(Path.cwd())
    if options is None or root is None:
        return None
    surfaces = surface_names(root)
    if wanted := options.get("--surface"):
        surfaces = tuple(one for one in surfaces if one == wanted)
    summaries = [fresh_summary(root, one) for one in surfaces]
    lines = [one for one in summaries if one is not None]
    if not lines or len(lines) < len(summaries):
        return None
    print("\n".join(lines))
    return 0


def _options(argv: list[str]) -> dict[str, str] | None:
    """Option to value; None when one is not answered here."""
    words = [part for one in argv for part in (one.split("=", 1) if one.startswith("--") else [one])]
    if len(words) % 2:
        return None
    options = dict(zip(words[::2], words[1::2], strict=True))
    if options.keys() - {"--surface", "--format"} or len(options) * 2 != len(words):
        return None
    return options if options.get("--format", "text") == "text" else None
