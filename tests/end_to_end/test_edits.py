"""One edit of the curation is one finding, at the place of the edit.

Each tool gets one kind of edit, in turn; shared parameters get theirs too. The places are found by text, not by
the reader under test.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import pytest

from placet.cli.main import main
from tests.end_to_end.project import Project
from tests.three_domains import KEPT

WORKSPACE = Path(__file__).parents[2]
DOMAINS = "curation/feishu/domains"
NOWHERE = '"bitable.list_tablez#items[].table_id"'


@dataclass(frozen=True, slots=True)
class Edit:
    """A text in a file, where it starts, and what takes its place."""

    path: str
    kind: str
    offset: int
    old: str
    new: str

    def place(self, text: str) -> tuple[int, int]:
        """Line and column, both from 1."""
        before = text[: self.offset]
        return before.count("\n") + 1, self.offset - before.rfind("\n")

    def made(self, text: str) -> str:
        return text[: self.offset] + self.new + text[self.offset + len(self.old) :]


def misspelt_route(route: str) -> str:
    """Another last word before the trailing placeholders."""
    return re.sub(r"/([a-z_]+)((?:/:[a-z_]+)*\"?)$", r"/\1x\2", route)


RISKS = {"read": "write", "write": "high-risk-write", "high-risk-write": "write"}
IDENTITIES = {"[tenant, user]": "[tenant]"}
WORDS = {"tenant": "user", "user": "tenant"}
KINDS = {
    "route": (r"\broute: (\"[^\"]+\"|/[^\s,}]+)", misspelt_route),
    "slot": (r"\bto: ((?:path|query|body)\.[\w.\[\]]+)", lambda slot: f"{slot}x"),
    "risk": (r"(?m)^    risk: (\S+)", RISKS.__getitem__),
    "identity": (
        r"(?m)^    identity: (?:(\[tenant, user\])|\[(\w+)\])",
        lambda one: (IDENTITIES | WORDS)[one],
    ),
    "obtain": (r"\bobtain: \[?(\"[^\"]+\"|[\w.#\[\]]+\w\]?)", lambda _: NOWHERE),
    "obtain-a-person": (r"\bobtain: (\"[^\"]+\")", lambda _: "person"),
}


ENTANGLED = {"identity": "check: tokens", "risk": "sensitive: true", "slot": "derive:"}
"""What a tool says elsewhere too, so that a change in one place is rightly two findings."""


def edits_of(path: str, text: str, start: int, end: int, kind: str) -> Iterator[Edit]:
    pattern, change = KINDS[kind]
    for found in re.finditer(pattern, text[start:end]):
        group = found.lastindex or 1
        old = found[group]
        yield Edit(path, kind, start + found.start(group), old, change(old))


def all_edits() -> Iterator[object]:
    kinds = cycle(KINDS)
    for file in [WORKSPACE / DOMAINS / f"{domain}.yaml" for domain in KEPT]:
        path, text = f"{DOMAINS}/{file.name}", file.read_text(encoding="utf-8")
        tools = text.index("\ntools:\n") + len("\ntools:\n")
        starts = [(one[1], tools + one.start()) for one in re.finditer(r"(?m)^  (\w+):\n", text[tools:])]
        ends = [start for _, start in starts[1:]] + [len(text)]
        for (key, start), end in zip(starts, ends, strict=True):
            possible = {
                kind: list(edits_of(path, text, start, end, kind))
                for kind in KINDS
                if kind not in ENTANGLED or ENTANGLED[kind] not in text[start:end]
            }
            chosen = next((kind for kind, _ in zip(kinds, KINDS, strict=False) if possible.get(kind)), None)
            if chosen is not None:
                yield pytest.param(possible[chosen][0], id=f"{file.stem}.{key}-{chosen}")
        shared = re.search(r"(?ms)^parameters:\n.*?^(?=\w)", text)
        if shared is not None:
            for kind in ("slot", "obtain", "obtain-a-person"):
                for number, edit in enumerate(edits_of(path, text, *shared.span(), kind)):
                    if number % 4 == 0:
                        yield pytest.param(edit, id=f"{file.stem}-shared-{kind}-{number}")


@pytest.fixture(scope="module")
def edited(committed: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """One copy for all edits; each is taken back."""
    return committed.copy(tmp_path_factory.mktemp("edited") / "project")


OVERLAY = "curation/feishu/locales/zh/bitable.yaml"
BITABLE = f"{DOMAINS}/bitable.yaml"


TEXTS = [
    pytest.param(BITABLE, "Change chosen fields of one record;", "Change some fields of one record;", id="summary"),
    pytest.param(BITABLE, "You hold the record_id and know which", "You have the record_id and know which", id="use-when"),
    pytest.param(BITABLE, "Several records change; use bitable.up", "More records change; use bitable.up", id="avoid-when"),
    pytest.param(BITABLE, "[多维表格, 改记录, ", "[多维表格, 改一条记录, ", id="keywords"),
    pytest.param(BITABLE, "Not on formula or lookup fields.", "Not on formula fields.", id="about"),
    pytest.param(BITABLE, "The table, tbl...", "The table, tblx...", id="shared-about"),
    pytest.param(BITABLE, "The sort is wrong. Use", "The sort is broken. Use", id="advice"),
    pytest.param(OVERLAY, "修改一条记录的指定字段，其余不变。", "修改一条记录的部分字段，其余不变。", id="chinese-summary"),
    pytest.param(OVERLAY, "记录不存在。用 bitable", "记录已不存在。用 bitable", id="chinese-advice"),
]  # fmt: skip


@pytest.fixture
def finding(
    edited: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[Edit], str]:
    """Make an edit, check, take it back; the message of the one error, which must stand at the edit."""

    def check(edit: Edit) -> str:
        file = edited.root / edit.path
        text = file.read_text(encoding="utf-8")
        monkeypatch.chdir(edited.root)
        file.write_text(edit.made(text), encoding="utf-8")
        try:
            with pytest.raises(SystemExit) as ended:
                main(["check", "--format", "json"])
        finally:
            file.write_text(text, encoding="utf-8")
        (error,) = (one for one in json.loads(capsys.readouterr().out) if one["severity"] == "error")
        assert ended.value.code == 1
        assert (error["path"], error["line"], error["column"]) == (edit.path, *edit.place(text))
        return f"{error['code']} {error['message']}"

    return check


@pytest.mark.parametrize("edit", list(all_edits()))
def test_an_edit_is_one_finding_at_its_place(edit: Edit, finding: Callable[[Edit], str]) -> None:
    """A check after one edit says one thing, at that line and column, and names what was written."""
    message = finding(edit)

    differing = set(re.findall(r"\w+", edit.old)) ^ set(re.findall(r"\w+", edit.new))
    assert any(word in message for word in differing)


@pytest.mark.parametrize(("path", "old", "new"), TEXTS)
def test_a_changed_text_is_told_where_it_is_written(
    path: str, old: str, new: str, finding: Callable[[Edit], str]
) -> None:
    """A text that was edited and not generated is one finding at that text, in the language it was edited in."""
    text = (WORKSPACE / path).read_text(encoding="utf-8")
    offset = text.index(old)
    edit = Edit(path, "text", offset, old, new)

    assert finding(edit).startswith("DRF002 ")


@pytest.mark.parametrize("kind", ["route", "slot", "risk", "identity", "obtain"])
def test_a_person_sees_one_clear_line(kind: str, project: Project) -> None:
    """The executable prints that finding as one line with its place and ends with exit code 1."""
    path = f"{DOMAINS}/bitable.yaml"
    text = project.text(path)
    edit = next(edits_of(path, text, 0, len(text), kind))
    (project.root / path).write_text(edit.made(text), encoding="utf-8")

    done = project.run("check")
    found = [line for line in done.stderr.splitlines() if line.startswith("curation/")]
    line, column = edit.place(text)

    assert done.returncode == 1
    assert len(found) == 1
    assert re.match(rf"{re.escape(path)}:{line}:{column}: [A-Z]{{3}}\d{{3}} .+; .+$", found[0])
    assert "1 error" in done.stderr.splitlines()
    assert done.stdout == ""
