"""From a neutral request to the wire."""

import json
from base64 import b64decode
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.contract.errors import RequestRefused
from placet.contract.platform import FileContent, FilePart, Secret, Services, WireCall
from placet.contract.words import Identity
from placet.platforms.feishu.platform import FeishuPlatform
from tests.runtime.platforms.feishu.wire import call, credential, tenant

ROUTE = "/open-apis/bitable/v1/apps/:app_token/tables/:table_id"
VALUES = (
    st.text(st.sampled_from("/.:?#%&=+ \\@;,é表"), min_size=1)
    | st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
).filter(lambda one: one not in (".", "..", ":app_token", ":table_id"))


@pytest.fixture
def offline(transport: Any) -> FeishuPlatform:
    services: Services = transport
    return FeishuPlatform(services)


def build(platform: FeishuPlatform, wire: WireCall, **changes: Any) -> Any:
    return platform.request(wire, credential(), tenant(**changes))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("changes", "base"),
    [
        pytest.param({"brand": "feishu"}, "https://open.feishu.cn", id="feishu"),
        pytest.param({"brand": "lark"}, "https://open.larksuite.com", id="lark"),
        pytest.param({"base_url": "http://127.0.0.1:8/p/"}, "http://127.0.0.1:8/p", id="own-address"),
    ],
)
async def test_the_tenant_says_where_a_request_goes(
    offline: FeishuPlatform, changes: dict[str, Any], base: str
) -> None:
    """The brand's host, or the tenant's own address."""
    request = build(offline, WireCall(call=call("/open-apis/x/v1/y")), **changes)

    assert request.url == f"{base}/open-apis/x/v1/y"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"brand": "feishu2"}, id="unknown-brand"),
        pytest.param({"base_url": "http://evil.example"}, id="plain-http"),
        pytest.param({"base_url": "https://a:b@open.feishu.cn"}, id="user-in-url"),
        pytest.param({"base_url": "https://open.feishu.cn/?x="}, id="query-in-url"),
        pytest.param({"base_url": "https://"}, id="no-host"),
        pytest.param({"base_url": "http://[::1"}, id="unreadable"),
    ],
)
async def test_a_token_goes_to_no_other_address(offline: FeishuPlatform, changes: dict[str, Any]) -> None:
    """An unknown brand or an unsafe address is refused; there is no default."""
    with pytest.raises(RequestRefused):
        build(offline, WireCall(call=call("/open-apis/x/v1/y")), **changes)


@given(app=VALUES, table=VALUES, pairs=st.lists(st.tuples(VALUES, VALUES | st.just(""))))
def test_values_cannot_leave_their_place_in_the_address(
    app: str, table: str, pairs: list[tuple[str, str]]
) -> None:
    """Whatever the values are, the address has the route's segments and the query's pairs, in order."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent
    wire = WireCall(call=call(ROUTE), path={"app_token": app, "table_id": table}, query=tuple(pairs))

    parts = urlsplit(build(platform, wire).url)

    assert parts.netloc == "open.feishu.cn"
    segments = parts.path.split("/")
    assert [unquote(one) for one in segments] == ["", *ROUTE.split("/")[1:5], app, "tables", table]
    assert parse_qsl(parts.query, keep_blank_values=True) == pairs


@pytest.mark.parametrize(
    "path",
    [
        pytest.param({"app_token": "a"}, id="absent"),
        pytest.param({"app_token": "a", "table_id": None}, id="none"),
        pytest.param({"app_token": "a", "table_id": ""}, id="empty"),
        pytest.param({"app_token": "a", "table_id": ".."}, id="step-upwards"),
        pytest.param({"app_token": "a", "table_id": ":table_id"}, id="placeholder-itself"),
        pytest.param({"app_token": "a", "table_id": "\ud800"}, id="no-text"),
        pytest.param({"app_token": "a", "table_id": "t", "other": "x"}, id="unknown-placeholder"),
    ],
)
def test_no_placeholder_is_left_in_an_address(path: dict[str, Any]) -> None:
    """A route whose placeholders are not all filled with real values is no request."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent

    with pytest.raises(RequestRefused):
        build(platform, WireCall(call=call(ROUTE), path=path))


def test_a_body_is_json_with_its_nulls() -> None:
    """UTF-8 JSON, null kept at any depth, and a content type only with a body."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent
    body = {"fields": {"备注": None, "n": [1, {"x": None}]}}
    posted = call("/open-apis/x/v1/y", http="POST", body="json")

    request = build(platform, WireCall(call=posted, body=body))
    bare = build(platform, WireCall(call=call("/open-apis/x/v1/y")))

    assert json.loads(request.body) == body
    assert "备注".encode() in request.body
    assert request.headers["Content-Type"] == "application/json; charset=utf-8"
    assert bare.body is None and bare.headers == {"Authorization": "Bearer t-token"}


def test_a_file_travels_as_a_form() -> None:
    """A multipart call keeps its form and names no content type itself."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent

    async def read() -> bytes:
        return b"x"

    part = FilePart(
        name="a.txt",
        content=FileContent(name="a.txt", media_type="text/plain", size=1, sha256="", read=read),
    )
    upload = call("/open-apis/drive/v1/files/upload_all", http="POST", body="multipart")
    request = build(platform, WireCall(call=upload, form=(("size", "1"), ("file", part))))

    assert request.multipart and request.form == (("size", "1"), ("file", part))
    assert request.body is None and "Content-Type" not in request.headers


