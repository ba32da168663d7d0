"""What curation may name is what the platform implements, both ways."""

from importlib.metadata import entry_points
from typing import Any

import pytest

from placet.contract.call import Actor, CallContext
from placet.platforms.feishu.codecs import CODECS
from placet.platforms.feishu.names import NAMES
from placet.platforms.feishu.persons import context_value
from placet.platforms.feishu.platform import DERIVATIONS, FeishuPlatform, create
from placet.platforms.feishu.preflights import PREFLIGHTS
from placet.platforms.feishu.routines import ROUTINES
from tests.runtime.platforms.feishu.wire import tenant

EXAMPLES: dict[str, tuple[Any, Any]] = {
    "admin.badge_end": ("permanent", "1649692799"),
    "approval.comment": ("请补充发票", '{"text":"请补充发票"}'),
    "approval.form": ([{"id": "w1", "type": "input", "value": "x"}], None),
    "approval.form_values": (None, '[{"id":"w1","name":"n","type":"input","value":"x"}]'),
    "approval.form_widgets": (None, '[{"id":"w1","name":"n","type":"input","required":true}]'),
    "bitable.field_type": ("Text", None),
    "bitable.field_values": ({"任务": "写周报"}, {"任务": [{"text": "写周报", "type": "text"}]}),
    "bitable.filter": ({"conditions": [{"field": "状态", "op": "is", "value": ["待办"]}]}, None),
    "bitable.table_access": ("edit", 2),
    "bitable.view_filter": (
        {"conditions": [{"field_id": "fld1", "op": "is_empty"}]},
        {"conjunction": "and", "conditions": [{"field_id": "fld1", "operator": "isEmpty"}]},
    ),
    "calendar.attendees": (["ou_zw"], None),
    "calendar.event_time": ({"start": "2026-06-03", "end": "2026-06-03"}, None),
    "calendar.time_info": ("2026-05-01T09:00:00+08:00", {"timestamp": "1777597200"}),
    "contact.group_people": (["ou_zw"], None),
    "directory.department_filter": ("od-1", None),
    "directory.employee_filter": ({"department_ids": ["od-1"]}, None),
    "docx.blocks": ([{"type": "text", "text": "x"}], [{"block_type": 2, "text": {"elements": []}}]),
    "ai.glossary": ({"飞书": "Lark"}, None),
    "helpdesk.text": ("x", None),
    "hire.day": ("2026-06-01", None),
    "im.card": ({"notice": {"markdown": "x"}}, None),
    "docx.block": (None, {"block_id": "b1", "block_type": 22, "divider": {}}),
    "docx.lines": (None, [{"block_id": "b1", "block_type": 22, "divider": {}}]),
    "docx.nested_blocks": ([{"type": "text", "text": "x"}], None),
    "docx.text": ("x", None),
    "drive.comment": ("x", {"elements": []}),
    "drive.comments": ("x", {"replies": []}),
    "im.message": ({"text": "x"}, '{"text":"x"}'),
    "im.text": ({"markdown": "x"}, None),
    "lingo.term": ("灰度发布", [{"key": "灰度发布"}]),
    "lingo.terms": (["灰度发布"], [{"key": "灰度发布"}]),
    "mail.body": (None, "eA=="),
    "mail.filter": ({"senders": ["li@example.com"]}, None),
    "mail.raw": ({"sender": "li@example.com", "text": "x"}, None),
    "okr.progress_text": (
        "留存 38%",
        {
            "blocks": [
                {
                    "type": "paragraph",
                    "paragraph": {"elements": [{"type": "textRun", "textRun": {"text": "x"}}]},
                }
            ]
        },
    ),
    "okr.text": ("提升留存", {"blocks": []}),
    "task.changes": ({"due": "2026-05-01"}, None),
    "task.time": ("2026-05-01", {"timestamp": "1777593600000", "is_all_day": True}),
    "spark.rows": (None, '[{"name":"x","id":9007199254740993}]'),
    "time.millis_text": ("2026-05-01T09:00:00+08:00", None),
    "time.seconds": ("2026-05-01T09:00:00+08:00", 1777597200),
    "vc.people": (["ou_zw"], None),
    "vc.viewers": (["ou_zw"], None),
}


def test_every_name_is_implemented_and_every_implementation_named() -> None:
    """Codecs, preflights, routines and derivations are the named ones."""
    assert set(CODECS) == set(NAMES.codecs)
    assert set(PREFLIGHTS) == set(NAMES.preflights)
    assert set(ROUTINES) == set(NAMES.routines)
    assert set(DERIVATIONS) == set(NAMES.derivations)


def test_every_context_key_has_a_value_when_the_call_knows_it() -> None:
    """A full actor and tenant record leave no context key without a value."""
    ctx = CallContext(
        app="cli_a1", actor=Actor(user="ou_x", ids={"user_id": "u1", "union_id": "on_x", "open_id": "ou_x"})
    )
    found = {key: context_value(key, tenant(options={"tenant_key": "tk"}), ctx) for key in NAMES.context_keys}

    assert found == {
        "actor.open_id": "ou_x",
        "actor.user_id": "u1",
        "actor.union_id": "on_x",
        "tenant.app_id": "cli_a1",
        "tenant.tenant_key": "tk",
    }


@pytest.mark.parametrize("name", sorted(NAMES.codecs))
def test_codecs_translate_in_the_directions_they_are_named_for(name: str) -> None:
    """Arguments and answers are translated exactly where the name says so, to as many targets."""
    codec, declared = CODECS[name], NAMES.codecs[name]
    argument, wire = EXAMPLES[name]

    if declared.arguments:
        written = codec.encode(argument)
        assert declared.targets == 1 or (isinstance(written, tuple) and len(written) == declared.targets)
    else:
        with pytest.raises(ValueError, match="direction"):
            codec.encode(wire)
    if declared.answers:
        codec.decode(wire)
    else:
        with pytest.raises(ValueError, match="direction"):
            codec.decode(argument)


def test_both_platforms_are_found_by_their_entry_points() -> None:
    """A host finds the platforms without importing either."""
    found = {point.name: point.value for point in entry_points(group="placet.platforms")}

    assert found["feishu"] == f"{create.__module__}:create"
    assert found["http"] == "placet.platforms.http.platform:create"
    assert FeishuPlatform.__name__
