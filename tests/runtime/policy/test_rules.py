"""A host's rules: reads by domain, glob or name; what is sensitive or writes by exact name; everything else is off."""

from typing import Any

import pytest
from msgspec.structs import replace

from placet.contract.policy import Policy
from placet.contract.refusal import Reason
from placet.contract.tool import ToolEntry
from placet.contract.words import Identity, Risk
from placet.policy import InvalidPolicy, Rules, Verdict
from tests.runtime.gate import pack

TOOLS: dict[str, ToolEntry] = {one.name: one for one in pack.surface.tools}
TOOLS["other.read"] = replace(
    TOOLS["shop.get_item"], name="other.read", domain="other", wire_name="other_read"
)

OFF, CEILING = Reason.TOOL_NOT_ENABLED, Reason.RISK_OVER_CEILING


@pytest.mark.parametrize(
    ("policy", "tool", "reason"),
    [
        pytest.param({}, "shop.get_item", None, id="reads-are-on"),
        pytest.param({}, "shop.secret_item", OFF, id="sensitive-reads-are-off"),
        pytest.param({}, "shop.add_item", OFF, id="writes-are-off"),
        pytest.param({"reads": ()}, "shop.get_item", OFF, id="no-reads"),
        pytest.param({"reads": ("shop",)}, "shop.get_item", None, id="by-domain"),
        pytest.param({"reads": ("shop",)}, "other.read", OFF, id="another-domain"),
        pytest.param({"reads": ("shop.get*",)}, "shop.get_item", None, id="by-glob"),
        pytest.param({"reads": ("shop.get*",)}, "shop.list_items", OFF, id="glob-that-does-not-match"),
        pytest.param({"reads": ("shop.get_item",)}, "shop.get_item", None, id="by-name"),
        pytest.param({"reads": ("*",)}, "shop.secret_item", OFF, id="sensitive-not-by-star"),
        pytest.param({"reads": ("shop",)}, "shop.secret_item", OFF, id="sensitive-not-by-domain"),
        pytest.param({"reads": ("shop.secret_*",)}, "shop.secret_item", OFF, id="sensitive-not-by-glob"),
        pytest.param({"reads": ("shop.secret_item",)}, "shop.secret_item", None, id="sensitive-by-name"),
        pytest.param({"reads": ("*",)}, "shop.add_item", OFF, id="reads-enable-no-write"),
        pytest.param({"write_allow": ("shop.add_item",)}, "shop.add_item", None, id="write-by-name"),
        pytest.param({"write_allow": ("shop.add_item",)}, "shop.add_keyed", OFF, id="another-write"),
        pytest.param(
            {"write_allow": ("shop.remove_item",)}, "shop.remove_item", None, id="high-risk-by-name"
        ),
        pytest.param(
            {"write_allow": ("shop.remove_item",), "ceiling": Risk.WRITE},
            "shop.remove_item",
            CEILING,
            id="ceiling",
        ),
        pytest.param(
            {"write_allow": ("shop.add_item",), "ceiling": Risk.WRITE}, "shop.add_item", None, id="at-it"
        ),
        pytest.param({"ceiling": Risk.READ}, "shop.add_item", CEILING, id="read-only"),
        pytest.param({"deny": ("shop.get_item",)}, "shop.get_item", OFF, id="denied-by-name"),
        pytest.param({"deny": ("shop.*",)}, "shop.get_item", OFF, id="denied-by-glob"),
        pytest.param({"deny": ("shop",)}, "shop.get_item", OFF, id="denied-by-domain"),
        pytest.param(
            {"deny": ("shop.add_*",), "write_allow": ("shop.add_item",)},
            "shop.add_item",
            OFF,
            id="deny-beats-allow",
        ),
        pytest.param(
            {"deny": ("*",), "reads": ("shop.secret_item",)},
            "shop.secret_item",
            OFF,
            id="deny-beats-a-named-read",
        ),
    ],
)
def test_what_is_on_is_what_the_table_says(policy: dict[str, Any], tool: str, reason: Reason | None) -> None:
    """One rule a line: what it enables, and what it does not."""
    rules = Rules(Policy(**policy), TOOLS)

    verdict = rules.verdict(TOOLS[tool])

    assert verdict.reason == reason
    assert rules.is_on(tool) is (reason is None)
    assert (verdict.sentence != "") is (reason is not None)


