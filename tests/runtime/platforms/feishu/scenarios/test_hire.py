"""Recruiting through the gate: an opening closed, a candidate put forward and ended, an offer drawn up."""

import json

import pytest

from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.hr_desk import ACTOR, CTX, desk

pytestmark = pytest.mark.anyio


async def test_an_opening_is_found_read_and_closed() -> None:
    """The id of the list leads to the opening, and closing it sends that id and nothing else."""
    async with desk("hire") as (fake, gate):
        openings = (await gate.call("hire.list_jobs", {}, CTX)).unwrap()["items"]
        job = openings[0]["job_id"]
        detail = (await gate.call("hire.get_job", {"job_id": job}, CTX)).unwrap()
        closed = await gate.call("hire.close_job", {"job_id": job}, CTX)

    assert closed.kind == "ok"
    assert {"title", "recruiter_open_id", "hiring_managers", "offer_form_id"} <= detail.keys()
    (sent,) = fake.calls("POST /open-apis/hire/v1/jobs/*/close")
    assert (sent.path, sent.body) == (f"/open-apis/hire/v1/jobs/{job}/close", b"")


async def test_closing_waits_for_a_person_and_shows_what_is_closed() -> None:
    """Nobody's model closes an opening: the proposal holds, with the title that was read before."""
    async with desk("hire", unattended=False, authoriser=ask_for_writes) as (fake, gate):
        held = await gate.call("hire.close_job", {"job_id": "7096"}, CTX)

    assert held.kind == "pending"
    assert fake.calls("POST /open-apis/hire/v1/jobs/*/close") == []
    assert len(fake.calls("GET /open-apis/hire/v1/jobs/*/get_detail")) == 1


async def test_a_candidate_is_put_forward_moved_and_turned_down() -> None:
    """Candidate, application, stage and end follow each other by the ids of the answers."""
    async with desk("hire") as (fake, gate):
        known = await gate.call("hire.find_talents", {"emails": ["li@example.com"]}, CTX)
        talent = known.unwrap()["items"][0]["talent_id"]
        opening = (await gate.call("hire.list_jobs", {}, CTX)).unwrap()["items"][0]["job_id"]
        put = await gate.call("hire.create_application", {"talent_id": talent, "job_id": opening}, CTX)
        application = put.unwrap()["application_id"]
        stages = (await gate.call("hire.list_processes", {}, CTX)).unwrap()["items"][0]["stages"]
        moved = {"application_id": application, "stage_id": stages[0]["stage_id"]}
        assert (await gate.call("hire.move_application", moved, CTX)).kind == "ok"
        reasons = (await gate.call("hire.list_termination_reasons", {}, CTX)).unwrap()["items"]
        ended = {"application_id": application, "kind": 1, "reason_ids": [reasons[0]["reason_id"]]}
        assert (await gate.call("hire.terminate_application", ended, CTX)).kind == "ok"

    sent = {one.path: one.json for one in fake.calls("POST *") if "/applications" in one.path}
    base = "/open-apis/hire/v1/applications"
    assert sent[base] == {"talent_id": talent, "job_id": opening}
    assert sent[f"{base}/{application}/transfer_stage"] == {"stage_id": moved["stage_id"]}
    assert sent[f"{base}/{application}/terminate"] == {
        "termination_type": 1,
        "termination_reason_list": ended["reason_ids"],
    }


async def test_an_offer_names_the_person_who_draws_it_up() -> None:
    """The operator is the actor of the call, the first day goes as the form wants it, and pay keeps its text."""
    offer = {
        "application_id": "7013",
        "schema_id": "7001",
        "offer_department_id": "od-1",
        "offer_leader_open_id": "ou_lead",
        "offer_owner_open_id": "ou_owner",
        "offer_onboard_date": "2026-06-01",
        "offer_pay": {"currency": "CNY", "basic_salary": "20000"},
    }
    async with desk("hire") as (fake, gate):
        made = await gate.call("hire.create_offer", offer, CTX)

    assert made.unwrap().keys() == {"offer_id"}
    (sent,) = fake.calls("POST /open-apis/hire/v1/offers")
    assert sent.json["basic_info"]["operator_user_id"] == ACTOR
    assert json.loads(sent.json["basic_info"]["expected_onboard_date"]) == {"date": "2026-06-01"}
    assert sent.json["salary_info"] == {"currency": "CNY", "basic_salary": "20000"}


async def test_a_resume_leaves_as_a_link_and_only_where_the_host_named_the_tool() -> None:
    """Reads of candidates are closed to a policy that opens every read but names none."""
    async with desk("hire") as (_, gate):
        resumes = (await gate.call("hire.get_talent", {"talent_id": "69"}, CTX)).unwrap()["resumes"]
        file = await gate.call("hire.get_attachment", {"attachment_id": resumes[0]["attachment_id"]}, CTX)
    async with desk() as (fake, closed):
        refused = await closed.call("hire.get_talent", {"talent_id": "69"}, CTX)

    assert file.unwrap().keys() == {"attachment_id", "file_name", "media_type", "link", "created"}
    assert refused.kind == "refused"
    assert fake.calls() == []
