"""The wire proof: every case once through our encoder, platform and transport, and once through the real SDK.

One loopback server records both. The SDK runs in one child process, whose import goes on while ours are sent.
"""

import base64
import json
import math
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import anyio
from aiohttp import web
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream
from msgspec import UNSET, Struct
from msgspec.structs import replace

from placet.contract.binding import Binding
from placet.contract.platform import (
    Answer,
    Credential,
    FilePart,
    HttpRequest,
    Platform,
    Secret,
    Tenant,
    WireCall,
)
from placet.contract.words import Identity
from placet.encoding import Encoder, Filling
from placet.inlining import inlined
from placet.testing import Received
from placet.transport.pool import Transport
from tests.runtime.wire.comparison import Difference, differences
from tests.runtime.wire.examples import FILE, staged_file
from tests.runtime.wire.exceptions import EXCEPTIONS, excuse

__all__ = ["FILE", "Case", "NoServices", "Proof", "cases_of", "prove"]

CHILD = Path(__file__).with_name("sdk_child.py")
KEY = "5f0c1d9e-7a55-4a43-9a1e-3b5a1f0e2c11"
TOKENS = {Identity.TENANT: "t-tenant0000000000000000", Identity.USER: "u-user000000000000000000"}
CONTEXT = {
    "actor.open_id": "ou_zw",
    "actor.user_id": "zw1",
    "actor.union_id": "on_zw",
    "tenant.app_id": "cli_a1",
    "tenant.tenant_key": "tk1",
}
_AT_ONCE = 8
_WITHIN_S = 120


class Case(Struct, frozen=True, kw_only=True):
    """One request to compare. `id` is unique among all cases."""

    id: str
    tool: str
    identity: Identity
    wire: WireCall


class Proof(Struct, frozen=True, kw_only=True):
    """What came of it.

    Attributes:
        faults: Tool to the differences that nothing excuses.
        counts: Tool to how many requests were compared.
        used: Exception to how many differences it excused.
    """

    faults: dict[str, list[Difference]]
    counts: Counter[str]
    used: Counter[str]


def cases_of(
    tool: str,
    binding: Binding,
    identities: Sequence[Identity],
    platform: Platform,
    arguments: Iterable[dict[str, Any]],
) -> list[Case]:
    """Every declared call of a tool for each argument set, under its identities in turn, with and without a page.

    Few sets are repeated, so that every identity has its turn.
    """
    encoder = Encoder(binding, platform.codec, platform.derive, identities=tuple(identities))
    cases: list[Case] = []
    given = list(arguments)
    rounds = math.ceil(len(identities) / len(given))
    for number, one in enumerate(given * rounds):
        slots = _filled(binding, page=number % 3)
        filling = Filling(slots=slots, files={FILE: staged_file()})
        calls = encoder.complete(encoder.draft(one), one, filling)
        identity = identities[number % len(identities)]
        cases += [
            Case(id=f"{tool}/{name}/{number}", tool=tool, identity=identity, wire=_with_whole_path(wire))
            for name, wire in calls.items()
            if wire.form
            or wire.call.body != "multipart"  # a form that its routine fills alone is proven with it
        ]
    return cases


def _with_whole_path(wire: WireCall) -> WireCall:
    """The request with a value for every placeholder that only a routine fills, from an answer that none has here."""
    named = {part[1:] for part in wire.call.route.split("/") if part.startswith(":")}
    return replace(wire, path={**dict.fromkeys(sorted(named - wire.path.keys()), "汉/1"), **wire.path})


def _filled(binding: Binding, *, page: int) -> dict[str, Any]:
    """Slots that the call's context fills: who acts, the native key, and in two of three cases a page."""
    slots: dict[str, Any] = {slot: CONTEXT[key] for slot, key in binding.context.items()}
    if binding.native_key is not None:
        slots[binding.native_key.slot] = KEY
    paging = binding.paging
    if paging is not None and page:
        slots[paging.token] = "pt_汉 +/=&" if paging.style == "token" else 2
        if paging.size is not None:
            slots[paging.size] = 1 if page == 1 else (paging.size_max or 50)
    return slots


class NoServices:
    """What a platform would be lent; building requests needs none of it."""

    async def send(self, request: HttpRequest, tenant: Tenant, *, deadline_s: float) -> Answer:
        raise AssertionError("a request is built without sending another")

    async def cached_credential(
        self, key: tuple[str, ...], fetch: Callable[[], Awaitable[Credential]], *, force: bool
    ) -> Credential:
        raise AssertionError("a request is built with the credential it is given")

    def now(self) -> float:
        return 0.0


