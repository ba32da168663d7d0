"""Boards through the gate: read, drawn on, coloured, downloaded and cleared; what arrives is what was asked."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.runtime.platforms.feishu.scenarios.im_desk import Desk, opened

pytestmark = pytest.mark.anyio

BOARD = "Ru8nwrWFOhEmaFbEU2VbPRsHcxb"
ROUTE = f"/open-apis/board/v1/whiteboards/{BOARD}"


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with opened() as found:
        yield found


async def sent(desk: Desk, tool: str, **arguments: Any) -> tuple[str, str, Any]:
    """Verb, path and body of the tool's own request, which succeeds."""
    await desk.call(tool, whiteboard_id=BOARD, **arguments)
    last = desk.fake.calls()[-1]
    return last.method, last.path, last.json


async def test_a_board_is_read_and_downloaded(desk: Desk) -> None:
    """Nodes come with the ids that deleting takes; the picture is a file."""
    nodes = (await desk.call("board.list_nodes", whiteboard_id=BOARD))["nodes"]
    picture = await desk.call("board.download_image", whiteboard_id=BOARD)
    theme = await desk.call("board.get_theme", whiteboard_id=BOARD)

    assert all(isinstance(one["node_id"], str) for one in nodes)
    assert isinstance(picture["file"], str)
    assert isinstance(theme["theme"], str)


async def test_a_diagram_is_drawn_from_text(desk: Desk) -> None:
    """The text goes as it is, the syntax as its number."""
    code = "graph TD\n A[开发] --> B[上线]"

    assert await sent(desk, "board.draw_diagram", code=code, syntax=2) == (
        "POST",
        f"{ROUTE}/nodes/plantuml",
        {"plant_uml_code": code, "syntax_type": 2},
    )


async def test_shapes_are_put_coloured_and_deleted(desk: Desk) -> None:
    """A flat shape of ours is the nested one of the platform."""
    note = {
        "type": "composite_shape",
        "shape": "rect",
        "text": "评审",
        "x": 10,
        "y": 20,
        "fill_color": "#ffe699",
    }

    method, path, body = await sent(desk, "board.create_nodes", nodes=[note])
    assert (method, path) == ("POST", f"{ROUTE}/nodes")
    assert body == {
        "nodes": [
            {
                "type": "composite_shape",
                "composite_shape": {"type": "rect"},
                "text": {"text": "评审"},
                "x": 10,
                "y": 20,
                "style": {"fill_color": "#ffe699"},
            }
        ]
    }
    assert await sent(desk, "board.update_theme", theme="classic") == (
        "POST",
        f"{ROUTE}/update_theme",
        {"theme": "classic"},
    )
    assert await sent(desk, "board.delete_nodes", node_ids=["o1:1"]) == (
        "DELETE",
        f"{ROUTE}/nodes/batch_delete",
        {"ids": ["o1:1"]},
    )
