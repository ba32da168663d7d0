"""A surface as large as the goals speak of, made by multiplying the curated domains.

Copies differ from their originals in the domain's name only: texts, overlays and guidance come along, and each
tool of a copy says why it shares a route. The budgets are loosened, because longer names are no longer texts.
"""

import re
import shutil
from pathlib import Path

import yaml

TOOLS = 341
BECAUSE = "A copy, made to measure a large surface."


def write_large_surface(source: Path, target: Path, tools: int = TOOLS) -> int:
    """Write a surface folder with at least `tools` tools and return how many it has.

    Args:
        source: A surface folder; its meta domain is not copied.
        target: The folder to make; it must not be there.
    """
    shutil.copytree(source, target)
    surface = yaml.safe_load((source / "surface.yaml").read_text(encoding="utf-8"))
    surface["budgets"] = dict.fromkeys(surface["budgets"], 10_000_000)
    (target / "surface.yaml").write_text(yaml.safe_dump(surface, allow_unicode=True), encoding="utf-8")
    domains = {path.stem: _tool_names(path) for path in sorted((source / "domains").glob("*.yaml"))}
    count = sum(map(len, domains.values()))
    copied = {name: keys for name, keys in domains.items() if name != surface.get("meta")}
    number = 2
    while count < tools:
        for name, keys in copied.items():
            if count < tools:
                _copy_domain(source, target, name, f"{name}_{number}", keys)
                count += len(keys)
        number += 1
    return count


def _tool_names(path: Path) -> list[str]:
    return list(yaml.safe_load(path.read_text(encoding="utf-8"))["tools"])


def _copy_domain(source: Path, target: Path, name: str, new: str, tools: list[str]) -> None:
    own_tool = re.compile(rf"(?<![\w./]){name}\.(?=(?:{'|'.join(tools)})\b)")

    def renamed(text: str) -> str:
        return own_tool.sub(f"{new}.", text).replace(f"guidance:{name}", f"guidance:{new}")

    for path in sorted(source.rglob("*")):
        place = path.relative_to(source)
        if not path.is_file() or name not in (place.stem, place.parent.name) or place.parts[0] == "witness":
            continue
        text = renamed(path.read_text(encoding="utf-8"))
        if place.parts[0] == "domains":
            text = _with_reasons(text.replace(f"\ndomain: {name}\n", f"\ndomain: {new}\n"))
        copy = target / place.parent / place.name.replace(f"{name}.", f"{new}.")
        if place.parent.name == name:
            copy = target / place.parent.parent / new / place.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")


def _with_reasons(text: str) -> str:
    """The text with `because:` at each tool that has none."""
    head, mark, tools = text.partition("\ntools:\n")
    entries = re.split(r"(?m)^(?=  \w+:$)", tools)
    marked = (
        one
        if re.search(r"(?m)^    because:", one)
        else re.sub(r"(?m)^    risk:", f"    because: {BECAUSE}\n    risk:", one)
        for one in entries
    )
    return head + mark + "".join(marked)