async def prove(cases: Sequence[Case], platform: Platform) -> Proof:
    """Send every case both ways and compare what arrived."""
    async with _Recorder() as recorder:
        with anyio.fail_after(_WITHIN_S):
            async with await _child(recorder.base_url) as child, anyio.create_task_group() as tasks:
                replies: dict[str, Any] = {}
                tasks.start_soon(_through_sdk, child, cases, replies)
                tasks.start_soon(_through_us, recorder.base_url, cases, platform)
    return _compared(cases, recorder, replies)


def _compared(cases: Sequence[Case], recorder: "_Recorder", replies: dict[str, Any]) -> Proof:
    faults: dict[str, list[Difference]] = {}
    used = Counter({one.name: 0 for one in EXCEPTIONS})
    for case in cases:
        for one in _found(case, recorder, replies[case.id]):
            exception = excuse(one)
            if exception is None:
                faults.setdefault(case.tool, []).append(one)
            else:
                used[exception.name] += 1
    return Proof(faults=faults, counts=Counter(case.tool for case in cases), used=used)


def _found(case: Case, recorder: "_Recorder", reply: Any) -> list[Difference]:
    sdk, ours = case.wire.call.sdk, recorder.ours[case.id]
    if "error" in reply:
        return [Difference(sdk=sdk, place="sdk", ours=ours.raw_path, theirs=reply["error"])]
    mistyped = [
        Difference(sdk=sdk, place=f"type/{name}", ours=ours.first(name), theirs=annotated)
        for name, annotated in reply["mistyped"].items()
    ]
    return mistyped + differences(sdk, ours, recorder.theirs[case.id])


class _Recorder:
    """A server that records and says yes to everything."""

    def __init__(self) -> None:
        self.ours: dict[str, Received] = {}
        self.theirs: dict[str, Received] = {}
        self._runner = web.ServerRunner(web.Server(self._record), shutdown_timeout=0.1)
        self.base_url = ""

    async def __aenter__(self) -> "_Recorder":
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._runner.cleanup()

    async def _record(self, request: web.BaseRequest) -> web.Response:
        received = Received(
            number=0,
            at=0.0,
            method=request.method,
            raw_path=request.raw_path,
            headers={name.lower(): value for name, value in request.headers.items()},
            body=await request.read(),
        )
        side = self.ours if received.headers.get("user-agent") == "placet" else self.theirs
        side[received.headers["x-case"]] = received
        return web.json_response({"code": 0, "msg": "ok", "data": {}})


async def _through_us(base_url: str, cases: Sequence[Case], platform: Platform) -> None:
    tenant = Tenant(
        app="cli_a1",
        platform="feishu",
        brand="feishu",
        secret=Secret("secret"),
        base_url=base_url,
        options={"helpdesk_id": "682001"},
        secrets={"helpdesk_token": Secret("ht-1")},
    )
    transport = Transport(lambda _: base_url)
    waiting = iter(cases)

    async def send() -> None:
        for case in waiting:
            credential = Credential(
                identity=case.identity, token=Secret(TOKENS[case.identity]), expires_at=float("inf")
            )
            request = platform.request(await inlined(case.wire), credential, tenant)
            marked = replace(request, headers={**request.headers, "X-Case": case.id})
            await transport.send(marked, tenant, deadline_s=30)

    try:
        async with anyio.create_task_group() as tasks:
            for _ in range(_AT_ONCE):
                tasks.start_soon(send)
    finally:
        await transport.close()


async def _child(base_url: str) -> Process:
    environment = {**os.environ, "NO_PROXY": "127.0.0.1", "PYTHONWARNINGS": "ignore"}
    return await anyio.open_process([sys.executable, str(CHILD), base_url], env=environment, stderr=None)


async def _through_sdk(child: Process, cases: Sequence[Case], replies: dict[str, Any]) -> None:
    assert child.stdin is not None and child.stdout is not None
    lines = BufferedByteReceiveStream(child.stdout)
    for case in cases:
        await child.stdin.send(json.dumps(await _message(case)).encode() + b"\n")
        replies[case.id] = json.loads(await lines.receive_until(b"\n", 1_000_000))
    await child.stdin.aclose()
    await child.wait()


async def _message(case: Case) -> dict[str, Any]:
    wire = await inlined(case.wire)
    message: dict[str, Any] = {
        "case": case.id,
        "sdk": wire.call.sdk,
        "http": wire.call.http,
        "route": wire.call.route,
        "identity": case.identity.value,
        "token": TOKENS[case.identity],
        "path": wire.path,
        "query": wire.query,
        "headers": wire.headers,
    }
    if wire.body is not UNSET:
        message["body"] = wire.body
    if wire.form:
        message["form"] = [[name, await _part(value)] for name, value in wire.form]
    return message


async def _part(value: str | FilePart) -> Any:
    if isinstance(value, str):
        return value
    content = base64.b64encode(await value.content.read()).decode()
    return {"name": value.content.name, "media_type": value.content.media_type, "content": content}
