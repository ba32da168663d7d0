"""What a model pays for the curated tools: bytes and tokens of their definitions, as committed."""

import json
from collections.abc import Mapping
from pathlib import Path
from statistics import mean
from typing import Any

import bpe_openai
import yaml

from tests.bench.measuring import Row, at_most

LOCALES = {"English": "wire", "Chinese": "wire_zh"}
DEFAULT_PRESET = "default"


def measure(workspace: Path) -> list[Row]:
    """The rows on sizes; budgets are enforced by the compiler, here they are shown."""
    surface = yaml.safe_load((workspace / "curation/feishu/surface.yaml").read_text(encoding="utf-8"))
    budgets, preset = surface["budgets"], surface["presets"][DEFAULT_PRESET]
    records = [
        json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((workspace / "golden/feishu/tools").rglob("*.json"))
    ]
    rows, total = [], {}
    encoding = bpe_openai.get_encoding("o200k_base")
    for locale, key in LOCALES.items():
        texts = [_compact(record[key]) for record in records]
        sizes = [len(text.encode("utf-8")) for text in texts]
        tokens = [len(encoding.encode(text)) for text in texts]
        total[locale] = sum(sizes)
        rows += [
            _budget(
                f"{locale} definition, mean of {len(sizes)}",
                mean(sizes),
                budgets["mean_bytes"] if locale == "English" else None,
            ),
            _budget(
                f"{locale} definition, largest",
                max(sizes),
                budgets["tool_bytes"] if locale == "English" else None,
            ),
            Row(f"{locale} definition, o200k tokens", f"mean {mean(tokens):.0f}, largest {max(tokens)}"),
        ]
    rows.append(
        at_most("Chinese / English bytes", total["Chinese"] / total["English"], budgets["locale_ratio"])
    )
    chosen = sum(
        len(_compact(record["wire"]).encode("utf-8")) for record in records if record["name"] in preset
    )
    rows.append(_budget(f"preset {DEFAULT_PRESET!r}, {len(preset)} tools", chosen, budgets["preset_bytes"]))
    return rows


def _budget(what: str, size: float, budget: int | None) -> Row:
    return Row(what, f"{size:.0f} bytes") if budget is None else at_most(what, size, budget, unit="bytes")


def _compact(definition: Mapping[str, Any]) -> str:
    return json.dumps(definition, ensure_ascii=False, separators=(",", ":"))
