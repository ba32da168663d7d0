"""What an answer means: data, a file, or a failure that says what it proves."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.contract.platform import Answer, Body, Failure
from placet.platforms.feishu.envelope import read_answer
from tests.runtime.platforms.feishu.wire import answer, call, tenant

READ = call()
WRITE = call("/open-apis/bitable/v1/apps/:app_token/tables", http="POST", body="json")
DOWNLOAD = call("/open-apis/drive/v1/files/:file_token/download", answer="file")


def failure(got: Body | Failure) -> Failure:
    assert isinstance(got, Failure)
    return got


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(data=st.dictionaries(st.text(), JSON_VALUES, max_size=4), spaces=st.sampled_from([None, 1]))
def test_data_passes_as_the_bytes_it_came_in(data: dict[str, Any], spaces: int | None) -> None:
    """Nothing is decoded and written again on the way."""
    inner = json.dumps(data, ensure_ascii=True, indent=spaces)
    body = f'{{"msg":"ok","data":{inner},"code":0}}'.encode()

    got = read_answer(answer(body), READ)

    assert isinstance(got, Body)
    assert got.data == inner.encode() and not got.is_file


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'{"code":0,"msg":"success"}', id="absent"),
        pytest.param(b'{"code":0,"msg":null,"data":null}', id="null"),
    ],
)
def test_no_data_is_an_empty_object(body: bytes) -> None:
    """A success without data is a success."""
    assert read_answer(answer(body), WRITE) == Body(data=b"{}")


@pytest.mark.parametrize(
    ("body", "status", "category", "effect", "retryable"),
    [
        pytest.param(b"<html>bad gateway</html>", 502, "server", "unknown", True, id="gateway-page"),
        pytest.param(b"<html>ok</html>", 200, "server", "unknown", True, id="page-as-success"),
        pytest.param(b"", 200, "server", "unknown", True, id="empty"),
        pytest.param(b"[]", 200, "server", "unknown", True, id="no-object"),
        pytest.param(b'{"data":{}}', 200, "server", "unknown", True, id="no-code"),
        pytest.param(b'{"code":"0","data":{}}', 200, "server", "unknown", True, id="code-is-text"),
        pytest.param(b'{"code":true,"data":{}}', 200, "server", "unknown", True, id="code-is-flag"),
        pytest.param(b'{"code":0,"data":{"a":', 200, "server", "unknown", True, id="cut"),
        pytest.param(b'{"code":0,"data":{}}', 500, "server", "unknown", True, id="success-with-500"),
        pytest.param(b'{"code":0,"data":{}}', 302, "server", "unknown", False, id="redirect"),
        pytest.param(b'{"code":0,"msg":"\xff"}', 200, "server", "unknown", True, id="no-text"),
        pytest.param(b'{"code":0,"data":' + b"[" * 60000, 200, "server", "unknown", True, id="deep"),
        pytest.param(b"<html>", 404, "not_found", "none", False, id="page-404"),
        pytest.param(b"<html>", 413, "invalid_argument", "none", False, id="page-413"),
        pytest.param(b"<html>", 408, "invalid_argument", "unknown", False, id="page-408"),
        pytest.param(b"<html>", 429, "rate_limited", "none", True, id="page-429"),
    ],
)
def test_anything_but_an_envelope_is_a_typed_failure(
    body: bytes, status: int, category: str, effect: str, retryable: bool
) -> None:
    """What cannot be read says nothing about a write, unless the status alone proves that nothing was done."""
    got = failure(read_answer(answer(body, status), WRITE))

    assert (got.category, got.effect, got.retryable) == (category, effect, retryable)


@pytest.mark.parametrize(
    ("code", "status", "category", "effect", "retryable", "refresh"),
    [
        pytest.param(99991663, 400, "token_invalid", "none", False, True, id="app-token-invalid"),
        pytest.param(99991668, 401, "token_invalid", "none", False, True, id="person-token-invalid"),
        pytest.param(99991677, 401, "token_expired", "none", False, True, id="person-token-expired"),
        pytest.param(99991661, 400, "token_invalid", "none", False, False, id="token-missing"),
        pytest.param(99991672, 400, "missing_scope", "none", False, False, id="scope"),
        pytest.param(99991400, 429, "rate_limited", "none", True, False, id="rate"),
        pytest.param(99991400, 400, "rate_limited", "none", True, False, id="rate-older-apis"),
        pytest.param(99991403, 429, "rate_limited", "none", False, False, id="monthly-quota"),
        pytest.param(1254290, 200, "rate_limited", "none", True, False, id="rate-of-bitable"),
        pytest.param(1254291, 200, "conflict", "none", True, False, id="write-conflict"),
        pytest.param(1254607, 400, "conflict", "none", True, False, id="not-ready"),
        pytest.param(1254018, 200, "invalid_argument", "none", False, False, id="filter"),
        pytest.param(1254043, 200, "not_found", "none", False, False, id="record"),
        pytest.param(1255040, 504, "server", "unknown", True, False, id="timed-out"),
        pytest.param(1255040, 200, "server", "unknown", True, False, id="timed-out-with-200"),
        pytest.param(1254018, 500, "invalid_argument", "unknown", False, False, id="fault-with-500"),
        pytest.param(7777777, 400, "invalid_argument", "none", False, False, id="unlisted-400"),
        pytest.param(7777777, 200, "other", "unknown", False, False, id="unlisted-200"),
        pytest.param(7777777, 503, "server", "unknown", True, False, id="unlisted-503"),
        pytest.param(7777777, 429, "rate_limited", "none", True, False, id="unlisted-429"),
        pytest.param(2**70, 200, "other", "unknown", False, False, id="absurd-code"),
    ],
)
def test_codes_say_what_they_prove(
    code: int, status: int, category: str, effect: str, retryable: bool, refresh: bool
) -> None:
    """Token, permission, rate and argument codes prove that nothing was done; server faults do not."""
    got = failure(read_answer(answer({"code": code, "msg": "m"}, status), WRITE))

    assert got.code == str(code)
    assert (got.category, got.effect) == (category, effect)
    assert (got.retryable, got.credential_invalid) == (retryable, refresh)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        pytest.param({"x_ogw_ratelimit_reset": "7"}, 7.0, id="platform"),
        pytest.param({"x_ogw_ratelimit_reset": "7", "retry_after": "9"}, 7.0, id="platform-first"),
        pytest.param({"retry_after": "9"}, 9.0, id="general"),
        pytest.param({"x_ogw_ratelimit_reset": "0"}, None, id="zero"),
        pytest.param({"x_ogw_ratelimit_reset": "-3"}, None, id="negative"),
        pytest.param({"x_ogw_ratelimit_reset": "1e9"}, None, id="no-number"),
        pytest.param({"x_ogw_ratelimit_reset": "9" * 40}, None, id="absurd"),
        pytest.param({}, None, id="silent"),
    ],
)
def test_the_reset_header_says_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds from the platform's header, then the general one; anything else is not said."""
    limited = failure(read_answer(answer({"code": 99991400, "msg": "m"}, 429, **headers), READ))
    other = failure(read_answer(answer({"code": 1254018, "msg": "m"}, 400, **headers), READ))

    assert limited.retry_after_s == seconds
    assert other.retry_after_s is None


