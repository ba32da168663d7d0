"""Tools of a shop. Written as the generator writes them; a test keeps the schemas beside them equal to the structs."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from placet.contract import (
    AnyTool,
    Before,
    Binding,
    Call,
    Derived,
    FileHandle,
    Identity,
    Int64,
    NativeKey,
    Paging,
    Project,
    Risk,
    Rule,
    Scopes,
    Slot,
    Timestamp,
    Tool,
)

Key = Annotated[str, Meta(min_length=1, max_length=128)]
Positive = Annotated[int, Meta(ge=1)]


class _Args(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class _WriteArgs(_Args, frozen=True, kw_only=True):
    idempotency_key: Key | UnsetType = UNSET
    dry_run: bool | UnsetType = UNSET


class _ListArgs(_Args, frozen=True, kw_only=True):
    page_size: Positive | UnsetType = UNSET
    page_token: str | UnsetType = UNSET
    fetch_all: bool | UnsetType = UNSET
    max_items: Positive | UnsetType = UNSET


class GetItemArgs(_Args, frozen=True, kw_only=True):
    id: str


class GetItemResult(Struct, frozen=True, kw_only=True):
    id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    stock: Int64 | UnsetType = UNSET


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    code: str
    count: Annotated[int, Meta(ge=0, le=99)] | UnsetType = UNSET


class ChooseArgs(_Args, frozen=True, kw_only=True):
    kind: Literal["small", "large"]
    lines: Annotated[list[Line], Meta(max_length=3)] | UnsetType = UNSET
    number: Int64 | UnsetType = UNSET
    at: Timestamp | UnsetType = UNSET
    share: Annotated[float, Meta(ge=0, le=1)] | UnsetType = UNSET
    labels: list[str] | UnsetType = UNSET
    note: Annotated[str, Meta(max_length=5)] | UnsetType = UNSET
    chat_id: str | UnsetType = UNSET
    open_id: str | UnsetType = UNSET
    mark: str | UnsetType = UNSET


class ListItemsArgs(_ListArgs, frozen=True, kw_only=True):
    shelf: str | UnsetType = UNSET


class AddItemArgs(_WriteArgs, frozen=True, kw_only=True):
    name: str
    extra: dict[str, Any] | UnsetType = UNSET


class RemoveItemArgs(_WriteArgs, frozen=True, kw_only=True):
    id: str
    name: str | UnsetType = UNSET


class SignArgs(_WriteArgs, frozen=True, kw_only=True):
    text: str


class UploadArgs(_WriteArgs, frozen=True, kw_only=True):
    file: FileHandle


class NoArgs(_Args, frozen=True, kw_only=True):
    pass


class Anything(Struct, frozen=True, kw_only=True):
    """No declared member: what is typed here is looked at by name."""


TENANT, EITHER, PERSON = (Identity.TENANT,), (Identity.TENANT, Identity.USER), (Identity.USER,)
ITEM = (
    Project(name="id", path="id", type="string"),
    Project(name="name", path="name", type="string"),
    Project(name="stock", path="stock", type="int64"),
    Project(name="anything", path="anything"),
    Project(name="tags", path="tags", type="list[string]"),
    Project(
        name="lines",
        path="lines[]",
        type="list[object]",
        fields=(
            Project(name="code", path="code", type="string"),
            Project(name="count", path="count", type="integer"),
        ),
    ),
    Project(name="upper", path="upper", type="string", codec="scripted.upper"),
)
LISTED = (
    Project(name="total", path="total", type="integer"),
    Project(
        name="items",
        path="items[]",
        type="list[object]",
        fields=(
            Project(name="id", path="id", type="string"),
            Project(name="text", path="text", type="string"),
        ),
    ),
)


def _tool(
    name: str,
    binding: Binding,
    args: type[Struct],
    *,
    result: type[Struct] = Anything,
    risk: Risk = Risk.READ,
    identity: tuple[Identity, ...] = TENANT,
    sensitive: bool = False,
) -> AnyTool:
    return Tool(
        name=f"shop.{name}",
        wire_name=f"shop_{name}",
        risk=risk,
        identity=identity,
        scopes=Scopes(),
        binding=binding,
        digest=f"digest of {name}",
        args=args,
        result=result,
        sensitive=sensitive,
    )


def _call(http: str, route: str, **more: Any) -> Call:
    return Call(sdk=f"shop.{http.lower()}{route.replace('/', '.')}", http=http, route=route, **more)


ID = Slot(argument="id", to=("path.id",))

GET_ITEM = _tool(
    "get_item",
    Binding(calls=(_call("GET", "/items/:id"),), slots=(ID,), output=ITEM),
    GetItemArgs,
    result=GetItemResult,
    identity=EITHER,
)
SECRET_ITEM = _tool(
    "secret_item",
    Binding(calls=(_call("GET", "/secrets/:id"),), slots=(ID,), output=ITEM),
    GetItemArgs,
    sensitive=True,
)
MY_ITEM = _tool(
    "my_item",
    Binding(calls=(_call("GET", "/mine/:id"),), slots=(ID,), output=ITEM),
    GetItemArgs,
    identity=PERSON,
)
CHOOSE = _tool(
    "choose",
    Binding(
        calls=(_call("POST", "/choices", body="json"),),
        slots=(
            Slot(argument="kind", to=("query.kind",)),
            Slot(
                argument="lines",
                to=("body.lines",),
                type="list[object]",
                fields=(
                    Slot(argument="code", to=("sku",)),
                    Slot(argument="count", to=("amount",), type="integer"),
                ),
            ),
            Slot(argument="number", to=("body.number",), type="int64", wire="number"),
            Slot(argument="at", to=("body.at",), type="time", wire="millis"),
            Slot(argument="share", to=("query.share",), type="number"),
            Slot(argument="labels", to=("query.labels",), type="list[string]", wire="csv"),
            Slot(argument="note", to=("body.note",)),
            Slot(argument="chat_id", to=("body.to",)),
            Slot(argument="open_id", to=("body.to",)),
            Slot(argument="mark", to=("header.X-Mark",)),
        ),
        rules=(Rule(kind="at_most_one", arguments=("chat_id", "open_id")),),
        output=ITEM,
    ),
    ChooseArgs,
)


def _list(name: str, paging: Paging) -> AnyTool:
    binding = Binding(
        calls=(_call("GET", f"/{name}"),),
        slots=(Slot(argument="shelf", to=("query.shelf",)),),
        paging=paging,
        output=LISTED,
    )
    return _tool(name, binding, ListItemsArgs)


LIST_ITEMS = _list(
    "list_items",
    Paging(
        style="token",
        token="query.token",
        size="query.size",
        size_max=50,
        items="items",
        next="next",
        more="more",
    ),
)
LIST_ROWS = _list(
    "list_rows",
    Paging(style="offset", token="query.offset", size="query.limit", size_max=50, items="items", more="more"),
)
LIST_SHEETS = _list(
    "list_sheets",
    Paging(style="page", token="query.page", size="query.size", size_max=50, items="items", is_stated=True),
)

NAME = Slot(argument="name", to=("body.name",))
EXTRA = Slot(argument="extra", to=("body.extra",), type="object")
WRITTEN = (Project(name="id", path="id", type="string"), Project(name="name", path="name", type="string"))

ADD_ITEM = _tool(
    "add_item",
    Binding(calls=(_call("POST", "/items", body="json"),), slots=(NAME, EXTRA), output=WRITTEN),
    AddItemArgs,
    risk=Risk.WRITE,
    identity=EITHER,
)
ADD_KEYED = _tool(
    "add_keyed",
    Binding(
        calls=(_call("POST", "/keyed", body="json"),),
        slots=(NAME, EXTRA),
        native_key=NativeKey(slot="body.key", form="uuid4", scope="forever"),
        output=WRITTEN,
    ),
    AddItemArgs,
    risk=Risk.WRITE,
)
REMOVE_ITEM = _tool(
    "remove_item",
    Binding(
        calls=(_call("DELETE", "/items/:id"),),
        slots=(ID, Slot(argument="name", to=("query.name",))),
        before=Before(tool="shop.get_item", arguments={"id": "$id"}, compare={"name": "name"}),
        preflight=("scripted.check",),
    ),
    RemoveItemArgs,
    risk=Risk.HIGH_RISK_WRITE,
)
SIGN = _tool(
    "sign",
    Binding(
        calls=(_call("POST", "/signatures", body="json"),),
        slots=(Slot(argument="text", to=("body.text",)),),
        context={"body.by": "actor.user"},
        output=WRITTEN,
    ),
    SignArgs,
    risk=Risk.WRITE,
)
UPLOAD = _tool(
    "upload",
    Binding(
        calls=(_call("POST", "/files", body="multipart"),),
        slots=(Slot(argument="file", to=("form.file",), type="file", max_bytes=1000),),
        derive=(Derived(to="form.size", argument="file", by="size"),),
        output=WRITTEN,
    ),
    UploadArgs,
    risk=Risk.WRITE,
)
DOWNLOAD = _tool(
    "download",
    Binding(
        calls=(_call("GET", "/files/:id", answer="file"),),
        slots=(ID,),
        output=(Project(name="content", path="$bytes", type="file"),),
    ),
    GetItemArgs,
)
THINK = _tool("think", Binding(local="think"), NoArgs, identity=())

TOOLS = tuple(sorted(name for name, value in list(globals().items()) if isinstance(value, Tool)))
