"""What `placet catalog` prints."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet_generator.catalogue.methods import MethodEntry, MethodIndex
from placet_generator.catalogue.model import Method, Node, Place, SlotInfo
from placet_generator.catalogue.show import listing, search, show
from placet_generator.witness import Bounds, DocumentFacts, EndpointFacts, FieldFacts, NativeKey, Witness

STRING, INTEGER = Node(kind="string"), Node(kind="integer")
PERSON = Node(kind="object", model="Person", fields={"id": STRING, "name": STRING})
METHOD = Method(
    name="shop.v1.order.update",
    http="PATCH",
    route="/open-apis/shop/v1/orders/:order_id",
    tokens=frozenset({"user", "tenant"}),
    path=(SlotInfo(name="order_id", node=STRING, required=True),),
    query=(SlotInfo(name="id_type", node=STRING), SlotInfo(name="size", node=INTEGER)),
    body=Node(
        kind="object",
        model="Order",
        fields={"title": STRING, "owner": PERSON, "lines": Node(kind="array", item=Node(kind="object", model="Line", fields={"count": INTEGER}))},
    ),
    body_kind="json",
    response=Node(kind="object", model="Answer", fields={"seller": PERSON, "buyer": PERSON}),
    place=Place(path="sdk/order.py", line=7),
)  # fmt: skip
FACTS = EndpointFacts(
    sdk=METHOD.name,
    http=METHOD.http,
    route=METHOD.route,
    tokens=METHOD.tokens,
    request="UpdateOrder",
    path=(FieldFacts(name="order_id", type="str", required=True),),
    query=(
        FieldFacts(name="id_type", type="str", required=False, enum=("open_id", "user_id"), default="open_id"),
        FieldFacts(name="size", type="int", type_explorer="str", min=1, max=50),
    ),
    body=(
        FieldFacts(name="title", type="str", required=True, required_conflict={"zod": True, "node": False}),
        FieldFacts(name="owner", type="object<Person>", sdk_only=True),
        FieldFacts(name="lines", type="list[object<Line>]", fields=(FieldFacts(name="count", type="int", required=True),)),
    ),
    source_flags=("has:node", "has:explorer", "tokens_differ:zod=tenant"),
    scopes=("shop:order", "shop:order:update"),
    field_scopes=("contact:user:readonly",),
    rate_tier=9,
    risk="write",
    docs=DocumentFacts(
        native=NativeKey(name="uuid", place="body", required=True),
        limits={"body.title": Bounds(max_len=100), "body.lines[].count": Bounds(min=1)},
    ),
)  # fmt: skip


def test_a_method_is_shown_with_its_facts_beside() -> None:
    """Everything a curator needs is on one page: slots, trees, and what the platform says of each."""
    assert show(METHOD, FACTS) == (
        "shop.v1.order.update\n"
        "PATCH /open-apis/shop/v1/orders/:order_id\n"
        "tokens: tenant, user\n"
        "read in: sdk/order.py:7\n"
        "witness: node, explorer\n"
        "  disagrees: tokens_differ:zod=tenant\n"
        "scopes, any of: shop:order, shop:order:update\n"
        "scopes for more fields: contact:user:readonly\n"
        "risk: write\n"
        "rate tier: 9 (50/s)\n"
        "native idempotency: body.uuid, required\n"
        "\n"
        "path\n"
        "  order_id  string  required\n"
        "\n"
        "query\n"
        '  id_type  string   open_id | user_id; default "open_id"\n'
        "  size     integer  platform: str; at least 1; at most 50\n"
        "\n"
        "body  json object<Order>\n"
        "  title    string              required; required by zod yes, node no; max_len 100\n"
        "  owner    object<Person>      READ-ONLY\n"
        "    id     string\n"
        "    name   string\n"
        "  lines    list[object<Line>]\n"
        "    count  integer             required; min 1\n"
        "\n"
        "answer  object<Answer>\n"
        "  seller  object<Person>\n"
        "    id    string\n"
        "    name  string\n"
        "  buyer   object<Person>  as above\n"
    )


def test_without_a_witness_the_page_says_so() -> None:
    """No witness is a statement, not an empty place."""
    shown = show(METHOD, None)

    assert "witness: none knows this endpoint\n" in shown
    assert "scopes" not in shown
    assert "  title    string\n" in shown


@pytest.mark.parametrize(
    ("method", "line"),
    [
        pytest.param(Method(name="a", http="GET", route="/a", tokens=frozenset()), "answer  no typed data\n", id="no-answer"),
        pytest.param(Method(name="a", http="GET", route="/a", tokens=frozenset(), download=True), "answer  bytes\n", id="download"),
        pytest.param(Method(name="a", http="GET", route="/a", tokens=frozenset()), "tokens: none\n", id="no-token"),
        pytest.param(
            Method(name="a", http="POST", route="/a", tokens=frozenset(), body_kind="multipart", body=Node(kind="object", fields={"file": Node(kind="file")})),
            "form  multipart object\n  file  file\n",
            id="form",
        ),
        pytest.param(
            Method(name="a", http="GET", route="/a", tokens=frozenset(), response=Node(kind="object", fields={"next": Node(kind="object", model="Node", recursive=True)})),
            "  next  object<Node>  contains itself\n",
            id="recursion",
        ),
        pytest.param(
            Method(name="a", http="GET", route="/a", tokens=frozenset(), query=(SlotInfo(name="q", required=True, node=Node(kind="string", enum=("x", "y"), constraints={"maxLength": 3}, nullable=True, about="Words.")),)),
            "  q  string  required; x | y; maxLength 3; or null; Words.\n",
            id="a-document's-own-facts",
        ),
    ],
)  # fmt: skip
def test_special_forms_are_named(method: Method, line: str) -> None:
    """Bytes, forms, recursion and a document's own limits each have their words."""
    assert line in show(method, None)


