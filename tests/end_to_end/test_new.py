"""`placet new`: a draft that goes where it says, or nowhere."""

import pytest

from tests.end_to_end.project import Project, changed_files

METHOD = "contact.v3.unit.list"


def test_a_draft_is_added_at_the_end_of_its_domain(project: Project) -> None:
    """The rest of the file stays as it was, to the byte."""
    path = "curation/feishu/domains/bitable.yaml"
    before = project.text(path)

    done = project.run("new", METHOD, "--domain", "bitable", "--append")

    assert done.returncode == 0, done.stderr
    assert project.text(path).startswith(before.rstrip("\n"))


@pytest.mark.parametrize("domain", ["../../../pwn", "/tmp/pwn", "class", "a b", ""])
def test_a_domain_that_is_no_name_is_refused(project: Project, domain: str) -> None:
    """A draft never leaves the surface's folder."""
    before = project.files()

    done = project.run("new", METHOD, f"--domain={domain}", "--append")

    assert done.returncode in (0, 2) if domain == "" else done.returncode == 2
    assert "Traceback" not in done.stderr
    assert all(path.startswith("curation/feishu/domains/") for path in changed_files(before, project.files()))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("domain: things\ntitle: Things.\ntools: {}\n", id="flow-style"),
        pytest.param("domain: things\ntools:\n  a:\n    summary: A.\ntitle: Things.\n", id="tools-not-last"),
        pytest.param("domain: [\n", id="unreadable"),
    ],
)
def test_a_file_that_cannot_take_the_draft_is_left_alone(project: Project, text: str) -> None:
    """Rather than broken YAML there is a sentence that says how the file must look."""
    path = project.root / "curation" / "feishu" / "domains" / "things.yaml"
    path.write_text(text, encoding="utf-8")

    done = project.run("new", METHOD, "--domain", "things", "--append")

    assert done.returncode == 1
    assert "cannot stand at the end" in done.stderr
    assert path.read_text(encoding="utf-8") == text


def test_what_an_earlier_package_left_behind_is_told(project: Project) -> None:
    """A renamed package must not keep its old folder in the wheel."""
    project.edit("curation/feishu/surface.yaml", "package: placet_feishu", "package: lark_tools")
    assert project.run("build").returncode == 0

    done = project.run("check", "--full")

    assert done.returncode == 1
    assert "generated/src/placet_feishu" in done.stderr
