"""From a name to an id, to a person's record, to a change that an approver has seen."""

import pytest

from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.people import hosted

pytestmark = pytest.mark.anyio


async def test_a_name_becomes_an_id_under_the_askers_own_token() -> None:
    """Search sees what the person may see, so it never runs with the app's authority."""
    async with hosted() as host:
        found = await host.ask("contact.find_users", Identity.USER, query="张三")

        assert host.last.identity is Identity.USER
        assert (host.last.path, host.last.first("query")) == ("/open-apis/search/v1/user", "张三")
        assert set(found["items"][0]) == {"open_id", "user_id", "name", "department_ids"}


async def test_addresses_go_in_and_ids_come_out() -> None:
    """Mail addresses become open_ids, whatever kind of id the platform would give by default."""
    async with hosted() as host:
        found = await host.ask("contact.resolve_users", emails=["zhangsan@example.com"])

        assert host.last.json == {"emails": ["zhangsan@example.com"]}
        assert host.last.first("user_id_type") == "open_id"
        assert found["items"][0]["open_id"]


async def test_no_private_number_or_mail_leaves_a_profile() -> None:
    """A profile holds what a colleague may know."""
    async with hosted() as host:
        person = await host.ask("contact.get_user", open_id="ou_ls")

        assert host.last.path == "/open-apis/contact/v3/users/ou_ls"
        assert not {"mobile", "email", "gender"} & set(person)


async def test_a_move_changes_only_what_was_named() -> None:
    """What is absent is not sent, so it stays as it is."""
    async with hosted(writes=("contact.update_user",)) as host:
        await host.ask("contact.update_user", open_id="ou_ls", department_ids=["od-b"], job_title="设计师")

        assert (host.last.method, host.last.path) == ("PATCH", "/open-apis/contact/v3/users/ou_ls")
        assert host.last.json == {"department_ids": ["od-b"], "job_title": "设计师"}


async def test_a_move_that_nobody_enabled_is_refused() -> None:
    """Changing people is off until the host names it."""
    async with hosted() as host:
        result = await host.result("contact.update_user", {"open_id": "ou_ls", "job_title": "设计师"})

        assert result.kind == "refused"
        assert host.fake.calls("PATCH *") == []


async def test_members_of_a_group_are_people_by_open_id() -> None:
    """Each id goes out with its kind, which the model need not know."""
    async with hosted(writes=("contact.add_group_members",)) as host:
        await host.ask("contact.add_group_members", group_id="g1", open_ids=["ou_ls", "ou_ww"])

        assert host.last.json == {
            "members": [
                {"member_id": one, "member_type": "user", "member_id_type": "open_id"}
                for one in ("ou_ls", "ou_ww")
            ]
        }
