"""The SDK pin: an upgrade says which tool it touches, where, and what the old and the new value are."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from placet.contract import Paging, Project, Slot
from placet_generator.catalogue.model import Method, Node, SlotInfo
from placet_generator.diagnostics import Code, Diagnostic, Severity
from placet_generator.ir import SurfaceIR
from placet_generator.pin import compare_pins, pin_document, signature, signatures
from tests.generator.example_surface import a_surface, a_tool, calling

PIN = "golden/demo/sdk.pin.json"

TEXT = Node(kind="string")
COLOUR = Node(kind="object", model="Colour", fields={"red": Node(kind="integer"), "name": TEXT})
ITEM = Node(kind="object", model="Item", fields={"item_id": TEXT, "colour": COLOUR, "unused": TEXT})

UPDATE = Method(
    name="things.v1.item.update",
    http="PATCH",
    route="/things/:id",
    tokens=frozenset({"tenant", "user"}),
    path=(SlotInfo(name="id", node=TEXT, required=True),),
    query=(SlotInfo(name="lang", node=TEXT),),
    body=Node(
        kind="object",
        fields={"item": ITEM, "note": TEXT, "parts": Node(kind="array", item=ITEM)},
        required=frozenset({"item"}),
    ),
    body_kind="json",
    response=Node(kind="object", fields={"items": Node(kind="array", item=ITEM), "page_token": TEXT}),
)

TOOL = a_tool(
    "things.update",
    calling(
        UPDATE.name,
        slots=(
            Slot(argument="id", to=("path.id",)),
            Slot(argument="item", to=("body.item",), fields=(Slot(argument="colour", to=("colour.name",)),)),
            Slot(argument="parts", to=("body.parts",), codec="things.parts"),
        ),
        output=(Project(name="items", path="items[]", fields=(Project(name="id", path="item_id"),)),),
        paging=Paging(style="token", token="query.lang", items="items", next="page_token"),
    ),
    line=7,
)
OTHER = a_tool("things.archive", calling("things.v1.item.archive"))


def surface_of(*methods: Method, **parts: Any) -> SurfaceIR:
    tools = (TOOL, OTHER)
    return a_surface(tools, signatures=signatures({one.name: one for one in methods}, tools), **parts)


def compared(new: Method, **parts: Any) -> tuple[Diagnostic, ...]:
    """The findings when the SDK's method has become `new`."""
    return compare_pins(
        pin_document(surface_of(UPDATE)), pin_document(surface_of(new, **parts)), (TOOL, OTHER), path=PIN
    )


def test_a_signature_lists_the_top_level_and_what_tools_use() -> None:
    """Enough to say what changed, and no more."""
    one = signatures({UPDATE.name: UPDATE}, [TOOL])[UPDATE.name]

    assert (one["http"], one["route"], one["tokens"]) == ("PATCH", "/things/:id", ["tenant", "user"])
    assert {place: text.partition(" #")[0] for place, text in one["slots"].items()} == {
        "path.id": "string, required",
        "query.lang": "string",
        "body.item": "object, required",
        "body.item.colour.name": "string",
        "body.note": "string",
        "body.parts": "list[object]",
    }
    assert {place: text.partition(" #")[0] for place, text in one["answer"].items()} == {
        "items": "list[object]",
        "items[].item_id": "string",
        "page_token": "string",
    }


def test_nothing_changed_says_nothing() -> None:
    """The same SDK gives the same pin, and a tool that is new or gone is the curation's doing."""
    assert compared(UPDATE) == ()
    assert compare_pins(pin_document(surface_of(UPDATE)), pin_document(surface_of()), (TOOL,), path=PIN) == ()
    assert compare_pins(pin_document(surface_of()), pin_document(surface_of(UPDATE)), (TOOL,), path=PIN) == ()


Change = Callable[[Method], Method]


def with_item(item: Node) -> Change:
    """The method with another item in its body and its answer."""

    def change(method: Method) -> Method:
        assert method.body is not None
        fields = {**method.body.fields, "item": item, "parts": Node(kind="array", item=item)}
        response = Node(kind="object", fields={"items": Node(kind="array", item=item), "page_token": TEXT})
        return replace(method, body=replace(method.body, fields=fields), response=response)

    return change


