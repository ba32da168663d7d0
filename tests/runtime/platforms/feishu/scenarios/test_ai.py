"""Texts, an image and a recording through the gate."""

from base64 import b64decode

import pytest

from tests.runtime.platforms.feishu.scenarios.office_desk import desk

pytestmark = pytest.mark.anyio


async def test_a_text_of_unknown_language_is_translated_with_its_terms() -> None:
    """The glossary travels as pairs under the names that the platform has."""
    wish = {
        "text": "我们切换到飞书",
        "from_language": "zh",
        "to_language": "de",
        "glossary": {"飞书": "Lark"},
    }
    async with desk("ai") as office:
        told = await office.call("ai.detect_language", {"text": "我们切换到飞书"})
        translated = await office.call("ai.translate_text", wish)

    assert (told.keys(), translated.keys()) == ({"language"}, {"text"})
    sent = office.sent("POST /open-apis/translation/v1/text/translate").json
    assert sent["glossary"] == [{"from": "飞书", "to": "Lark"}]
    assert (sent["source_language"], sent["target_language"]) == ("zh", "de")


async def test_an_image_is_read_from_its_handle() -> None:
    """The bytes behind the handle travel as base64; a path is no handle."""
    async with desk("ai") as office:
        image = await office.stage(b"\x89PNG\r\n", "截图.png")
        read = await office.call("ai.read_image_text", {"image": image})
        path = await office.result("ai.read_image_text", {"image": "/etc/passwd"})

    assert (read.keys(), path.kind) == ({"lines"}, "refused")
    sent = office.sent("POST *").json
    assert b64decode(sent["image"]) == b"\x89PNG\r\n"


async def test_a_recording_is_transcribed_and_a_long_one_refused() -> None:
    """A minute of PCM is the most; more is refused before it is sent."""
    async with desk("ai") as office:
        short = await office.stage(b"\x00\x01" * 8, "语音.pcm")
        long = await office.stage(b"\x00\x01" * 960_001, "会议.pcm")
        text = await office.call("ai.transcribe_audio", {"audio": short})
        refused = await office.result("ai.transcribe_audio", {"audio": long})

    assert (text.keys(), refused.kind) == ({"text"}, "refused")
    sent = office.sent("POST *").json
    assert b64decode(sent["speech"]["speech"]) == b"\x00\x01" * 8
    assert (sent["config"]["format"], len(sent["config"]["file_id"])) == ("pcm", 16)