def test_violations_and_the_log_id_reach_the_caller() -> None:
    """Field and rule, and the id that support asks for."""
    body = {
        "code": 99992402,
        "msg": "field validation failed",
        "error": {
            "log_id": "2026010112",
            "field_violations": [
                {"field": "children", "value": "", "description": "the max len is 50"},
                {"description": "no field"},
                "odd",
            ],
        },
    }

    got = failure(read_answer(answer(body, 400), WRITE))

    assert got.violations == {"children": "the max len is 50"}
    assert got.log_id == "2026010112"
    assert failure(read_answer(answer(body, 400, x_tt_logid="ABC"), WRITE)).log_id == "ABC"


SCOPES = ["bitable:app:readonly", "base:record:retrieve"]
MSG = (
    "Access denied. One of the following scopes is required: [bitable:app:readonly, base:record:retrieve]."
    "点击链接申请：https://open.feishu.cn/app/cli_a1/auth?q=bitable:app:readonly&op_from=openapi&token_type=tenant"
)
VIOLATIONS = [{"type": "action_scope_required", "subject": scope} for scope in SCOPES]


@pytest.mark.parametrize(
    "error",
    [
        pytest.param({"permission_violations": VIOLATIONS}, id="listed"),
        pytest.param(None, id="in-the-text-only"),
    ],
)
def test_missing_scopes_come_with_the_place_to_grant_them(error: Any) -> None:
    """Scopes, whose they are, and the console page of the tenant's own app."""
    got = failure(read_answer(answer({"code": 99991672, "msg": MSG, "error": error}, 400), READ, tenant()))

    assert got.missing_scopes == tuple(SCOPES)
    assert "app lacks" in got.message and SCOPES[0] in got.message
    assert got.grant_url == (
        "https://open.feishu.cn/app/cli_a1/auth?q=bitable:app:readonly,base:record:retrieve"
        "&op_from=openapi&token_type=tenant"
    )


