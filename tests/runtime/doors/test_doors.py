"""Every way to a tool, listed; and each of them passes the chain. A new one makes this file fail until it is here."""

import ast
import inspect
import json
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import placet
from placet.contract.policy import Decision, Proposal
from placet.contract.result import Ok, Pending
from placet.gate import Gate, chain
from placet.gate.children import Children
from tests.runtime.doors.installation import Installation
from tests.runtime.gate.pack import shop
from tests.runtime.gate.world import World, context

SOURCES = Path(placet.__file__).parent

GATE_DOORS = {"call", "invoke", "perform"}
"""Coroutines of a gate that anybody may call."""

COMMANDS = {
    "approvals": "Gate.perform, by the desk",
    "audit": "no tool: reads the audit",
    "call": "Gate.call",
    "demo": "Gate.call",
    "doctor": "no tool: asks for a token and looks at the host, with no arguments of anybody",
    "scan": "no tool: prints what steps 5 and 6 would let out",
    "search": "no tool: reads the index",
    "setup": "no tool: writes a configuration",
    "tools": "no tool: lists the index",
}
"""Commands of this distribution, and the door each of them uses."""

SENDING = {
    "send": {
        "gate/sending.py",
        "gate/pages.py",
        "gate/steps/execute.py",
        "transport/retry.py",
        "transport/services.py",
    },
    "exchange": {"doctor.py"},
    "run_routine": {"gate/pages.py", "gate/steps/execute.py"},
    "execute": {"gate/gate.py"},
}
"""Names under which a request leaves, and the only modules outside platforms and the transport that use each."""


def test_a_gate_has_no_other_door() -> None:
    """What awaits on a gate is a call by name, a typed call, or a call that a person has approved."""
    found = {
        name
        for name, member in vars(Gate).items()
        if not name.startswith("_")
        and (inspect.iscoroutinefunction(member) or inspect.isasyncgenfunction(member))
    }

    assert found == GATE_DOORS
    assert [name for name in vars(Children) if not name.startswith("_")] == ["read", "is_enabled"]


def test_every_command_is_known_with_its_door() -> None:
    """A command that is added says here how it reaches tools, or that it does not."""
    found = {
        entry.name
        for entry in entry_points(group="placet.commands")
        if entry.dist is not None and entry.dist.name == "placet"
    }

    assert found == set(COMMANDS)


@pytest.mark.parametrize("name", SENDING)
def test_requests_leave_from_the_chain_alone(name: str) -> None:
    """Only the step between 4 and 5 sends; no door and no helper has a way of its own."""
    users = {module for module, called in _calls() if called == name}

    assert users == SENDING[name]


def _calls() -> Iterator[tuple[str, str]]:
    """Module and name of every call in the runtime's own rooms."""
    for path in SOURCES.rglob("*.py"):
        module = path.relative_to(SOURCES).as_posix()
        if module.startswith(("platforms/", "testing/", "stores/")):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                target = node.func
                yield module, target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")


@pytest.mark.anyio
@pytest.mark.parametrize("door", ["call", "call-with-text", "invoke", "perform", "child"])
async def test_each_door_passes_the_chain(door: str) -> None:
    """Whatever the door, the record of the call lists all seven steps in order."""
    world = World()
    async with world.gate() as gate:
        match door:
            case "call":
                result = await gate.call("shop.get_item", {"id": "a"}, context())
            case "call-with-text":
                result = await gate.call("shop.get_item", '{"id": "a"}', context())
            case "invoke":
                result = await gate.invoke(shop.GET_ITEM, context(), shop.GetItemArgs(id="a"))
            case "perform":
                async with world.gate(authoriser=ask) as asking:
                    proposed = await asking.call("shop.get_item", {"id": "a"}, context())
                    assert isinstance(proposed, Pending)
                result = await world.approve(gate, proposed.id)
            case _:

                async def check(*arguments: object) -> None:
                    reads = arguments[2]
                    assert isinstance(reads, Children)
                    assert isinstance(await reads.read("shop.get_item", {"id": "a"}), Ok)

                world.platform.check = check
                result = await gate.call("shop.remove_item", {"id": "a"}, context())
        records = await world.records(gate)

    found = [one for one in records if (one["tool"], one["outcome"]) == ("shop.get_item", "ok")]

    assert isinstance(result, Ok)
    assert [[step for step, _, _ in one["steps"]] for one in found] == [list(chain.CHAIN[:-1])]


async def ask(proposal: Proposal) -> Decision:
    return Decision.ASK


@pytest.mark.parametrize("words", [["call"], ["demo"]], ids=["call", "demo"])
def test_each_command_with_a_door_passes_the_chain(installation: Installation, words: list[str]) -> None:
    """A terminal's call is recorded with all seven steps, and is refused what anybody is refused; nobody is no yes."""
    if words == ["demo"]:
        done = installation.run("demo")
        assert "writes that reached the platform: 0, deletions: 0" in done.stdout
        return
    installation.call("bitable.list_tables", {"app_token": installation.app_token})
    code, refused = installation.call("bitable.delete_table", installation.place)

    lines = installation.run("audit", "tail", "--json").stdout.splitlines()
    entries = [json.loads(line)["entry"] for line in lines]
    steps = [[step for step, _, _ in one["steps"]] for one in entries if one["event"] == "outcome"]
    assert steps == [list(chain.CHAIN[:-1])]
    assert (code, refused["code"]) == (3, "tool_not_enabled")
