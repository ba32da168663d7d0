"""`placet audit`: what each command prints, its exit codes, and what it refuses."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from placet.stores import open_store
from tests.runtime.stores.asking import KEYS, SECRET, audited

pytestmark = pytest.mark.anyio

RUN = "import sys; from placet.cli.audit import command; command(args=sys.argv[1:], prog_name='placet audit')"


@pytest.fixture
async def url(tmp_path: Path) -> str:
    """A store with two closed chains."""
    address = f"sqlite:///{tmp_path / 'placet.db'}"
    for name in ("first\x1b[31m", "second"):
        truth, shared = open_store(address, keys=KEYS)
        await truth.apply(audited(call_id=name))
        await truth.close()
        await shared.close()
    return address


@pytest.fixture
def key(tmp_path: Path) -> str:
    path = tmp_path / "placet.key"
    path.write_bytes(SECRET + b"\n")
    return f"file:{path}"


def ran(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", RUN, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "300", "NO_COLOR": "1", "PLACET_AUDIT_KEY": SECRET.decode()},
    )


async def test_verify_tells_a_whole_audit_from_another(url: str, key: str) -> None:
    """Exit code 0 and every chain; after tampering exit code 1 and the place."""
    whole = ran("verify", "--store", url, "--key", key)
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    ((chain,),) = connection.execute("SELECT chain FROM placet_audit ORDER BY id LIMIT 1").fetchall()
    connection.execute("DELETE FROM placet_audit WHERE chain = ? AND seq > 1", (chain,))
    connection.commit()
    connection.close()
    cut = ran("verify", "--store", url, "--key", "env:PLACET_AUDIT_KEY", "--json")

    assert (whole.returncode, whole.stderr) == (0, "")
    assert (
        "2 chains, 0 faults" in whole.stdout
        and f"chain {chain}: 2 records, closed, anchored to 2" in whole.stdout
    )
    assert cut.returncode == 1
    told = json.loads(cut.stdout)
    assert told["is_whole"] is False
    assert [(fault["chain"], fault["seq"], fault["kind"]) for fault in told["faults"]] == [(chain, 2, "cut")]


async def test_an_anchor_printed_before_is_held_against_the_store_later(
    url: str, key: str, tmp_path: Path
) -> None:
    """What `anchor` printed, kept elsewhere, finds a database that was set back."""
    kept = tmp_path / "heads.jsonl"
    kept.write_text(ran("anchor", "--store", url).stdout, encoding="utf-8")
    before = ran("verify", "--store", url, "--key", key, "--anchor", str(kept))
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    connection.execute("DELETE FROM placet_audit WHERE id = (SELECT max(id) FROM placet_audit)")
    connection.commit()
    connection.close()
    after = ran("verify", "--store", url, "--key", key, "--anchor", str(kept))

    assert before.returncode == 0
    assert after.returncode == 1
    assert "FAULT" in after.stdout and "an anchor kept outside has seen record 3" in after.stdout


async def test_tail_and_export_print_what_is_there(url: str) -> None:
    """The last records for people and for programs, and all of them with their MACs."""
    people = ran("tail", "--store", url, "-n", "5")
    programs = ran("tail", "--store", url, "--json", "-n", "2")
    exported = ran("export", "--store", url)

    assert people.returncode == 0 and len(people.stdout.splitlines()) == 5
    assert "\x1b" not in people.stdout
    assert [json.loads(line)["entry"]["event"] for line in programs.stdout.splitlines()] == [
        "intent",
        "closed",
    ]
    assert len(exported.stdout.splitlines()) == 5
    assert {"chain", "seq", "key_id", "mac", "body"} == json.loads(exported.stdout.splitlines()[0]).keys()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(["verify"], 2, "--store URL", id="no-store"),
        pytest.param(["tail"], 2, "--store URL", id="no-store-to-look-at"),
        pytest.param(["verify", "--store", "sqlite:///x.db"], 2, "--key env:NAME", id="no-key"),
        pytest.param(
            ["verify", "--store", "sqlite:///x.db", "--key", "hunter2"], 2, "env:NAME or", id="a-bare-key"
        ),
        pytest.param(
            ["verify", "--store", "sqlite:///x.db", "--key", "env:NOT_SET"],
            2,
            "NOT_SET",
            id="no-such-variable",
        ),
        pytest.param(
            ["verify", "--store", "sqlite:///x.db", "--key", "env:HOME"], 2, "32 bytes", id="a-short-key"
        ),
        pytest.param(["tail", "--store", "sqlite:///not-there.db"], 1, "no database", id="no-such-database"),
        pytest.param(["tail", "--store", "memory://"], 1, "keeps no audit", id="no-audit-there"),
        pytest.param(["tail", "--store", "mysql://h/d"], 1, "no kind of store", id="no-such-kind"),
    ],
)
async def test_what_cannot_be_done_is_said(tmp_path: Path, words: list[str], code: int, said: str) -> None:
    """Each fault names itself and the next move, and nothing is made on disk."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "300", "NO_COLOR": "1", "HOME": "/short"},
    )

    assert done.returncode == code
    assert said in done.stderr
    assert "hunter2" not in done.stderr + done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "body",
    [
        b'{"at":"now","event":"x"}', b'{"at":1e300,"event":"x"}', b'{"at":null}', b'{"at":{"a":1}}', b"\xff", b"[]",
        b"[" * 5000, b'{"at":' + b"9" * 6000 + b"}", '{"event":"\u009b31m\u202e"}'.encode(),
    ],
)  # fmt: skip
async def test_whatever_a_row_says_it_is_one_plain_line(url: str, body: bytes, key: str) -> None:
    """A tampered entry neither ends the command nor reaches the terminal as it is."""
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    connection.execute("UPDATE placet_audit SET body = ? WHERE id = 1", (body,))
    connection.commit()
    connection.close()

    for words in (["tail"], ["tail", "--json"], ["export"], ["verify", "--key", key]):
        done = ran(*words, "--store", url)
        assert done.returncode == (1 if words[0] == "verify" else 0)
        assert done.stderr == ""
        assert done.stdout.replace("\n", "").isprintable()


def test_a_broken_configuration_is_told_and_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is there and wrong is no missing one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PLACET_CONFIG", raising=False)
    missing = ran("tail")
    (tmp_path / "placet.toml").write_text("keys = [\n", encoding="utf-8")
    broken = ran("tail")

    assert (missing.returncode, "--store" in missing.stderr) == (2, True)
    assert (broken.returncode, "placet.toml" in broken.stderr) == (1, True)
