"""Ids, the acting person, and rates."""

from typing import Any

import msgspec
import pytest

from placet.contract.binding import Binding, Scopes
from placet.contract.call import Actor, CallContext
from placet.contract.platform import RateKey
from placet.contract.tool import Tool
from placet.contract.words import Identity, Risk
from placet.platforms.feishu.limits import rate_key
from placet.platforms.feishu.persons import context_value, id_kind
from tests.runtime.platforms.feishu.wire import call, tenant


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("ou_x", "open_id"),
        ("on_x", "union_id"),
        ("oc_x", "chat_id"),
        ("zhangsan@example.com", "email"),
        ("f8ca557e", "user_id"),
    ],
)
def test_the_kind_of_an_id_shows_in_it(value: str, kind: str) -> None:
    """Prefixes tell open_id, union_id and chat; an @ an address; the rest is a user_id."""
    assert id_kind(value) == kind


@pytest.mark.parametrize("value", ["", None, 7, ["ou_x"]], ids=repr)
def test_what_is_no_id_has_no_kind(value: Any) -> None:
    """Empty or other than text is refused with a sentence."""
    with pytest.raises(ValueError, match="id"):
        id_kind(value)


@pytest.mark.parametrize(
    ("actor", "key", "value"),
    [
        pytest.param(Actor(), "actor.open_id", None, id="nobody"),
        pytest.param(Actor(user="ou_x"), "actor.open_id", "ou_x", id="principal"),
        pytest.param(Actor(user="u1", ids={"open_id": "ou_x"}), "actor.open_id", "ou_x", id="second-id"),
        pytest.param(Actor(user="ou_a", ids={"open_id": "ou_b"}), "actor.open_id", None, id="two-people"),
        pytest.param(Actor(ids={"open_id": "all"}), "actor.open_id", None, id="no-open-id"),
        pytest.param(Actor(user="zhangsan"), "actor.open_id", None, id="other-system"),
        pytest.param(Actor(user="ou_x"), "actor.user_id", None, id="user-id-unknown"),
        pytest.param(Actor(user="ou_x", ids={"user_id": "u1"}), "actor.user_id", "u1", id="user-id"),
        pytest.param(Actor(user="on_x"), "actor.union_id", "on_x", id="union-id"),
        pytest.param(Actor(user="ou_x"), "actor.other", None, id="unknown-key"),
    ],
)
def test_who_acts_is_the_person_the_door_named(actor: Actor, key: str, value: str | None) -> None:
    """An id of the acting person, or none: never a guess, and never another person than the ledger knows."""
    ctx = CallContext(app="cli_a1", actor=actor)

    assert context_value(key, tenant(), ctx) == value


class NoArgs(msgspec.Struct):
    pass


def a_tool(tier: int | None) -> Tool[NoArgs, NoArgs]:
    return Tool(
        name="x.y",
        wire_name="x_y",
        risk=Risk.READ,
        identity=(Identity.TENANT,),
        scopes=Scopes(),
        binding=Binding(rate_tier=tier),
        digest="",
        args=NoArgs,
        result=NoArgs,
    )


@pytest.mark.parametrize(
    ("tier", "count", "per_s"), [(1, 10, 60.0), (4, 50, 3.0), (7, 10, 1.0), (11, 100, 1.0)], ids=str
)
def test_a_tier_is_a_bucket_of_one_app_and_endpoint(tier: int, count: int, per_s: float) -> None:
    """The bucket is told apart by brand, app, verb and route."""
    keys = [
        rate_key(a_tool(tier), call(), tenant()),
        rate_key(a_tool(tier), call(), tenant(app="cli_b2")),
        rate_key(a_tool(tier), call(), tenant(brand="lark")),
        rate_key(a_tool(tier), call(http="PUT"), tenant()),
        rate_key(a_tool(tier), call("/open-apis/other/v1/x"), tenant()),
    ]

    assert all(isinstance(key, RateKey) and (key.count, key.per_s) == (count, per_s) for key in keys)
    assert len({key.name for key in keys if key is not None}) == len(keys)


@pytest.mark.parametrize("tier", [None, 0, 5, 10, 21], ids=str)
def test_an_unpublished_rate_is_left_to_the_platform(tier: int | None) -> None:
    """No bucket where no rate is known."""
    assert rate_key(a_tool(tier), call(), tenant()) is None
