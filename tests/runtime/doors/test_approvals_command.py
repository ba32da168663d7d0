"""`placet approvals`: a person at a terminal decides, or an operator with a token; nobody else."""

import json

import pytest

from tests.runtime.doors.installation import Installation
from tests.runtime.doors.terminal import at_a_terminal

UPDATE = "bitable.update_record"


@pytest.fixture
def asked(installation: Installation) -> str:
    """The id of a proposal to close the first task."""
    installation.configure(f'write_allow = ["{UPDATE}"]')
    record = next(iter(installation.table.records))
    change = {**installation.place, "record_id": record, "fields": {"状态": "已完成"}}
    code, pending = installation.call(UPDATE, change, "--user", "ou_ann", "--session", "oc_1")
    assert (code, pending["kind"]) == (4, "pending")
    identifier: str = pending["id"]
    return identifier


def test_a_person_sees_old_and_new_says_yes_and_it_happens_once(
    installation: Installation, asked: str
) -> None:
    """List, show, approve: one effect, on record with who decided; a second yes finds it decided."""
    listed = installation.run("approvals", "list")
    code, screen = at_a_terminal(installation.folder, ["approvals", "approve", asked], "y\n")
    again, too_late = at_a_terminal(installation.folder, ["approvals", "approve", asked], "y\n")
    lines = installation.run("audit", "tail", "--json").stdout.splitlines()
    entries = [json.loads(line)["entry"] for line in lines]
    decision = next(one for one in entries if one["event"] == "decision")
    shown = json.loads(installation.run("approvals", "show", asked, "--json").stdout)

    assert asked in listed.stdout
    assert "Approve this call? [y/N]" in screen
    assert "待办" in screen
    assert "->" in screen
    assert "已完成" in screen
    assert (code, again) == (0, 1)
    assert "somebody has decided already" in too_late
    assert len(installation.fake.calls("PUT *")) == 1
    assert (decision["outcome"], decision["details"]) == ("claimed", {"strength": "operator"})
    assert decision["actor"].startswith("operator:")
    assert shown["state"] == "executed"


@pytest.mark.parametrize("typed", ["\n", "n\n", "what?\nn\n"])
def test_anything_but_a_yes_leaves_it_open(installation: Installation, asked: str, typed: str) -> None:
    """The default is no decision."""
    code, screen = at_a_terminal(installation.folder, ["approvals", "approve", asked], typed)

    assert (code, "left open" in screen) == (1, True)
    assert asked in installation.run("approvals", "list").stdout
    assert installation.fake.calls("PUT *") == []


def test_a_no_is_kept_with_its_reason(installation: Installation, asked: str) -> None:
    """After it nothing can be approved."""
    code, _ = at_a_terminal(
        installation.folder, ["approvals", "reject", asked, "--reason", "not on a Friday"], "y\n"
    )
    shown = json.loads(installation.run("approvals", "show", asked, "--json").stdout)
    late, _ = at_a_terminal(installation.folder, ["approvals", "approve", asked], "y\n")

    assert (code, late) == (0, 1)
    assert (shown["state"], shown["reason"]) == ("rejected", "not on a Friday")
    assert installation.fake.calls("PUT *") == []


def test_without_a_terminal_a_yes_needs_the_operators_token_and_the_digest(
    installation: Installation, asked: str
) -> None:
    """A pipe is nobody; a wrong token is nobody; a token without the digest has seen nothing."""
    piped = installation.run("approvals", "approve", asked, given="y\n")
    text = (installation.folder / "placet.toml").read_text(encoding="utf-8")
    (installation.folder / "placet.toml").write_text(
        text + '\n[doors.host]\noperator_token = "file:operator.token"\n', encoding="utf-8"
    )
    for name, token in (("operator.token", "t" * 40), ("other.token", "u" * 40)):
        (installation.folder / name).write_text(token + "\n", encoding="utf-8")
        (installation.folder / name).chmod(0o600)
    approve = ("approvals", "approve", asked, "--operator-token")
    wrong = installation.run(*approve, "other.token")
    blind = installation.run(*approve, "operator.token")
    stale = installation.run(*approve, "operator.token", "--digest", "0" * 64)
    sent = len(installation.fake.calls("PUT *"))
    digest = json.loads(installation.run("approvals", "show", asked, "--json").stdout)["digest"]
    done = installation.run(*approve, "operator.token", "--digest", digest)

    assert "needs a person at a terminal" in piped.stderr
    assert "not the operator's token" in wrong.stderr
    assert (blind.returncode, "--digest" in blind.stderr) == (2, True)
    assert (stale.returncode, "not the one of what waits" in stale.stdout) == (1, True)
    assert sent == 0
    assert (done.returncode, json.loads(done.stdout)["kind"]) == (0, "ok")
    assert len(installation.fake.calls("PUT *")) == 1


def test_a_sweep_closes_what_a_dead_process_left(installation: Installation, asked: str) -> None:
    """With nothing to do it says so; an unknown id is a sentence and exit code 1."""
    swept = installation.run("approvals", "sweep")
    unknown = installation.run("approvals", "show", "apr_none")

    assert json.loads(swept.stdout) == {"expired": [], "performed": {}}
    assert (unknown.returncode, "there is no approval" in unknown.stderr) == (1, True)
