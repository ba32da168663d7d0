"""`placet doctor`: what is wrong with an installation, a line each, with what to do."""

import json
from email.utils import formatdate
from typing import Any

import pytest

from placet.contract.words import Identity
from placet.testing import Fault
from tests.runtime.doors.installation import SECRET, Installation


def examined(installation: Installation) -> tuple[int, dict[str, dict[str, Any]]]:
    """Exit code, and each finding by the first word of its check."""
    done = installation.run("doctor", "--json")
    findings = [json.loads(line) for line in done.stdout.splitlines()]
    assert "Traceback" not in done.stderr, done.stderr
    assert SECRET not in done.stdout + done.stderr
    return done.returncode, {one["check"].split(" ")[0]: one for one in findings}


def test_a_well_installation_is_told_so(installation: Installation) -> None:
    """Configuration, store, tools, clock, credentials and scopes, each seen for real."""
    code, found = examined(installation)

    assert code == 0
    assert set(found) == {"configuration", "store", "tools", "clock", "credentials", "scopes"}
    assert all(one["is_well"] for one in found.values())
    assert installation.fake.token_requests("cli_a1") >= 1
    assert "base:record:read" in found["scopes"]["seen"]
    assert installation.run("doctor").stdout.count("ok ") == 6


FAULTS = [
    pytest.param(lambda one: one.configure('reads = ["shpo"]'), "configuration", "shpo", id="policy"),
    pytest.param(lambda one: (one.folder / "placet.toml").unlink(), "configuration", "setup", id="no-file"),
    pytest.param(lambda one: (one.folder / "placet.key").chmod(0o644), "configuration", "0600", id="open-key"),
    pytest.param(lambda one: (one.folder / "app.secret").write_text("wrong"), "credentials", "secret", id="wrong-secret"),
    pytest.param(lambda one: one.configure(base_url="http://127.0.0.1:9"), "clock", "no answer", id="no-host"),
    pytest.param(lambda one: one.configure(store="postgresql://127.0.0.1:9/x"), "store", "stores.url", id="store-down"),
    pytest.param(lambda one: one.configure(store="memory://"), "store", "restart", id="store-that-forgets"),
    pytest.param(lambda one: one.configure("reads = []"), "tools", "policy.reads", id="nothing-on"),
    pytest.param(
        lambda one: one.fake.inject("GET /", Fault(status=404, headers={"Date": formatdate(1_600_000_000, usegmt=True)})),
        "clock",
        "set the clock",
        id="clock",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "check", "said"), FAULTS)
def test_each_fault_is_told_with_what_to_do(
    installation: Installation, spoil: Any, check: str, said: str
) -> None:
    """A fault is exit code 1, one line that names it, and a next move."""
    spoil(installation)

    code, found = examined(installation)

    assert code == 1
    assert not found[check]["is_well"]
    assert found[check]["move"]
    assert said in found[check]["seen"] + found[check]["move"]


def test_a_token_is_really_asked_for(installation: Installation) -> None:
    """A cached token is no proof: revoked credentials are seen at once."""
    assert examined(installation)[0] == 0
    installation.fake.revoke("cli_a1", Identity.TENANT)
    installation.fake.inject(
        "POST */tenant_access_token/internal", Fault(code=10014, msg="app secret invalid")
    )

    code, found = examined(installation)

    assert code == 1
    assert "10014" in found["credentials"]["seen"]