def test_a_person_grants_at_their_own_brand() -> None:
    """The identity of the missing grant and the brand's host are in the address."""
    body = {"code": 99991679, "msg": "m", "error": {"permission_violations": VIOLATIONS}}

    got = failure(read_answer(answer(body, 400), READ, tenant(brand="lark")))

    assert "the person has not granted" in got.message
    assert got.grant_url is not None
    assert got.grant_url.startswith("https://open.larksuite.com/app/cli_a1/auth?")
    assert got.grant_url.endswith("token_type=user")


@pytest.mark.parametrize(
    ("msg", "url"),
    [
        pytest.param(MSG, MSG.partition("：")[2], id="console"),
        pytest.param("see https://evil.example/app/cli_a1/auth?q=x", None, id="other-host"),
        pytest.param("see https://open.feishu.cn.evil.example/app/cli_a1/auth", None, id="look-alike"),
        pytest.param("see https://a@open.feishu.cn/app/cli_a1/auth", None, id="user-in-url"),
        pytest.param("see https://open.feishu.cn/document/x", None, id="other-page"),
        pytest.param("nothing", None, id="none"),
    ],
)
def test_an_address_out_of_an_answer_is_the_console_or_none(msg: str, url: str | None) -> None:
    """Without the tenant, only a console address of the platform's own hosts is passed on."""
    got = failure(read_answer(answer({"code": 99991672, "msg": msg}, 400), READ))

    assert got.grant_url == url


def test_sentences_of_the_platform_come_through_whole() -> None:
    """What is cut before it is masked may end in half a secret, so nothing is cut here; a flood is counted off."""
    body = {
        "code": 1254018,
        "msg": "x" * 100_000,
        "error": {"field_violations": [{"field": f"f{n}", "description": "y" * 9000} for n in range(500)]},
    }

    got = failure(read_answer(answer(body, 400), READ))

    assert got.message == "x" * 100_000
    assert len(got.violations) <= 20
    assert set(got.violations.values()) == {"y" * 9000}


def file_answer(body: bytes, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, headers=named, body=body)


def test_a_download_is_bytes_with_its_name() -> None:
    """Bytes, media type and the name the platform gives."""
    got = read_answer(
        file_answer(
            b"%PDF",
            content_type="application/pdf; x=y",
            content_disposition="attachment; filename*=UTF-8''%E5%91%A8%E6%8A%A5.pdf",
        ),
        DOWNLOAD,
    )

    assert got == Body(data=b"%PDF", is_file=True, media_type="application/pdf", file_name="周报.pdf")


@pytest.mark.parametrize(
    ("header", "name"),
    [
        pytest.param('attachment; filename="a.txt"', "a.txt", id="quoted"),
        pytest.param("attachment; filename=a.txt", "a.txt", id="bare"),
        pytest.param('attachment; filename="../../etc/passwd"', "passwd", id="path"),
        pytest.param('attachment; filename="..\\\\..\\\\x.exe"', "x.exe", id="windows-path"),
        pytest.param("attachment; filename*=UTF-8''..%2F..%2Fx", "x", id="encoded-path"),
        pytest.param('attachment; filename=".."', None, id="dots"),
        pytest.param("attachment; filename*=UTF-8''a%00%0Ab", "ab", id="controls"),
        pytest.param("attachment", None, id="nameless"),
    ],
)
def test_a_file_name_is_a_name_and_no_path(header: str, name: str | None) -> None:
    """Whatever the platform says, a name has no directories and no control characters."""
    got = read_answer(file_answer(b"x", content_disposition=header), DOWNLOAD)

    assert isinstance(got, Body)
    assert got.file_name == name


def test_a_downloaded_file_that_looks_like_an_error_is_a_file() -> None:
    """The content of somebody's document cannot pose as the platform's answer."""
    body = b'{"code":99991663,"msg":"token invalid"}'
    named = file_answer(
        body, content_type="application/json", content_disposition='attachment; filename="a.json"'
    )

    assert isinstance(read_answer(named, DOWNLOAD), Body)


@pytest.mark.parametrize(
    ("body", "status", "kind", "category"),
    [
        pytest.param(
            b'{"code":1061004,"msg":"forbidden"}', 403, "application/json", "no_permission", id="json"
        ),
        pytest.param(b'{"code":1061004,"msg":"m"}', 200, "application/json", "no_permission", id="json-200"),
        pytest.param(b'{"code":1061004,"msg":"m"}', 200, "text/plain", "no_permission", id="mislabelled"),
        pytest.param(b"<html>", 502, "text/html", "server", id="gateway"),
        pytest.param(b"<html>", 200, "text/html", "server", id="nameless-page"),
    ],
)
def test_an_error_instead_of_a_file_is_a_failure(body: bytes, status: int, kind: str, category: str) -> None:
    """An envelope with a code, or a proxy's page, is never kept as the file."""
    got = failure(read_answer(file_answer(body, status, content_type=kind), DOWNLOAD))

    assert got.category == category