@given(text=st.text())
def test_texts_of_documents_cannot_reach_the_terminal_as_commands(text: str) -> None:
    """Escapes, line feeds and bidi marks in somebody else's texts are not printed."""
    hostile = Node(kind="string", about=text)
    method = Method(
        name=text, http="GET", route=text, tokens=frozenset({text}), summary=text,
        query=(SlotInfo(name=text, node=hostile),), response=Node(kind="object", model=text, fields={text: hostile}),
    )  # fmt: skip

    shown = show(method, None) + listing([MethodEntry(text, "GET", text)])

    assert all(line.isprintable() for line in shown.split("\n"))
    assert shown.count("\n") == (12 if text else 11)


@pytest.mark.parametrize(
    ("words", "first"),
    [
        pytest.param("bitable record search", "bitable.v1.app_table_record.search", id="three-words"),
        pytest.param("approval task pass", "approval.v4.task.pass_", id="reserved-word"),
        pytest.param("create records bitable", "bitable.v1.app_table_record.batch_create", id="plural-is-in-the-route"),
        pytest.param("im.v1.message.create", "im.v1.message.create", id="whole-name"),
        pytest.param("/open-apis/im/v1/chats/:chat_id/announcement GET", "im.v1.chat_announcement.get", id="route"),
        pytest.param("BITABLE Dashboard COPY", "bitable.v1.app_dashboard.copy", id="case"),
    ],
)  # fmt: skip
def test_search_puts_the_method_meant_first(words: str, first: str) -> None:
    """All methods are searched by the words of their names and routes."""
    index = Witness.load(Path(__file__).parents[3] / "curation" / "feishu" / "witness").methods()

    found = search(words, index, 5)

    assert found[0].name == first
    assert len(found) == 5


@pytest.mark.parametrize("words", ["", "   ", "...", "zzzz", "会议"])
def test_search_for_nothing_finds_nothing(words: str) -> None:
    """Words no name has are an empty answer."""
    assert search(words, MethodIndex([MethodEntry("a.v1.b.get", "GET", "/open-apis/a/v1/b")])) == ()


def test_a_listing_is_one_aligned_line_a_method() -> None:
    """Name, verb and route stand in columns."""
    entries = [MethodEntry("a.v1.b.get", "GET", "/a/:id"), MethodEntry("a.v1.b.remove", "DELETE", "/a/:id")]

    assert listing(entries) == "a.v1.b.get     GET     /a/:id\na.v1.b.remove  DELETE  /a/:id\n"
    assert listing([]) == ""
