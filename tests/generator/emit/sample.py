"""A small surface, resolved by hand, with one tool for every form that the emitter writes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from placet.contract import (
    Before,
    Binding,
    Call,
    Derived,
    Identity,
    NativeKey,
    Paging,
    Project,
    Risk,
    Rule,
    Scopes,
    Slot,
    Source,
)
from placet_generator.diagnostics import Span
from placet_generator.ir import (
    DomainIR,
    FieldIR,
    Limits,
    ListType,
    MemberIR,
    ObjectType,
    ScalarType,
    SurfaceIR,
    ToolIR,
    TopicIR,
    TypeIR,
    UnionType,
)

STRING, INTEGER, BOOLEAN = ScalarType(name="string"), ScalarType(name="integer"), ScalarType(name="boolean")


def member(
    name: str, kind: TypeIR = STRING, about: str = "", *, required: bool = False, **more: Any
) -> MemberIR:
    texts = {"en": about, "zh": f"{name} 说明。"} if about else {}
    return MemberIR(name=name, type=kind, required=required, about=texts, **more)


def output(name: str, kind: TypeIR = STRING, about: str = "") -> FieldIR:
    return FieldIR(name=name, type=kind, about={"en": about, "zh": f"{name} 说明"} if about else {})


def tool(name: str, **more: Any) -> ToolIR:
    """A read that sends one GET, changed by `more`."""
    domain, _, key = name.partition(".")
    call = Call(sdk=f"{domain}.v1.{key}", http="GET", route=f"/open-apis/{domain}/v1/{key}")
    settings: dict[str, Any] = {
        "name": name,
        "domain": domain,
        "key": key,
        "wire_name": name.replace(".", "_"),
        "summary": {"en": f"Do {key}.", "zh": f"执行 {key}。"},
        "use_when": {},
        "avoid_when": {},
        "keywords": (),
        "risk": Risk.READ,
        "identity": (Identity.TENANT, Identity.USER),
        "scopes": Scopes(any_of=(f"{domain}:read",)),
        "sensitive": False,
        "source": Source(sdk=call.sdk, http=call.http, route=call.route),
        "params": (),
        "output": (),
        "binding": Binding(calls=(call,)),
        "idempotency": "-",
        "errors": {},
        "aliases": (),
        "paged": False,
        "page_size_max": None,
        "defined_at": Span(f"curation/feishu/domains/{domain}.yaml", 3, 3),
    }
    return ToolIR(**{**settings, **more})


CONDITION = ObjectType(
    name="RecordFilter",
    members=(
        member("field_name", about="The field.", required=True),
        member(
            "operator",
            about="How to compare.",
            required=True,
            limits=Limits(enum=("is", "is_not", "contains")),
        ),
        member("value", ListType(item=STRING), limits=Limits(max_items=10)),
    ),
    shared=True,
    owner="bitable",
)
DEPARTMENT = ObjectType(
    name="Department",
    members=(
        member("name", required=True),
        member("parts", ListType(item=ObjectType(name="Department", members=(), shared=True, owner="im"))),
    ),
    shared=True,
    owner="im",
)
TEXT = ObjectType(
    name="MessageText", members=(member("text", about="Plain text.", required=True),), shared=True, owner="im"
)
IMAGE = ObjectType(
    name="MessageImage", members=(member("image_key", required=True),), shared=True, owner="im"
)
DIVIDER = ObjectType(name="MessageDivider", members=(), shared=True, owner="im")
MESSAGE = UnionType(
    name="Message",
    tag="type",
    variants=(("text", TEXT), ("image", IMAGE), ("divider", DIVIDER)),
    shared=True,
    owner="im",
)
CARD = UnionType(
    name="Call",
    tag="kind",
    variants=(("card", ObjectType(name="CallCard", members=(member("id"),), shared=True, owner="im")),),
    shared=True,
    owner="im",
)

UPDATE_RECORD = tool(
    "bitable.update_record",
    summary={
        "en": "Change chosen fields of one record. Fields not named keep their value.",
        "zh": "修改一条记录的部分字段，未提到的字段保持不变。",
    },
    use_when={
        "en": "You hold the record_id and know which fields change.",
        "zh": "已知 record_id 和要改的字段。",
    },
    avoid_when={
        "en": "Several records change at once; use bitable.query_records first.",
        "zh": "要改多条时先用 bitable.query_records。",
    },
    keywords=("多维表格", "改记录", "update"),
    risk=Risk.WRITE,
    scopes=Scopes(any_of=("base:record:update", "bitable:app"), all_of=("base:a", "base:b")),
    params=(
        member("app_token", about="The base.", required=True, obtain=("person",), example="bascnXxx"),
        member(
            "fields",
            ScalarType(name="object"),
            "Field name to new value; null clears the cell.",
            required=True,
            example={"状态": "已完成"},
        ),
        member(
            "record_id",
            about="The record.",
            required=True,
            obtain=("bitable.query_records#items[].record_id",),
        ),
        member("note", about="A remark", nullable=True, limits=Limits(min_len=1, max_len=100)),
    ),
    output=(
        output("record_id", about="The changed record."),
        output("fields", ScalarType(name="object")),
        output("revision", ScalarType(name="int64"), "Counts changes."),
    ),
    binding=Binding(
        calls=(
            Call(
                sdk="bitable.v1.app_table_record.update",
                http="PUT",
                route="/open-apis/bitable/v1/apps/:app_token/tables/:table_id/records/:record_id",
                body="json",
            ),
        ),
        slots=(
            Slot(argument="app_token", to=("path.app_token",)),
            Slot(
                argument="fields",
                to=("body.fields",),
                type="object",
                codec="bitable.field_values",
                null_clears=True,
            ),
            Slot(argument="record_id", to=("path.record_id",)),
            Slot(argument="note", to=("body.note",), null_clears=True),
        ),
        fixed={"query.user_id_type": "open_id", "query.flags": [1, 2.5, True, None, {"deep": "a"}]},
        context={"body.open_id": "actor.open_id"},
        native_key=NativeKey(slot="query.client_token", form="uuid4"),
        before=Before(
            tool="bitable.query_records",
            arguments={"app_token": "$app_token", "ids": "[$record_id]"},
            compare={"fields": "items[0].fields"},
        ),
        preflight=("bitable.known_fields",),
        output=(
            Project(name="record_id", path="record.record_id", type="string"),
            Project(name="fields", path="record.fields", type="object", codec="bitable.field_values"),
            Project(name="revision", path="record.revision", type="int64"),
        ),
        codecs={"bitable.field_values": 1},
        rate_tier=3,
    ),
    idempotency="native",
    errors={"1254045": {"en": "No such field. Call bitable.query_records.", "zh": "字段不存在。"}},
    aliases=("bitable.change_record",),
)

QUERY_RECORDS = tool(
    "bitable.query_records",
    summary={"en": "Search records of one table.", "zh": "查询一张表的记录。"},
    params=(
        member("app_token", about="The base.", required=True),
        member(
            "filter", ListType(item=CONDITION), "All must hold.", limits=Limits(min_items=1, max_items=20)
        ),
        member(
            "sort",
            ListType(
                item=ObjectType(
                    name="QueryRecordsSort",
                    members=(member("field_name", required=True), member("desc", BOOLEAN, default=False)),
                )
            ),
            "Order of the answer.",
            limits=Limits(max_items=3),
        ),
        member(
            "view",
            about="Only records of this view",
            default="all",
            limits=Limits(pattern=r"vew[A-Za-z0-9]+|all"),
        ),
    ),
    output=(
        output(
            "items",
            ListType(
                item=ObjectType(
                    name="QueryRecordsItems",
                    members=(
                        member("record_id", about="The record."),
                        member("fields", ScalarType(name="object")),
                    ),
                )
            ),
            "The records of this page.",
        ),
        output("total", INTEGER),
    ),
    paged=True,
    page_size_max=500,
    binding=Binding(
        calls=(
            Call(
                sdk="bitable.v1.app_table_record.search",
                http="POST",
                route="/open-apis/bitable/v1/apps/:app_token/records/search",
                body="json",
            ),
        ),
        paging=Paging(
            style="token",
            token="query.page_token",
            size="query.page_size",
            size_max=500,
            items="items[]",
            next="page_token",
            more="has_more",
        ),
    ),
)

LIST_RECORDS = tool(
    # Its name and its arguments are those of builtins.
    "bitable.list",
    params=(
        member("dict", ScalarType(name="object"), required=True),
        member("list", ListType(item=INTEGER), required=True),
        member("str", required=True),
        member("bool", BOOLEAN),
        member("filter", ListType(item=STRING)),
        member("float", ScalarType(name="number")),
        member("id", ListType(item=ListType(item=INTEGER))),
        member("int", INTEGER),
        member("type"),
    ),
    output=(output("list", ListType(item=STRING)), output("str"), output("ids", ListType(item=STRING))),
)

ALL_KINDS = tool(
    "im.all_kinds",
    params=(
        member("ids", ListType(item=ScalarType(name="int64")), "Ids.", required=True),
        member("mode", about="A mode.", required=True, limits=Limits(enum=("fast", 'say "hi"', "慢"))),
        member("any", ScalarType(name="any")),
        member("call", CARD),
        member("count", INTEGER, limits=Limits(min=1, max=9), default=3),
        member("departments", ListType(item=DEPARTMENT)),
        member("flag", BOOLEAN, nullable=True),
        member("level", INTEGER, limits=Limits(enum=(0, 1, 3)), nullable=True),
        member("matrix", ListType(item=ListType(item=INTEGER, limits=Limits(min=0)))),
        member(
            "names",
            ListType(item=STRING, limits=Limits(pattern="[a-z]+")),
            limits=Limits(min_items=1, pattern="[a-z]+"),
        ),
        member("ratio", ScalarType(name="number"), limits=Limits(min=0.5, max=1)),
        member("record_filter", CONDITION, nullable=True),
        member("start", ScalarType(name="time"), "When it starts."),
        member("union", MESSAGE, nullable=True),
        member(
            "window", ObjectType(name="AllKindsWindow", members=(member("open", ScalarType(name="time")),))
        ),
    ),
    output=(
        output("raw", ScalarType(name="any")),
        output("at", ScalarType(name="time")),
        output("message", MESSAGE),
    ),
    sensitive=True,
)

SEND_MESSAGE = tool(
    "im.send_message",
    summary={"en": "Send one message.", "zh": "发送一条消息。"},
    risk=Risk.HIGH_RISK_WRITE,
    params=(
        member("message", MESSAGE, "What to say.", required=True),
        member("receive_id", about="Who gets it.", required=True),
    ),
    output=(output("message_id"),),
    binding=Binding(
        calls=(
            Call(sdk="im.v1.message.create", http="POST", route="/open-apis/im/v1/messages", body="json"),
        ),
        slots=(
            Slot(argument="message", to=("body.msg_type", "body.content"), type="object", codec="im.message"),
            Slot(argument="receive_id", to=("body.receive_id",)),
        ),
        derive=(Derived(to="query.receive_id_type", argument="receive_id", by="im.id_kind"),),
        rules=(Rule(kind="exactly_one", arguments=("message", "receive_id")),),
        codecs={"im.message": 1},
    ),
    idempotency="ledger",
)

UPLOAD_FILE = tool(
    "im.upload_file",
    risk=Risk.WRITE,
    source=Source(),
    params=(
        member(
            "file", ScalarType(name="file"), "The file.", required=True, limits=Limits(max_bytes=20 * 2**20)
        ),
    ),
    output=(output("file", ScalarType(name="file")),),
    binding=Binding(
        calls=(
            Call(
                name="small",
                sdk="drive.v1.file.upload_all",
                http="POST",
                route="/open-apis/drive/v1/all",
                body="multipart",
            ),
            Call(
                name="finish", sdk="supplement:drive.finish", http="POST", route="/open-apis/drive/v1/finish"
            ),
        ),
        routine="drive.upload",
    ),
    idempotency="ledger",
)

READ_GUIDANCE = tool(
    "im.guidance",
    identity=(),
    scopes=Scopes(),
    source=Source(),
    params=(member("topic", about="Which page."),),
    output=(output("text"),),
    binding=Binding(local="guidance_read"),
)


def sample_surface() -> SurfaceIR:
    """Two domains, eight tools, two languages."""
    bitable = DomainIR(
        name="bitable",
        title={"en": "Bitable, tables used as a small database", "zh": "多维表格"},
        tools=(LIST_RECORDS, QUERY_RECORDS, UPDATE_RECORD),
        shapes=(CONDITION,),
        guidance=(
            TopicIR(
                domain="bitable",
                topic="",
                title={"en": "Bitable", "zh": "多维表格"},
                text={"en": "# Bitable\n\nFirst bitable.query_records.\n", "zh": "# 多维表格\n"},
            ),
            TopicIR(
                domain="bitable",
                topic="filters",
                title={"en": "Filters", "zh": "筛选"},
                text={"en": "How filters work.\n", "zh": "筛选的写法。\n"},
            ),
        ),
        path="curation/feishu/domains/bitable.yaml",
    )
    im = DomainIR(
        name="im",
        title={"en": "Messages", "zh": "消息"},
        tools=(ALL_KINDS, READ_GUIDANCE, SEND_MESSAGE, UPLOAD_FILE),
        shapes=(CARD, DEPARTMENT, MESSAGE),
        guidance=(),
        path="curation/feishu/domains/im.yaml",
    )
    return SurfaceIR(
        name="feishu",
        package="placet_feishu",
        title="Feishu and Lark",
        platform="feishu",
        locales=("en", "zh"),
        domains=(bitable, im),
        presets={"default": ("bitable.query_records",), "all": ("bitable.query_records", "im.send_message")},
        sdk="lark-oapi 1.7.5",
        sdk_files={"b.py": "0" * 64, "a.py": "1" * 64},
        signatures={"im.v1.message.create": {"http": "POST", "digest": "2" * 16}},
    )


def surface_with(*tools: ToolIR) -> SurfaceIR:
    """A surface of one domain `im` that has these tools and the sample's shapes."""
    sample = sample_surface()
    return replace(sample, domains=(replace(sample.domains[1], tools=tools),), presets={})


def multiplied(surface: SurfaceIR, times: int) -> SurfaceIR:
    """The same domains `times` times under other names."""
    domains: list[DomainIR] = []
    for number in range(times):
        for domain in surface.domains:
            domains.append(_renamed(domain, f"{domain.name}{number}"))
    return replace(surface, domains=tuple(domains), presets={})


def _renamed(domain: DomainIR, name: str) -> DomainIR:
    def moved(one: ToolIR) -> ToolIR:
        return replace(one, domain=name, name=f"{name}.{one.key}", wire_name=f"{name}_{one.key}")

    tools: Sequence[ToolIR] = [moved(one) for one in domain.tools]
    return replace(domain, name=name, tools=tuple(tools))