BOTH = tuple(Identity)


@pytest.mark.parametrize(
    ("allowed", "tool", "wanted", "used"),
    [
        pytest.param((Identity.TENANT,), "shop.get_item", Identity.TENANT, Identity.TENANT, id="app"),
        pytest.param((Identity.TENANT,), "shop.get_item", Identity.USER, None, id="person-not-allowed"),
        pytest.param(BOTH, "shop.get_item", Identity.USER, Identity.USER, id="person"),
        pytest.param(BOTH, "shop.add_keyed", Identity.USER, None, id="tool-takes-no-person"),
        pytest.param(BOTH, "shop.my_item", Identity.TENANT, None, id="tool-takes-no-app"),
        pytest.param((Identity.USER,), "shop.get_item", Identity.TENANT, None, id="app-not-allowed"),
    ],
)
def test_a_call_is_made_as_who_it_says_or_not_at_all(
    allowed: tuple[Identity, ...], tool: str, wanted: Identity, used: Identity | None
) -> None:
    """No identity stands in for another."""
    found = Rules(Policy(identities=allowed), TOOLS).identity(TOOLS[tool], wanted)

    if used is None:
        assert isinstance(found, Verdict)
        assert found.reason is Reason.IDENTITY_NOT_ALLOWED
    else:
        assert found is used


def test_a_tool_that_sends_nothing_has_no_identity() -> None:
    """It carries no token, so none is asked for."""
    assert (
        Rules(Policy(identities=(Identity.USER,)), TOOLS).identity(TOOLS["shop.think"], Identity.TENANT)
        is None
    )


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        pytest.param({"write_allow": ("shop.*",)}, ["write_allow", "'shop.*'", "globs"], id="writes-by-glob"),
        pytest.param(
            {"write_allow": ("shop.ad_item",)}, ["write_allow", "did you mean 'shop.add_item'"], id="typo"
        ),
        pytest.param(
            {"write_allow": ("shop.get_item",)}, ["write_allow", "which is a read"], id="read-as-write"
        ),
        pytest.param(
            {"unattended": ("shop.add_item",)}, ["unattended", "write_allow does not"], id="unattended-alone"
        ),
        pytest.param({"unattended": ("*",)}, ["unattended", "globs"], id="unattended-by-glob"),
        pytest.param({"reads": ("shpo.*",)}, ["reads", "matches no tool"], id="reads-typo"),
        pytest.param({"deny": ("shop.add_itme",)}, ["deny", "matches no tool"], id="deny-typo"),
        pytest.param({"calls_per_turn": 0}, ["calls_per_turn", "0"], id="no-calls"),
        pytest.param({"result_chars": 10}, ["result_chars", "10"], id="no-room"),
        pytest.param({"identities": ()}, ["identities", "empty"], id="nobody"),
    ],
)
def test_a_wrong_option_names_itself_at_start(policy: dict[str, Any], said: list[str]) -> None:
    """A host that writes a rule which cannot hold learns it before the first call."""
    with pytest.raises(InvalidPolicy) as raised:
        Rules(Policy(**policy), TOOLS)

    assert all(word in str(raised.value) for word in said)


def test_all_wrong_options_come_at_once() -> None:
    """The operator corrects the file once."""
    with pytest.raises(InvalidPolicy) as raised:
        Rules(Policy(write_allow=("a", "b"), unattended=("c",), calls_per_turn=0), TOOLS)

    assert len(raised.value.faults) == 4
