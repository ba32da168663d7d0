"""Blocks within blocks: a tree for the model, a flat list of blocks that name their children on the wire.

A model's block is that of `docx.blocks`, with `children` where it may hold others, besides `callout`,
`quote_container` and `table` (`rows` of cells, each a text).
Source: the platform's page on creating nested blocks, read 2026-11: ids are the caller's own within the request.
"""

from typing import Any

from placet.platforms.feishu.codecs.docx_blocks import written_block
from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["NESTED_BLOCKS"]

_HOLDERS = {"callout": 19, "quote_container": 34}
_TABLE, _CELL = 31, 32
_TEXT_PARENTS = frozenset(
    {"text", "bullet", "ordered", "todo", *(f"heading{level}" for level in range(1, 10))}
)
_CELLS_MOST = 500


class _Flat:
    """The flat list as it grows, parents before their children."""

    def __init__(self) -> None:
        self.blocks: list[dict[str, Any]] = []

    def add(self, block: Any) -> str:
        """Add a block and all within it; its id."""
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "table":
            return self._table(block)
        if kind in _HOLDERS:
            _only(block, "type", "children")
            if not block.get("children"):
                raise ValueError(f"a {kind} needs children")
            return self._put({"block_type": _HOLDERS[kind], kind: {}}, block["children"])
        children = block.get("children") or [] if isinstance(block, dict) else []
        if children and kind not in _TEXT_PARENTS:
            raise ValueError(f"a block of type {kind!r} takes no children")
        plain = (
            {key: value for key, value in block.items() if key != "children"}
            if isinstance(block, dict)
            else block
        )
        return self._put(written_block(plain), children)

    def _put(self, wire: dict[str, Any], children: Any) -> str:
        if not isinstance(children, list):
            raise ValueError("children are a list of blocks")
        made = {"block_id": f"b{len(self.blocks) + 1}", **wire}
        self.blocks.append(made)
        made["children"] = [self.add(child) for child in children]
        return str(made["block_id"])

    def _table(self, block: dict[str, Any]) -> str:
        _only(block, "type", "rows")
        rows = block.get("rows")
        if not isinstance(rows, list) or not rows or not all(isinstance(row, list) and row for row in rows):
            raise ValueError("a table has rows, each a list of cells")
        width = len(rows[0])
        if any(len(row) != width for row in rows):
            raise ValueError("all rows of a table have the same number of cells")
        if len(rows) * width > _CELLS_MOST:
            raise ValueError(f"a table has at most {_CELLS_MOST} cells here")
        size = {"property": {"row_size": len(rows), "column_size": width}}
        made: dict[str, Any] = {"block_id": f"b{len(self.blocks) + 1}", "block_type": _TABLE, "table": size}
        self.blocks.append(made)
        cells = [{"type": "text", "text": cell} for row in rows for cell in row]
        made["children"] = [self._put({"block_type": _CELL, "table_cell": {}}, [cell]) for cell in cells]
        return str(made["block_id"])


def _only(block: dict[str, Any], *names: str) -> None:
    if extra := sorted(block.keys() - set(names)):
        raise ValueError(f"a block of type {block['type']} takes no {', '.join(extra)}")


def _encode(value: Any) -> tuple[list[str], list[dict[str, Any]]]:
    if not isinstance(value, list):
        raise ValueError("blocks are a list")
    flat = _Flat()
    first = [flat.add(block) for block in value]
    return first, flat.blocks


NESTED_BLOCKS = Pair(encode=_encode)
"""`docx.nested_blocks`: the ids of the first level, and every block."""
