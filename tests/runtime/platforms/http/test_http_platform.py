"""Plain HTTP APIs: the tenant's address and key, and what a status says."""

import json
import subprocess
import sys
from typing import Any

import pytest

from placet.contract.binding import Call
from placet.contract.call import Actor, CallContext
from placet.contract.errors import RequestRefused
from placet.contract.platform import (
    Answer,
    Body,
    Credential,
    Failure,
    NeedsAuthorisation,
    Platform,
    Secret,
    Tenant,
    WireCall,
)
from placet.contract.words import Identity
from placet.platforms.http.names import NAMES
from placet.platforms.http.platform import HttpPlatform, create

GET = Call(sdk="getNote", http="GET", route="/notes/:id")
POST = Call(sdk="addNote", http="POST", route="/notes", body="json")
FILE = Call(sdk="getFile", http="GET", route="/files/:id", answer="file")


@pytest.fixture
def platform() -> HttpPlatform:
    return create(None)  # type: ignore[arg-type]  # nothing is sent


def tenant(**changes: Any) -> Tenant:
    given: dict[str, Any] = {
        "app": "notes",
        "platform": "http",
        "brand": "own",
        "secret": Secret("the-key"),
        "base_url": "https://notes.example/api/",
    }
    return Tenant(**{**given, **changes})


async def key_of(platform: HttpPlatform, of: Tenant) -> Credential:
    got = await platform.credential(of, Identity.TENANT, Actor(), force=False)
    assert isinstance(got, Credential)
    return got


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("options", "headers"),
    [
        pytest.param({}, {"Authorization": "Bearer the-key"}, id="bearer"),
        pytest.param({"credential_header": "X-Api-Key"}, {"X-Api-Key": "the-key"}, id="own-header"),
    ],
)
async def test_a_request_carries_the_tenants_key(
    platform: HttpPlatform, options: dict[str, str], headers: dict[str, str]
) -> None:
    """As a bearer token, or in the header that the tenant names."""
    of = tenant(options=options)

    request = platform.request(WireCall(call=GET, path={"id": "a/b"}), await key_of(platform, of), of)

    assert (request.method, request.url) == ("GET", "https://notes.example/api/notes/a%2Fb")
    assert request.headers == headers


@pytest.mark.anyio
async def test_a_call_cannot_replace_the_key(platform: HttpPlatform) -> None:
    """A header argument with the name of the key's header is refused."""
    of = tenant(options={"credential_header": "X-Api-Key"})
    wire = WireCall(call=GET, path={"id": "1"}, headers={"x-api-key": "other"})

    with pytest.raises(RequestRefused):
        platform.request(wire, await key_of(platform, of), of)


@pytest.mark.anyio
@pytest.mark.parametrize("base", [None, "http://notes.example", "ftp://notes.example", "notes.example"])
async def test_the_address_is_the_tenants_and_safe(platform: HttpPlatform, base: str | None) -> None:
    """No base URL, or one that is neither https nor loopback, sends nothing."""
    of = tenant(base_url=base)

    with pytest.raises(RequestRefused):
        platform.request(WireCall(call=GET, path={"id": "1"}), await key_of(platform, of), of)


@pytest.mark.anyio
async def test_nobody_can_log_in_here(platform: HttpPlatform) -> None:
    """A person's identity has no credential and never the tenant's."""
    got = await platform.credential(tenant(), Identity.USER, Actor(user="u"), force=True)

    assert isinstance(got, NeedsAuthorisation)


@pytest.mark.anyio
async def test_a_body_is_json(platform: HttpPlatform) -> None:
    """UTF-8 JSON with nulls."""
    of = tenant()

    request = platform.request(
        WireCall(call=POST, body={"text": "写周报", "due": None}), await key_of(platform, of), of
    )

    assert request.body is not None
    assert json.loads(request.body) == {"text": "写周报", "due": None}


@pytest.mark.parametrize(
    ("status", "category", "effect", "retryable"),
    [
        pytest.param(302, "server", "unknown", False, id="redirect"),
        pytest.param(400, "invalid_argument", "none", False, id="400"),
        pytest.param(401, "token_invalid", "none", False, id="401"),
        pytest.param(403, "no_permission", "none", False, id="403"),
        pytest.param(404, "not_found", "none", False, id="404"),
        pytest.param(408, "invalid_argument", "unknown", False, id="408"),
        pytest.param(409, "conflict", "unknown", False, id="409"),
        pytest.param(418, "invalid_argument", "none", False, id="other-4xx"),
        pytest.param(429, "rate_limited", "none", True, id="429"),
        pytest.param(500, "server", "unknown", True, id="500"),
        pytest.param(503, "server", "unknown", True, id="503"),
    ],
)
def test_errors_are_told_by_status(
    platform: HttpPlatform, status: int, category: str, effect: str, retryable: bool
) -> None:
    """Category, what it proves about a write, and whether it may pass."""
    got = platform.read(Answer(status=status, headers={"retry-after": "4"}, body=b"{}"), POST)

    assert isinstance(got, Failure)
    assert (got.category, got.effect, got.retryable) == (category, effect, retryable)
    assert got.retry_after_s == 4.0


def test_an_answer_is_its_whole_body(platform: HttpPlatform) -> None:
    """No envelope is taken off; a file keeps its name."""
    data = platform.read(Answer(status=200, headers={"content-type": "application/json"}, body=b"[1]"), GET)
    file = platform.read(
        Answer(status=200, headers={"content-disposition": "attachment; filename=a.txt"}, body=b"x"), FILE
    )

    assert isinstance(data, Body) and data.data == b"[1]" and not data.is_file
    assert isinstance(file, Body) and file.is_file and file.file_name == "a.txt"


def test_every_name_is_implemented(platform: HttpPlatform) -> None:
    """Its context keys have values, and it has none of the parts it does not name."""
    ctx = CallContext(app="notes", actor=Actor(user="u1"))

    assert {key: platform.context(key, tenant(), ctx) for key in NAMES.context_keys} == {
        "actor.user": "u1",
        "tenant.app_id": "notes",
    }
    fits: Platform = platform
    assert fits.secret_shapes().patterns == ()
    assert not (NAMES.codecs or NAMES.preflights or NAMES.routines or NAMES.derivations)
    for part in (platform.codec, platform.preflight, platform.routine):
        with pytest.raises(LookupError):
            part("x")


def test_it_needs_no_other_platform() -> None:
    """Importing it loads no module of a vendor."""
    code = "import sys, placet.platforms.http.platform; print(*[m for m in sys.modules if 'feishu' in m])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == ""
