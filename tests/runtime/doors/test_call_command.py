"""`placet call`: one call from a terminal, with the result as JSON and an exit code that says how it ended."""

import json

import pytest

from placet.cli.exits import EXIT_CODES, exit_code
from placet.contract.result import Failed, Ok, Pending, Refused, Result, Unknown
from placet.testing import Fault
from tests.runtime.doors.installation import APP, Installation

UPDATE = "bitable.update_record"


@pytest.mark.parametrize(
    ("result", "code"),
    [
        pytest.param(Ok(data={}), 0, id="ok"),
        pytest.param(Failed(code="1", category="other"), 1, id="failed"),
        pytest.param(Refused(code="c", reason="r"), 3, id="refused"),
        pytest.param(Pending(id="1", needs="approval"), 4, id="pending"),
        pytest.param(Unknown(id="1", reason="r"), 5, id="unknown"),
    ],
)
def test_each_kind_of_result_has_its_exit_code(result: Result[dict[str, str]], code: int) -> None:
    """A script tells from the code alone what happened; 2 is left to usage."""
    assert exit_code(result) == code
    assert 2 not in EXIT_CODES.values()


def test_a_read_and_its_arguments(installation: Installation) -> None:
    """Arguments come as pairs, as one object, or on standard input; all mean the same."""
    pairs = [word for name, value in installation.place.items() for word in ("--arg", f"{name}={value}")]

    by_pairs = installation.run("call", "bitable.query_records", *pairs, "--arg", "page_size=1")
    by_text = installation.run(
        "call", "bitable.query_records", "--json", json.dumps({**installation.place, "page_size": 1})
    )
    code, by_input = installation.call("bitable.query_records", {**installation.place, "page_size": 1})

    assert (by_pairs.returncode, by_text.returncode, code) == (0, 0, 0)
    assert json.loads(by_pairs.stdout) == json.loads(by_text.stdout) == by_input
    assert by_input["kind"] == "ok"
    assert by_input["data"]["items"][0]["fields"]["任务"] == "写周报"


def test_the_ways_a_call_ends(installation: Installation) -> None:
    """Refused while nobody enabled it, pending once it is named, failed and unknown as the platform answers."""
    record = next(iter(installation.table.records))
    change = {**installation.place, "record_id": record, "fields": {"状态": "已完成"}}
    assert installation.call(UPDATE, change)[0] == 3
    installation.configure(f'write_allow = ["{UPDATE}"]\nunattended = ["{UPDATE}"]')
    code, result = installation.call(UPDATE, change, "--user", "ou_ann")
    assert (code, result["kind"], result["needs"]) == (4, "pending", "approval")
    assert installation.call(UPDATE, {**change, "dry_run": True})[0] == 0
    installation.fake.inject("GET /open-apis/bitable/*", Fault(code=1254302, msg="no permission"))
    code, result = installation.call("bitable.list_tables", {"app_token": installation.app_token})
    assert (code, result["code"]) == (1, "1254302")
    assert installation.table.values[0]["状态"] == "待办"


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["--arg", "app_token"], id="no-value"),
        pytest.param(["--arg", "a=1", "--arg", "a=2"], id="twice"),
        pytest.param(["--arg", "a=1", "--json", "{}"], id="both"),
        pytest.param(["--identity", "root"], id="identity"),
        pytest.param(["--app"], id="option-without-a-value"),
        pytest.param(["--app", "nope"], id="unknown-app"),
    ],
)
def test_wrong_usage_is_exit_code_2(installation: Installation, words: list[str]) -> None:
    """What cannot be understood sends nothing."""
    done = installation.run("call", "bitable.list_tables", *words)

    assert done.returncode == 2
    assert installation.fake.calls() == []


def test_odd_json_is_the_gates_to_refuse(installation: Installation) -> None:
    """The text goes to the gate as it is, which refuses a key that stands twice."""
    done = installation.run("call", "bitable.list_tables", "--json", '{"app_token": "a", "app_token": "b"}')

    assert done.returncode == 3
    assert "twice" in json.loads(done.stdout)["reason"]


def test_a_text_that_looks_like_a_number_stays_a_text(installation: Installation) -> None:
    """An id of digits is not rounded on its way."""
    done = installation.run("call", "bitable.list_tables", "--arg", "app_token=7400000000000000001")

    assert done.returncode == 1
    assert installation.fake.calls()[0].path.split("/")[5] == "7400000000000000001"


def test_a_call_leaves_its_record(installation: Installation) -> None:
    """What a terminal did is in the audit, and the chain is whole."""
    installation.call("bitable.list_tables", {"app_token": installation.app_token}, "--user", "ou_ann")

    tail = installation.run("audit", "tail", "--json")
    verified = installation.run("audit", "verify")

    entries = [json.loads(line)["entry"] for line in tail.stdout.splitlines()]
    assert ("outcome", "bitable.list_tables", "ou_ann") in [
        (one["event"], one["tool"], one["actor"]) for one in entries
    ]
    assert verified.returncode == 0


def test_an_unknown_app_is_told_the_known_ones(installation: Installation) -> None:
    """Nobody has to look into the configuration for its name."""
    done = installation.run("call", "bitable.list_tables", "--app", "nope")

    assert (done.returncode, APP in done.stderr) == (2, True)


@pytest.mark.parametrize(
    "pair", ['fields={"a":1,"a":2}', 'fields={"a":NaN}', "fields=" + "[" * 2000], ids=["twice", "nan", "deep"]
)
def test_a_pairs_json_is_read_by_the_gate_alone(installation: Installation, pair: str) -> None:
    """What two readers would read differently is refused there too, and nothing is sent."""
    code = installation.run("call", "bitable.add_record", "--arg", pair).returncode

    assert (code, installation.fake.calls()) == (3, [])
