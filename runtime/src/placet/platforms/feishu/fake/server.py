"""The loopback server: records, checks the token, answers from a tenant's state or by shape, and spoils on request."""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any

from aiohttp import web

from placet.contract.tool import AnyTool
from placet.contract.words import Identity
from placet.platforms.feishu.fake import approval, bitable, calendar, docx, drive, im, sheets, task, wiki
from placet.platforms.feishu.fake.answers import ApiError, Reply, failed, succeeded
from placet.platforms.feishu.fake.faults import Fault, Injection, Match
from placet.platforms.feishu.fake.received import Received
from placet.platforms.feishu.fake.routes import Route, RouteTable, curated_routes, installed_tools
from placet.platforms.feishu.fake.shapes import shaped_answer
from placet.platforms.feishu.fake.tokens import TokenDesk, UserTokens
from placet.platforms.feishu.fake.world import Handler, Question, World

__all__ = ["FakeFeishu", "FakeTenant"]

MARK_HEADER = "x-fake-app"
"""Names the app whose token the call carried, on every answer."""

_TENANT_TOKEN = "/open-apis/auth/v3/tenant_access_token/internal"
_USER_TOKEN = "/open-apis/authen/v2/oauth/token"


class FakeTenant:
    """What one app sees of its tenant. Each app has a tenant of its own.

    Attributes:
        people: open_id to name, for answers that show persons.
    """

    def __init__(self, app: str, clock: Callable[[], float]) -> None:
        world = World(app, clock)
        self.people = world.names
        self.bitable = bitable.Bitable(world)
        self.approval = approval.Approval(world)
        self.calendar = calendar.Calendars(world)
        self.drive = drive.Drive(world)
        self.docx = docx.Docx(self.drive)
        self.wiki = wiki.Wiki(self.drive)
        self.im = im.Im(world)
        self.sheets = sheets.Sheets(world)
        self.task = task.Tasks(world)
        self._handlers: Mapping[tuple[str, str], Handler] = {
            **bitable.handlers(self.bitable),
            **approval.handlers(self.approval),
            **calendar.handlers(self.calendar),
            **drive.handlers(self.drive),
            **docx.handlers(self.docx),
            **wiki.handlers(self.wiki),
            **im.handlers(self.im),
            **sheets.handlers(self.sheets),
            **task.handlers(self.task),
        }

    def handler(self, route: Route) -> Handler | None:
        return self._handlers.get((route.method, route.route))

    def routes(self) -> Iterable[Route]:
        """Every route with a state, curated or not."""
        return (Route(method=method, route=route) for method, route in self._handlers)


