"""From a search to what was decided; the words themselves are on by name only."""

import pytest

from placet.contract.words import Identity
from placet.files import MemoryFiles
from tests.runtime.platforms.feishu.scenarios.people import hosted

pytestmark = pytest.mark.anyio

WORDS = (
    "minutes.read_transcript",
    "minutes.export_transcript",
    "minutes.get_media",
    "minutes.get_statistics",
)


async def test_minutes_are_found_and_their_gist_is_read() -> None:
    """Search, then summary and to-dos, without a word of the transcript."""
    async with hosted() as host:
        found = await host.ask(
            "minutes.search_minutes",
            Identity.USER,
            query="评审",
            from_time="2026-04-27T00:00:00+08:00",
            to_time="2026-05-04T00:00:00+08:00",
        )

        assert host.last.json == {
            "query": "评审",
            "filter": {
                "create_time": {
                    "start_time": "2026-04-27T00:00:00+08:00",
                    "end_time": "2026-05-04T00:00:00+08:00",
                }
            },
        }
        token = found["items"][0]["minute_token"]
        gist = await host.ask("minutes.get_artifacts", Identity.USER, minute_token=token)
        assert host.last.path == f"/open-apis/minutes/v1/minutes/{token}/artifacts"
        assert set(gist) == {"summary", "chapters", "todos", "keywords"}


@pytest.mark.parametrize("tool", WORDS)
async def test_words_recordings_and_readers_are_on_by_name_only(tool: str) -> None:
    """What people said is nothing that a pattern switches on."""
    async with hosted() as host:
        result = await host.result(tool, {"minute_token": "obcn1"}, Identity.USER)

        assert result.kind == "refused"
        assert host.fake.calls() == []


async def test_a_transcript_is_read_or_exported_as_a_file() -> None:
    """The file comes as a handle, never as a path or as bytes."""
    async with hosted(reads=WORDS, files=MemoryFiles()) as host:
        read = await host.ask("minutes.read_transcript", Identity.USER, minute_token="obcn1")
        assert set(read) == {"transcript"}

        exported = await host.ask(
            "minutes.export_transcript", Identity.USER, minute_token="obcn1", format="srt", speakers=True
        )
        assert host.last.path == "/open-apis/minutes/v1/minutes/obcn1/transcript"
        assert (host.last.first("file_format"), host.last.first("need_speaker")) == ("srt", "true")
        assert set(exported) == {"file"}
