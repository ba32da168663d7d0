"""`placet build` and `placet check` over the committed surface."""

import json
import re
import subprocess
import sys

import pytest

from tests.end_to_end.project import Project, changed_files

SUMMARY = re.compile(
    r"feishu: \d+ tools in \d+ domains \(\d+ read, \d+ write, \d+ high-risk-write\)(; \d+ notes)?; no drift"
)
IS_QUICK = "import sys; from placet.cli.main import main; code = main(['check']); assert 'pydantic' not in sys.modules; sys.exit(code)"
SUMMARY_EDIT = ("summary: Change chosen fields of one record;", "summary: Change some fields of one record;")


def test_building_what_is_committed_changes_nothing(project: Project) -> None:
    """What is committed is what the curation gives, byte for byte, and the build ends by saying so."""
    before = project.files()

    done = project.run("build")

    assert done.returncode == 0, done.stderr
    assert changed_files(before, project.files()) == set()
    *_, counts, summary = done.stdout.splitlines()
    assert counts.startswith("0 files written, 0 removed, ")
    assert SUMMARY.fullmatch(summary)


def test_the_summary_counts_what_the_manifest_lists(project: Project) -> None:
    """The closing line's numbers of tools, domains and risks are those of the manifest."""
    rows = [line.split("\t") for line in project.text("golden/feishu/manifest.tsv").splitlines()[1:]]
    risks = [row[2] for row in rows]
    domains = {row[0].partition(".")[0] for row in rows}

    summary = project.run("build").stdout.splitlines()[-1]

    counts = ", ".join(f"{risks.count(risk)} {risk}" for risk in ("read", "write", "high-risk-write"))
    assert summary.startswith(f"feishu: {len(rows)} tools in {len(domains)} domains ({counts})")


def test_a_clean_check_is_quick_the_second_time_and_wakes_after_an_edit(project: Project) -> None:
    """The stamp of a clean check answers without the compiler, and an edited input takes the answer away."""
    first = project.run("check")
    quick = subprocess.run(
        [sys.executable, "-c", IS_QUICK], cwd=project.root, capture_output=True, text=True, check=False
    )
    project.edit("curation/feishu/domains/bitable.yaml", *SUMMARY_EDIT)
    woken = project.run("check")

    assert (first.returncode, quick.returncode, woken.returncode) == (0, 0, 1), quick.stderr
    assert SUMMARY.fullmatch(first.stdout.strip())
    assert quick.stdout == first.stdout


def test_the_package_imports_neither_the_sdk_nor_pydantic() -> None:
    """Whoever only uses the tools pays for msgspec and nothing else."""
    code = (
        "import placet_feishu, sys; assert 'lark_oapi' not in sys.modules and 'pydantic' not in sys.modules"
    )

    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_summary_edit_changes_its_tool_and_domain_and_nothing_else(project: Project) -> None:
    """New words of one tool reach its module, its golden file and its domain's pages; `placet diff` calls them text."""
    before = project.files()
    manifest = project.text("golden/feishu/manifest.tsv").splitlines()
    project.edit("curation/feishu/domains/bitable.yaml", *SUMMARY_EDIT)

    done = project.run("build")
    diff = json.loads(project.run("diff", "--json").stdout)

    assert done.returncode == 0, done.stderr
    assert changed_files(before, project.files()) == {
        "curation/feishu/domains/bitable.yaml",
        "generated/src/placet_feishu/bitable/_update_record.py",
        "generated/src/placet_feishu/index/bitable.py",
        "generated/src/placet_feishu/schemas/bitable.json",
        "generated/src/placet_feishu/skills/feishu-bitable/SKILL.md",
        "generated/src/placet_feishu/skills/feishu-bitable/references/tools.md",
        "golden/feishu/manifest.tsv",
        "golden/feishu/tools/bitable/update_record.json",
    }
    assert [(one["tool"], one["effect"]) for one in diff] == [("bitable.update_record", "text")]
    (was, now), *others = (
        (old.split("\t"), new.split("\t"))
        for old, new in zip(manifest, project.text("golden/feishu/manifest.tsv").splitlines(), strict=True)
        if old != new
    )
    assert others == []
    assert manifest[0].split("\t")[-1] == "text_digest"
    assert was[:-1] == now[:-1]


@pytest.mark.parametrize(
    ("path", "damage", "code"),
    [
        pytest.param("generated/src/placet_feishu/bitable/_add_record.py", b"# mine\n", "DRF002", id="module-edited"),
        pytest.param("generated/src/placet_feishu/index/approval.py", None, "DRF001", id="index-deleted"),
        pytest.param("generated/src/placet_feishu/bitable/_left_over.py", b"", "DRF003", id="module-added"),
        pytest.param("golden/feishu/tools/approval/approve_task.json", b"{}", "DRF002", id="golden-edited"),
        pytest.param("golden/feishu/manifest.tsv", b"name\n", "DRF002", id="manifest-cut"),
    ],
)  # fmt: skip
def test_a_touched_output_is_named_with_what_mends_it(
    project: Project, path: str, damage: bytes | None, code: str
) -> None:
    """A generated file that somebody edited, lost or added fails the check as that file, and a build mends it."""
    before = project.files()
    if damage is None:
        (project.root / path).unlink()
    else:
        (project.root / path).write_bytes(damage)

    done = project.run("check", "--format", "json")
    errors = [one for one in json.loads(done.stdout) if one["severity"] == "error"]

    assert done.returncode == 1
    assert [(one["path"], one["code"]) for one in errors] == [(path, code)]
    assert "make generate" in errors[0]["hint"]
    assert project.run("build").returncode == 0
    assert changed_files(before, project.files()) == set()
