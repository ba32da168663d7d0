"""A release under review, an app that cannot be seen, and its use, through the gate."""

import pytest

from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.office_desk import ME, desk

pytestmark = pytest.mark.anyio

APPS = "/open-apis/application/v6/applications"


async def test_a_release_is_found_read_and_passed_in_the_persons_name() -> None:
    """Who reviews comes from the call; the ids come from the list of what waits."""
    async with desk("application") as office:
        (app, *_) = (await office.call("application.list_pending_apps", {"lang": "zh_cn"}))["items"]
        version = {"app_id": app["app_id"], "version_id": app["pending_version_id"]}
        read = await office.call("application.get_version", {**version, "lang": "zh_cn"})
        await office.call("application.review_version", {**version, "status": 1})

    assert {"scope", "level"} <= read["scopes"][0].keys()
    passed = office.sent("PATCH *")
    assert passed.path == f"{APPS}/{app['app_id']}/app_versions/{app['pending_version_id']}"
    assert (passed.json, dict(passed.query)["operator_id"]) == ({"status": 1}, ME)


async def test_access_is_checked_and_its_change_waits_for_a_person() -> None:
    """Checking only reads; a change of who may use an app is held, and one that changes nothing is no request."""
    app = {"app_id": "cli_x"}
    async with desk("application", unattended=False, authoriser=ask_for_writes) as office:
        told = await office.call("application.check_visibility", {**app, "open_ids": ["ou_x"]})
        held = await office.result("application.change_visibility", {**app, "add_open_ids": ["ou_x"]})
        nothing = await office.result("application.change_visibility", app)

    assert {"open_id", "allowed", "forbidden"} <= told["people"][0].keys()
    assert (held.kind, nothing.kind, office.fake.calls("PATCH *")) == ("pending", "refused", [])


async def test_use_is_read_by_period() -> None:
    """Day, cycle and part of the app travel as they were asked."""
    asked = {"app_id": "cli_x", "date": "2026-05-04", "cycle": 2, "part": "bot"}
    async with desk("application") as office:
        read = await office.call("application.get_usage", asked)

    assert read["items"][0].keys() == {"metric", "value"}
    assert office.sent("POST *").json == {"date": "2026-05-04", "cycle_type": 2, "ability": "bot"}
