"""A stored card through the gate: made, streamed into, changed and closed."""

import json
from collections.abc import AsyncIterator

import pytest

from tests.runtime.platforms.feishu.scenarios.im_desk import Desk, opened

pytestmark = pytest.mark.anyio

CARD = "/open-apis/cardkit/v1/cards"


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with opened() as found:
        yield found


async def test_an_answer_is_streamed_into_a_card(desk: Desk) -> None:
    """Each request as the platform takes it, with a rising number and a key of its own."""
    card = {"schema": "2.0", "config": {"streaming_mode": True}, "body": {"elements": []}}
    card_id = (await desk.call("cardkit.create_card", content={"card": card}))["card_id"]
    place = {"card_id": card_id}
    element = {"tag": "markdown", "content": "...", "element_id": "text"}
    await desk.call("cardkit.add_elements", **place, elements=[element], place="append", sequence=1)
    await desk.call("cardkit.stream_text", **place, element_id="text", text="答案", sequence=2)
    await desk.call(
        "cardkit.patch_element", **place, element_id="text", changes={"text_size": "heading"}, sequence=3
    )
    await desk.call("cardkit.replace_element", **place, element_id="text", element=element, sequence=4)
    await desk.call(
        "cardkit.change_settings", **place, settings={"config": {"streaming_mode": False}}, sequence=5
    )
    await desk.call("cardkit.delete_element", **place, element_id="text", sequence=6)
    await desk.call("cardkit.update_card", **place, content={"notice": {"markdown": "完"}}, sequence=7)

    made, *changes = desk.fake.calls()
    text = f"{CARD}/{card_id}/elements/text"
    assert [(one.method, one.path) for one in (made, *changes)] == [
        ("POST", CARD),
        ("POST", f"{CARD}/{card_id}/elements"),
        ("PUT", f"{text}/content"),
        ("PATCH", text),
        ("PUT", text),
        ("PATCH", f"{CARD}/{card_id}/settings"),
        ("DELETE", text),
        ("PUT", f"{CARD}/{card_id}"),
    ]
    assert made.json["type"] == "card_json"
    assert json.loads(made.json["data"]) == card
    assert [one.json["sequence"] for one in changes] == [1, 2, 3, 4, 5, 6, 7]
    assert len({one.json["uuid"] for one in changes}) == 7
    assert changes[1].json["content"] == "答案"
    assert json.loads(changes[2].json["partial_element"]) == {"text_size": "heading"}
    assert json.loads(changes[6].json["card"]["data"])["body"]["elements"][0]["content"] == "完"
