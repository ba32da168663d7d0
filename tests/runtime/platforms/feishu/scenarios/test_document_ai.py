"""Papers through the gate: a handle goes in, named fields come out."""

import pytest

import placet_feishu
from placet.contract.policy import Policy
from tests.runtime.platforms.feishu.scenarios.office_desk import desk

pytestmark = pytest.mark.anyio

PAPERS = frozenset(
    f"document_ai.{name}"
    for name in (
        "extract_contract",
        "parse_resume",
        "read_bank_card",
        "read_driving_licence",
        "read_id_card",
        "read_passport",
        "read_vehicle_licence",
    )
)


async def test_an_invoice_is_uploaded_and_read() -> None:
    """The file travels as a form with its name; the fields come back as names and values."""
    async with desk("document_ai") as office:
        invoice = await office.stage(b"%PDF-1.7", "发票.pdf")
        read = await office.call("document_ai.read_vat_invoice", {"file": invoice})

    assert {"name", "value"} <= read["items"][0]["entries"][0].keys()
    (part,) = office.sent("POST /open-apis/document_ai/v1/vat_invoice/recognize").parts
    assert (part.name, part.file_name, part.content) == ("file", "发票.pdf", b"%PDF-1.7")


async def test_a_contract_is_read_as_far_as_asked() -> None:
    """How many pages are read, and how, travels beside the file."""
    wish = {"pages": 15, "recognition": "auto"}
    async with desk("document_ai") as office:
        contract = await office.stage(b"%PDF-1.7", "合同.pdf")
        read = await office.call("document_ai.extract_contract", {"file": contract, **wish})

    assert {"title", "parties", "amount"} <= read.keys()
    parts = {part.name: part.content for part in office.sent("POST *").parts}
    assert (parts["pdf_page_limit"], parts["ocr_mode"]) == (b"15", b"auto")


async def test_papers_of_people_are_read_only_where_a_host_named_the_tool() -> None:
    """A policy that allows every read allows none of these."""
    sensitive = {one.name for one in placet_feishu.surface.tools if one.sensitive}
    async with desk("document_ai", policy=Policy(reads=("*",))) as office:
        card = await office.stage(b"jpg", "身份证.jpg")
        refused = await office.result("document_ai.read_id_card", {"file": card})

    assert sensitive >= PAPERS
    assert (refused.kind, office.fake.calls("POST *")) == ("refused", [])
