"""Documents through the gate: made, filled, read, changed paragraph by paragraph, and written anew."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from placet.contract.result import Failed, Ok
from placet.testing import Fault
from tests.runtime.platforms.feishu.scenarios.im_desk import Desk, opened

pytestmark = pytest.mark.anyio

NOTES = "## 议题\n- 方案 A\n- 方案 B\n下次会议周五"


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with opened() as found:
        yield found


async def lines(desk: Desk, document_id: str) -> dict[str, str]:
    """Block id to line, in order, without the title."""
    items = (await desk.call("docx.read_lines", document_id=document_id))["items"]
    return {one[1 : one.index("]")]: one[one.index("]") + 2 :] for one in items[1:]}


async def test_a_document_is_made_filled_changed_and_cut(desk: Desk) -> None:
    """The chain of a document, read back after each step."""
    made = await desk.call("docx.create_document", title="会议纪要")
    document: dict[str, Any] = {"document_id": made["document_id"]}
    await desk.call("docx.append_markdown", **document, markdown=NOTES)
    found = await lines(desk, made["document_id"])
    assert list(found.values()) == ["## 议题", "- 方案 A", "- 方案 B", "下次会议周五"]

    blocks = [{"type": "heading2", "text": "结论"}, {"type": "todo", "text": "发布公告"}]
    added = await desk.call("docx.append_blocks", **document, blocks=blocks)
    await desk.call("docx.tick_checkbox", **document, block_id=added["blocks"][1]["block_id"], done=True)
    first = next(iter(found))
    await desk.call("docx.update_block", **document, block_id=first, text=[{"text": "要点", "bold": True}])
    assert list((await lines(desk, made["document_id"])).values())[-2:] == ["## 结论", "- [x] 发布公告"]
    assert (await desk.call("docx.get_block", **document, block_id=first))["block"]["text"] == [
        {"text": "要点", "bold": True}
    ]

    children = (await desk.call("docx.list_children", **document))["items"]
    assert [one["type"] for one in children] == ["heading2", "bullet", "bullet", "text", "heading2", "todo"]
    await desk.call("docx.delete_blocks", **document, start_index=1, end_index=3)
    left = (await desk.call("docx.get_markdown", **document))["content"]
    assert left.splitlines() == ["## 要点", "下次会议周五", "## 结论", "发布公告"]
    assert (await desk.call("docx.get_text", **document))["content"].startswith("会议纪要\n")
    assert (await desk.call("docx.get_document", **document))["revision"] > made["revision"]


async def test_several_paragraphs_change_together_or_not_at_all(desk: Desk) -> None:
    """One id that is gone, and nothing is changed."""
    document = desk.tenant.docx.add("会议纪要", markdown=NOTES)
    found = list(await lines(desk, document.document_id))
    new = [{"block_id": found[1], "text": "方案甲"}, {"block_id": found[2], "text": "方案乙"}]

    failed = await desk.result(
        "docx.update_blocks",
        document_id=document.document_id,
        blocks=[*new, {"block_id": "gone", "text": "x"}],
    )
    assert isinstance(failed, Failed)
    assert "- 方案 A" in (await lines(desk, document.document_id)).values()

    await desk.call("docx.update_blocks", document_id=document.document_id, blocks=new)
    assert list((await lines(desk, document.document_id)).values())[1:3] == ["- 方案甲", "- 方案乙"]


async def test_levels_and_tables_arrive_as_a_tree(desk: Desk) -> None:
    """Each block stands below the one that holds it."""
    document = desk.tenant.docx.add("计划")
    blocks: list[dict[str, Any]] = [
        {"type": "bullet", "text": "风险", "children": [{"type": "bullet", "text": "进度"}]},
        {"type": "table", "rows": [["负责人", "截止"]]},
    ]

    made = await desk.call("docx.add_nested_blocks", document_id=document.document_id, blocks=blocks)
    listed = (await desk.call("docx.list_blocks", document_id=document.document_id))["items"]

    assert [one["type"] for one in made["blocks"]] == ["bullet", "table"]
    of: dict[str, Any] = {one["block_id"]: one for one in listed}
    (inner,) = [one for one in listed if one.get("text") == "进度"]
    assert of[inner["parent_id"]]["text"] == "风险"
    assert [one["type"] for one in listed[3:]] == ["table", "table_cell", "text", "table_cell", "text"]


async def test_a_document_is_written_anew(desk: Desk) -> None:
    """New in, old out; the title stays."""
    document = desk.tenant.docx.add("会议纪要", markdown=NOTES)

    made = await desk.call("docx.replace_content", document_id=document.document_id, markdown="# 新\n正文")

    assert made["old_block_ids"] == []
    assert list((await lines(desk, document.document_id)).values()) == ["# 新", "正文"]
    assert document.title == "会议纪要"


async def test_old_text_that_could_not_go_is_told(desk: Desk) -> None:
    """A replacement that stops half way says what is left, and nothing is lost."""
    document = desk.tenant.docx.add("会议纪要", markdown=NOTES)
    desk.fake.inject("DELETE *", Fault(code=1770032, status=403))

    result = await desk.result("docx.replace_content", document_id=document.document_id, markdown="新正文")

    assert isinstance(result, Ok)
    found = await lines(desk, document.document_id)
    assert result.data["old_block_ids"] == list(found)[:4]
    assert list(found.values())[-1] == "新正文"