def with_body(**fields: Node | None) -> Change:
    def change(method: Method) -> Method:
        assert method.body is not None
        now = {**method.body.fields, **fields}
        return replace(
            method,
            body=replace(method.body, fields={name: node for name, node in now.items() if node is not None}),
        )

    return change


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        pytest.param(lambda m: replace(m, http="PUT"), ["verb was 'PATCH', is 'PUT'"], id="verb"),
        pytest.param(
            lambda m: replace(m, route="/x/:id"), ["route was '/things/:id', is '/x/:id'"], id="route"
        ),
        pytest.param(
            lambda m: replace(m, tokens=frozenset({"tenant"})),
            ["tokens was 'tenant, user', is 'tenant'"],
            id="tokens",
        ),
        pytest.param(lambda m: replace(m, download=True), ["answer was 'data', is 'bytes'"], id="bytes"),
        pytest.param(
            lambda m: replace(m, query=()), ["slot 'query.lang' is gone (was 'string')"], id="query-slot-gone"
        ),
        pytest.param(
            lambda m: replace(m, query=(*m.query, SlotInfo(name="q", node=TEXT, required=True))),
            ["slot 'query.q' is new ('string, required')"],
            id="required-query-slot-new",
        ),
        pytest.param(
            with_body(note=None), ["slot 'body.note' is gone (was 'string')"], id="body-member-gone"
        ),
        pytest.param(
            with_body(note=Node(kind="integer", enum=(1, 2), nullable=True, constraints={"maximum": 9})),
            ["slot 'body.note' was 'string', is 'integer or null of 1, 2, maximum 9'"],
            id="type-changed",
        ),
        pytest.param(
            with_item(replace(ITEM, fields={**ITEM.fields, "item_id": Node(kind="integer")})),
            ["slot 'body.parts' has other members", "answer 'items[].item_id' was 'string', is 'integer'"],
            id="deep-answer-and-what-a-codec-sees",
        ),
        pytest.param(
            with_item(
                replace(
                    ITEM, fields={**ITEM.fields, "colour": replace(COLOUR, fields={"name": Node(kind="any")})}
                )
            ),
            ["slot 'body.item.colour.name' was 'string', is 'any'", "slot 'body.parts' has other members"],
            id="deep-slot",
        ),
    ],
)
def test_a_changed_method_names_tool_place_old_and_new(change: Change, sentences: list[str]) -> None:
    """Each change of something a tool relies on is one line at the tool."""
    found = [one for one in compared(change(UPDATE)) if one.severity is Severity.ERROR]

    assert [one.code for one in found] == [Code.PIN_CHANGED] * len(sentences)
    assert [str(one.span) for one in found] == ["curation/demo/domains/things.yaml:7:3"] * len(sentences)
    for one, sentence in zip(found, sentences, strict=True):
        assert f"'things.update': things.v1.item.update {sentence}" in one.message


def test_what_no_tool_uses_is_a_warning_about_the_method() -> None:
    """A change below the places in use is said, and touches no tool."""
    answer = replace(ITEM, fields={**ITEM.fields, "unused": Node(kind="integer")})
    response = Node(kind="object", fields={"items": Node(kind="array", item=answer), "page_token": TEXT})

    (found,) = [one for one in compared(replace(UPDATE, response=response)) if "items" not in one.message]

    assert (found.severity, found.span.path) == (Severity.WARNING, PIN)
    assert "things.v1.item.update changed in places that no tool uses" in found.message


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        pytest.param(
            {"sdk": "demo-sdk 2.0"}, "the SDK is 'demo-sdk 2.0', pinned is 'demo-sdk 1.0'", id="version"
        ),
        pytest.param(
            {"sdk_files": {"a.py": "22"}}, "1 files of 'demo-sdk 1.0' differ", id="files-of-one-version"
        ),
    ],
)
def test_another_sdk_is_named_with_how_many_tools_it_touches(parts: dict[str, Any], sentence: str) -> None:
    """The line about the SDK says at once whether an upgrade matters."""
    old = pin_document(surface_of(UPDATE, sdk_files={"a.py": "11"}))
    for method, touched in ((UPDATE, "no tool"), (replace(UPDATE, http="PUT"), "1 tool")):
        new = pin_document(surface_of(method, **{"sdk_files": {"a.py": "11"}, **parts}))

        found = [one for one in compare_pins(old, new, (TOOL, OTHER), path=PIN) if one.span.path == PIN]

        assert len(found) == 1
        assert found[0].message.startswith(sentence)
        assert found[0].message.endswith(f"it touches {touched}")


def test_a_tool_that_begins_to_use_a_place_is_no_change_of_the_sdk() -> None:
    """What the curation does is not put on the SDK's account."""
    lean = replace(TOOL, binding=calling(UPDATE.name))
    old = pin_document(a_surface([lean], signatures=signatures({UPDATE.name: UPDATE}, [lean])))

    assert compare_pins(old, pin_document(surface_of(UPDATE)), [TOOL], path=PIN) == ()


def test_a_routine_lists_for_each_call_the_slots_that_name_it() -> None:
    """A slot with its call's name belongs to that call only."""
    tool = a_tool(
        "things.move", calling("one", "two", slots=(Slot(argument="a", to=("two.body.item.colour.name",)),))
    )

    made = signatures({"one": UPDATE, "two": UPDATE}, [tool])

    assert "body.item.colour.name" in made["two"]["slots"]
    assert "body.item.colour.name" not in made["one"]["slots"]


def test_names_and_texts_that_never_travel_do_not_count() -> None:
    """A renamed SDK class or another docstring is no change."""
    renamed = with_item(replace(ITEM, model="Other", about="Another text."))(UPDATE)

    assert signature(renamed) == signature(UPDATE)


@pytest.mark.parametrize("old", [{}, {"methods": []}, {"methods": {UPDATE.name: "x"}}, {"files": 3}])
def test_a_pin_of_another_shape_is_no_traceback(old: dict[str, Any]) -> None:
    """A pin edited by hand leads to findings or to none, never to an exception."""
    found = compare_pins(old, pin_document(surface_of(UPDATE)), (TOOL,), path=PIN)

    assert {one.code for one in found} <= {Code.PIN_CHANGED}