@pytest.mark.parametrize(
    ("identity", "takes", "passes"),
    [
        pytest.param(Identity.TENANT, (Identity.TENANT,), True, id="app-token"),
        pytest.param(Identity.USER, (Identity.TENANT, Identity.USER), True, id="either"),
        pytest.param(Identity.USER, (Identity.TENANT,), False, id="person-where-app-only"),
        pytest.param(Identity.TENANT, (Identity.USER,), False, id="app-where-person-only"),
        pytest.param(Identity.TENANT, (), False, id="none-allowed"),
    ],
)
def test_a_token_of_the_wrong_kind_is_not_sent(
    identity: Identity, takes: tuple[Identity, ...], passes: bool
) -> None:
    """A call carries exactly the kind of token it takes; nothing falls back to the other."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent
    wire = WireCall(call=call("/open-apis/x/v1/y"), identities=takes)

    if passes:
        request = platform.request(wire, credential(identity, "the-token"), tenant())
        assert request.headers["Authorization"] == "Bearer the-token"
    else:
        with pytest.raises(RequestRefused):
            platform.request(wire, credential(identity), tenant())


def test_without_a_token_nothing_is_sent() -> None:
    """No credential is a refusal, not an anonymous request."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent

    with pytest.raises(RequestRefused):
        platform.request(WireCall(call=call("/open-apis/x/v1/y")), None, tenant())


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"X-Note": "a\r\nAuthorization: Bearer t-other"}, id="line-break"),
        pytest.param({"X-Note": "a\x00"}, id="control"),
        pytest.param({"X-Note": "名"}, id="not-ascii"),
        pytest.param({"X Note": "a"}, id="name-with-space"),
        pytest.param({"authorization": "Bearer t-other"}, id="our-token"),
        pytest.param({"Host": "evil.example"}, id="host"),
        pytest.param({"Content-Type": "text/plain"}, id="content-type"),
    ],
)
def test_a_call_cannot_add_headers_of_its_own(headers: dict[str, str]) -> None:
    """Header values that break lines, and headers that are ours, are refused."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent

    with pytest.raises(RequestRefused):
        build(platform, WireCall(call=call("/open-apis/x/v1/y"), headers=headers))


def test_a_token_that_breaks_lines_is_not_sent() -> None:
    """A token is header text like any other."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent

    with pytest.raises(RequestRefused) as caught:
        platform.request(WireCall(call=call("/open-apis/x/v1/y")), credential(token="t-a\r\nX: y"), tenant())

    assert "t-a" not in str(caught.value)


def test_a_request_shows_no_credential() -> None:
    """The representation of a request has neither headers nor body."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent

    shown = repr(build(platform, WireCall(call=call("/open-apis/x/v1/y"))))

    assert "t-token" not in shown and "/open-apis/x/v1/y" in shown


def test_a_help_desk_is_asked_with_its_own_credential() -> None:
    """Requests to a help desk carry its id and token; requests elsewhere, and what they show, do not."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent
    desk = {"options": {"helpdesk_id": "682001"}, "secrets": {"helpdesk_token": Secret("ht-1")}}

    asked = build(platform, WireCall(call=call("/open-apis/helpdesk/v1/faqs")), **desk)
    elsewhere = build(platform, WireCall(call=call("/open-apis/x/v1/y")), **desk)

    name = "X-Lark-Helpdesk-Authorization"
    assert b64decode(asked.headers[name]) == b"682001:ht-1"
    assert name not in elsewhere.headers
    assert "ht-1" not in repr(asked)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"options": {"helpdesk_id": "682001"}}, id="no-token"),
        pytest.param({"secrets": {"helpdesk_token": Secret("ht-1")}}, id="no-id"),
    ],
)
def test_without_a_help_desk_none_is_asked(changes: dict[str, Any]) -> None:
    """A tenant whose record has no desk sends no request to one."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent

    with pytest.raises(RequestRefused, match="helpdesk_id"):
        build(platform, WireCall(call=call("/open-apis/helpdesk/v1/faqs")), **changes)


def test_a_call_cannot_name_another_help_desk() -> None:
    """The desk's header is ours like the token's."""
    platform = FeishuPlatform(None)  # type: ignore[arg-type]  # nothing is sent
    wire = WireCall(
        call=call("/open-apis/helpdesk/v1/faqs"), headers={"x-lark-helpdesk-authorization": "b3RoZXI6eA=="}
    )

    with pytest.raises(RequestRefused):
        build(platform, wire, options={"helpdesk_id": "682001"}, secrets={"helpdesk_token": Secret("ht-1")})
