"""Another version of the SDK: the check says which tools it touches, and how.

The version is made here: the files of the installed one that the surface reads, with one change, before everything
else on Python's path.
"""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

from tests.end_to_end.project import Project

VERSION = "1.8.0"
ANSWER = "api/bitable/v1/model/search_app_table_record_response_body.py"
REQUEST = "api/bitable/v1/model/get_app_request.py"


@pytest.fixture
def upgraded(committed: Project, tmp_path: Path) -> Path:
    """A folder to import from, with the SDK of that version, unchanged so far."""
    spec = importlib.util.find_spec("lark_oapi")
    assert spec is not None
    assert spec.origin is not None
    site = tmp_path / "site"
    for place in ("__init__.py", *json.loads(committed.text("golden/feishu/sdk.pin.json"))["files"]):
        (site / "lark_oapi" / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path(spec.origin).parent / place, site / "lark_oapi" / place)
    info = site / f"lark_oapi-{VERSION}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: lark-oapi\nVersion: {VERSION}\n", encoding="utf-8"
    )
    (info / "RECORD").write_text("", encoding="utf-8")
    return site


def change(site: Path, place: str, old: str, new: str) -> None:
    path = site / "lark_oapi" / place
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def findings(project: Project, site: Path, code: str) -> list[str]:
    done = project.run("check", "--format", "json", path=site)
    assert done.returncode == 1, done.stderr
    return [f"{one['path']}: {one['message']}" for one in json.loads(done.stdout) if one["code"] == code]


def test_a_version_that_changes_nothing_used_touches_no_tool(project: Project, upgraded: Path) -> None:
    """A new version alone is one finding: pin it."""
    (found,) = findings(project, upgraded, "PIN001")

    assert found.startswith("golden/feishu/sdk.pin.json: ")
    assert f"'lark-oapi {VERSION}'" in found
    assert "no tool" in found


def test_a_changed_field_is_told_for_the_tool_that_uses_it(project: Project, upgraded: Path) -> None:
    """The tool, the field, the old and the new type, at the tool's place; and how many tools are touched."""
    change(upgraded, ANSWER, '"total": int', '"total": str')
    change(upgraded, ANSWER, "self.total: Optional[int]", "self.total: Optional[str]")

    touched, pinned = findings(project, upgraded, "PIN001")

    assert touched.startswith("curation/feishu/domains/bitable.yaml: 'bitable.query_records'")
    assert "'total' was 'integer', is 'string'" in touched
    assert "1 tool;" in pinned or pinned.endswith("1 tool")


def test_a_changed_route_is_told_where_the_old_one_is_written(project: Project, upgraded: Path) -> None:
    """A route that moved is no longer the one that people wrote down."""
    change(upgraded, REQUEST, "/open-apis/bitable/v1/apps/", "/open-apis/bitable/v2/apps/")

    (found,) = findings(project, upgraded, "SRC003")

    assert "'/open-apis/bitable/v2/apps/:app_token'" in found
    assert "'/open-apis/bitable/v1/apps/:app_token'" in found