class FakeFeishu:
    """A platform on loopback, for tests: `async with FakeFeishu(apps={"cli_a1": "secret"}) as fake: fake.base_url`.

    Bases, approvals, calendars, a drive, documents, wikis, chats and their messages, spreadsheets and tasks have a
    state, which `tenant(app)` gives to tests; every other curated route answers with the fields that its tools read.

    Args:
        apps: App id to secret.
        clock: Unix seconds; expiry, times of records and "today" are told from it.
        tools: The tools whose routes it knows; None for those of the installed packs.
        token_lives_s: Seconds that a tenant token lives.
    Attributes:
        requests: Every request in order of arrival, refused and spoilt ones included.
    """

    def __init__(
        self,
        apps: Mapping[str, str],
        *,
        clock: Callable[[], float] = time.time,
        tools: Iterable[AnyTool] | None = None,
        token_lives_s: float = 7200.0,
    ) -> None:
        self._clock, self._token_lives_s = clock, token_lives_s
        self._tools = tools
        self._desk = TokenDesk(apps, clock)
        self._tenants = {app: FakeTenant(app, clock) for app in apps}
        self._injections: list[Injection] = []
        self._runner: web.ServerRunner | None = None
        self._routes = RouteTable(())
        self._base_url = ""
        self.requests: list[Received] = []

    async def __aenter__(self) -> "FakeFeishu":
        self._routes = RouteTable(self._known_routes())
        runner = web.ServerRunner(web.Server(self._serve), shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self._runner = runner
        host, port = runner.addresses[0][:2]
        self._base_url = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def base_url(self) -> str:
        """Where it listens: `http://127.0.0.1:PORT`."""
        return self._base_url

    def tenant(self, app: str) -> FakeTenant:
        """The state behind an app."""
        return self._tenants[app]

    def token_requests(self, app: str) -> int:
        """How often tokens were asked for with this app's id, refused requests and refreshes included."""
        return self._desk.issued[app]

    def user_tokens(self, app: str, user: str, *, lives_s: float = 7200.0) -> UserTokens:
        """Tokens of a person who authorised the app."""
        return self._desk.user_tokens(app, user, lives_s=lives_s)

    def authorisation_code(self, app: str, user: str) -> str:
        """A code as a person's consent page gives it."""
        return self._desk.authorisation_code(app, user)

    def revoke(self, app: str, identity: Identity | None = None) -> None:
        """Make the tokens of an app worthless, all or those of one kind: calls get 99991663 or 99991668."""
        self._desk.revoke(app, identity)

    def inject(self, match: Match, fault: Fault) -> Injection:
        """Spoil calls that match; of several faults the first that takes a call strikes."""
        injection = Injection(match, fault)
        self._injections.append(injection)
        return injection

    def calls(self, match: Match = "*") -> list[Received]:
        """Recorded requests that match, those for tokens left out."""
        probe = Injection(match, Fault())
        return [
            one for one in self.requests if one.path not in (_TENANT_TOKEN, _USER_TOKEN) and probe.takes(one)
        ]

    def _known_routes(self) -> list[Route]:
        tools = installed_tools() if self._tools is None else self._tools
        curated = curated_routes(tools)
        known = {(route.method, route.route) for route in curated}
        stateful = FakeTenant("", self._clock).routes()
        return [*curated, *(route for route in stateful if (route.method, route.route) not in known)]

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        received = Received(
            number=len(self.requests) + 1,
            at=self._clock(),
            method=request.method,
            raw_path=request.raw_path,
            headers={name.lower(): value for name, value in request.headers.items()},
            body=await request.read(),
        )
        holder = self._desk.holder(received.headers.get("authorization"))
        if holder is not None:
            received.app, received.identity, received.user = holder
        self.requests.append(received)
        injection = next((one for one in self._injections if one.takes(received)), None)
        if injection is None:
            reply = self._answer(received)
            received.answered = reply.status
            return _response(reply)
        return await self._spoilt(request, received, injection)

    async def _spoilt(
        self, request: web.BaseRequest, received: Received, injection: Injection
    ) -> web.StreamResponse:
        fault = injection.fault
        reply = self._answer(received) if fault.effect == "applied" else None
        injection.reached.set()
        if fault.hold is not None:
            await fault.hold.wait()
        if fault.drop:
            _reset(request)
            return web.Response()
        if fault.replaces_answer:
            reply = self._false_answer(received, fault)
        elif reply is None:
            reply = self._answer(received)
        received.answered = reply.status
        if fault.content_length is not None or fault.cut_at is not None:
            _send_raw(request, reply, fault)
            return web.Response()
        return _response(reply)

    def _false_answer(self, received: Received, fault: Fault) -> Reply:
        headers = {**self._headers(received), **fault.headers}
        if fault.log_id is not None:
            headers["X-Tt-Logid"] = fault.log_id
        if fault.body is not None:
            return Reply(
                body=fault.body, status=fault.status or 200, media_type=fault.media_type, headers=headers
            )
        if fault.code is not None:
            error = ApiError(
                fault.code,
                fault.msg,
                status=fault.status or 400,
                violations=fault.violations,
                scopes=fault.scopes,
            )
            return failed(error, headers, log_id=headers["X-Tt-Logid"])
        page = f"<html><head><title>{fault.status}</title></head><body>nginx</body></html>"
        return Reply(body=page.encode(), status=fault.status or 502, media_type="text/html", headers=headers)

    def _answer(self, received: Received) -> Reply:
        headers = self._headers(received)
        try:
            if received.method == "POST" and received.path in (_TENANT_TOKEN, _USER_TOKEN):
                return self._token_answer(received, headers)
            found = self._routes.find(received)
            if found is None:
                return Reply(body=b"404 page not found", status=404, media_type="text/plain", headers=headers)
            return succeeded(self._data(received, *found), headers)
        except ApiError as error:
            return failed(error, headers, log_id=headers["X-Tt-Logid"])

    def _token_answer(self, received: Received, headers: dict[str, str]) -> Reply:
        try:
            body = received.json
        except ValueError:
            body = None
        if isinstance(body, dict):
            received.app = str(body.get("app_id") or body.get("client_id") or "")
        if received.path == _TENANT_TOKEN:
            answer = self._desk.tenant_token(body, lives_s=self._token_lives_s)
        else:
            answer = self._desk.oauth_token(body)
        return Reply(body=json.dumps({"code": 0, "msg": "ok", **answer}).encode(), headers=headers)

    def _data(self, received: Received, route: Route, path: dict[str, str]) -> Any:
        self._desk.check(received.headers.get("authorization"), route.takes)
        tenant = self._tenants[received.app]
        handler = tenant.handler(route)
        if handler is None:
            return shaped_answer(route, received, received.app)
        question = Question(
            request=received,
            path=path,
            identity=received.identity or Identity.TENANT,
            user=received.user,
        )
        return handler(question)

    def _headers(self, received: Received) -> dict[str, str]:
        return {"X-Tt-Logid": f"20260101{received.number:012X}", MARK_HEADER: received.app}


def _response(reply: Reply) -> web.Response:
    headers = {**reply.headers, "Content-Type": reply.media_type}
    return web.Response(body=reply.body, status=reply.status, headers=headers)


def _reset(request: web.BaseRequest) -> None:
    if request.transport is not None:
        request.transport.abort()


def _send_raw(request: web.BaseRequest, reply: Reply, fault: Fault) -> None:
    """An answer whose length is not what it says, and the end of the connection."""
    length = fault.content_length if fault.content_length is not None else len(reply.body)
    head = [f"HTTP/1.1 {reply.status} X", f"Content-Length: {length}", f"Content-Type: {reply.media_type}"]
    head += [f"{name}: {value}" for name, value in reply.headers.items()]
    body = reply.body if fault.cut_at is None else reply.body[: fault.cut_at]
    if request.transport is not None:
        request.transport.write("\r\n".join([*head, "", ""]).encode() + body)
        request.transport.close()
