"""`placet search`: the same finder as a model's, for people and for programs."""

import json
import subprocess
import sys
from pathlib import Path

PLACET = Path(sys.executable).with_name("placet")
FIELDS = {"name", "summary", "score", "domain", "risk", "enabled", "source"}


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PLACET, "search", *words], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


def test_a_query_gives_one_array_of_whole_hits(tmp_path: Path) -> None:
    """Best first, as many as asked for; without a configuration the default policy says what is enabled."""
    found = json.loads(run(tmp_path, "--json", "--limit", "2", "多维表格新增一条记录").stdout)

    assert [one["name"] for one in found] == ["bitable.add_record", "bitable.add_records"]
    assert set(found[0]) == FIELDS
    assert (found[0]["risk"], found[0]["enabled"]) == ("write", False)
    assert found[0]["source"]["route"].startswith("/open-apis/bitable/")
    assert found[0]["score"] >= found[1]["score"]


def test_a_batch_gives_a_line_a_query_in_order(tmp_path: Path) -> None:
    """An empty array where nothing fits, so that lines stay aligned."""
    file = tmp_path / "queries"
    file.write_text("list the tables of a base\n\n推荐一家火锅店\n解散这个群\n", encoding="utf-8")

    lines = [json.loads(line) for line in run(tmp_path, "--batch", str(file)).stdout.splitlines()]

    assert [len(line) > 0 for line in lines] == [True, False, False, True]
    assert lines[3][0]["name"] == "chat.dissolve_chat"


def test_misuse_is_said(tmp_path: Path) -> None:
    """Neither a query nor a file, both, and a configuration that is not there."""
    neither, both = run(tmp_path), run(tmp_path, "x", "--batch", "y")
    missing = run(tmp_path, "x", "--config", "no.toml")

    assert [one.returncode for one in (neither, both, missing)] == [2, 2, 1]
    assert "--batch" in neither.stderr
    assert "no such file" in missing.stderr
