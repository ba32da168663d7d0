"""The fast validator and the complete one are of one mind, for every tool and whatever is sent."""

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from placet.contract.digest import canonical_json
from placet.encoding import Filling, Unencodable
from placet.inbound import Checked, check_arguments
from placet.inbound.explanation import complete_validator
from placet.inbound.inspection import inspect, whole_numbers
from tests.runtime.inbound.schema_values import BAD_TIMES, ODD_TIMES, mutated, valid
from tests.runtime.inbound.tools import TOOLS, bound

QUICK = settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def fast_accepts(name: str, arguments: dict[str, Any]) -> bool:
    try:
        msgspec.convert(whole_numbers(arguments), bound(name).tool.args, strict=True)
    except msgspec.ValidationError:
        return False
    return True


@pytest.mark.parametrize("name", TOOLS)
@QUICK
@given(data=st.data())
def test_both_validators_accept_the_same(name: str, data: st.DataObject) -> None:
    """What one lets in the other lets in, valid arguments and changed ones alike."""
    schema = bound(name).record["wire"]["inputSchema"]
    complete = complete_validator(schema)
    whole = data.draw(valid(schema))
    changed = data.draw(mutated(st.just(whole)))

    assert complete.is_valid(whole)
    assert fast_accepts(name, whole)
    if inspect(changed) == ([], True):  # what no schema is asked about is refused before
        assert complete.is_valid(changed) == fast_accepts(name, changed)
        found = check_arguments(changed, bound(name).validator)
        assert isinstance(found, Checked) or all(one.problem for one in found)


@pytest.mark.parametrize("name", TOOLS)
@QUICK
@given(data=st.data())
def test_what_enters_has_a_wire_form_or_a_sentence(name: str, data: st.DataObject) -> None:
    """Checked arguments become requests, or a sentence that names the argument; nothing else is raised."""
    tool = bound(name)
    found = check_arguments(data.draw(valid(tool.record["wire"]["inputSchema"])), tool.validator)
    if not isinstance(found, Checked) or tool.platform is None or tool.encoder.file_arguments:
        return

    try:
        draft = tool.encoder.draft(found.arguments)
        calls = tool.encoder.complete(draft, found.arguments, Filling())
    except Unencodable as caught:
        refused, calls = caught, {}
        assert refused.argument and refused.problem

    for wire in calls.values():
        assert all(isinstance(value, str) for pair in wire.query for value in pair)
        assert all(value not in ("", ".", "..") for value in wire.path.values())
        canonical_json(list(wire.query) if wire.body is UNSET else wire.body)


@pytest.mark.parametrize("text", [*BAD_TIMES, *ODD_TIMES])
def test_both_validators_know_the_same_moments(text: str) -> None:
    """Leap seconds and days that no calendar has are refused by both, and the sentence shows a moment that is one."""
    arguments = {"kind": "small", "at": text}
    complete = complete_validator(bound("shop.choose").record["wire"]["inputSchema"])
    found = check_arguments(arguments, bound("shop.choose").validator)

    assert fast_accepts("shop.choose", arguments) == complete.is_valid(arguments) == (text in ODD_TIMES)
    if text in ODD_TIMES:
        assert isinstance(found, Checked)
    else:
        assert not isinstance(found, Checked)
        (fault,) = found
        assert fault.path == "at"
        assert "2025-03-01T09:30:00+08:00" in fault.problem
