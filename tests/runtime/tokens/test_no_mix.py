"""Two apps on one loop: neither token, answer nor connection of one ever serves the other."""

import asyncio
import time
from collections import Counter

import anyio
import msgspec
import pytest

from placet.contract.platform import Credential, HttpRequest, Secret, Tenant
from placet.contract.words import Identity
from placet.tokens import CredentialCache, credential_key
from placet.transport.pool import Transport
from placet.transport.services import RuntimeServices
from tests.runtime.transport.loopback import Loopback, answer, read_request, serve, tenant

pytestmark = pytest.mark.anyio

CALLS = 10_000
APPS = {"cli_a": "s-a", "cli_b": "s-b"}
REVOKE_EVERY = 500


async def test_ten_thousand_interleaved_calls_never_mix() -> None:
    """While tokens are revoked again and again, every call goes out with its own app's token on its own app's
    connection and comes back with its own answer."""
    given: dict[str, str] = {}
    calls: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    owners: dict[int, str] = {}
    mixed: list[str] = []

    async def platform(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while True:
            got = await read_request(here, n, reader)
            here.requests.clear()
            app = got.target.split("/")[2]
            if owners.setdefault(n, app) != app:
                mixed.append(f"connection {n}")
            if got.target.startswith("/token/"):
                if got.body.decode() != APPS[app]:
                    mixed.append("secret")
                tokens[app] += 1
                given[app] = f"{app}-{tokens[app]}"
                writer.write(
                    answer(msgspec.json.encode({"token": given[app], "expires_at": time.time() + 7200}))
                )
            else:
                (sent,) = got.header("authorization")
                if not sent.startswith(f"Bearer {app}-"):
                    mixed.append(f"token {sent} at {app}")
                calls[app] += 1
                if calls[app] % REVOKE_EVERY == 0:
                    given[app] = "revoked"
                ok = sent == f"Bearer {given[app]}"
                writer.write(answer(got.target.encode(), status="200 OK" if ok else "401 Unauthorized"))
            await writer.drain()

    async with serve(platform) as here:
        transport = Transport(lambda _: here.base)
        services = RuntimeServices(transport, CredentialCache())

        async def credential(who: Tenant, *, force: bool) -> Credential:
            async def fetch() -> Credential:
                call = HttpRequest(
                    method="POST",
                    url=f"{here.base}/token/{who.app}",
                    headers={},
                    body=who.secret.reveal().encode(),
                )
                found = msgspec.json.decode((await services.send(call, who, deadline_s=10)).body)
                return Credential(
                    identity=Identity.TENANT, token=Secret(found["token"]), expires_at=found["expires_at"]
                )

            key = credential_key(base_url=here.base, app=who.app, secret=who.secret, kind="tenant")
            return await services.cached_credential(key, fetch, force=force)

        async def call(who: Tenant, number: int) -> None:
            path = f"/call/{who.app}/{number}"
            for attempt in range(5):
                token = (await credential(who, force=attempt > 0)).token.reveal()
                answered = await services.send(
                    HttpRequest(
                        method="GET", url=here.base + path, headers={"Authorization": f"Bearer {token}"}
                    ),
                    who,
                    deadline_s=10,
                )
                if answered.body.decode() != path:
                    mixed.append(f"answer of {path}")
                if answered.status == 200:
                    return
            mixed.append(f"no token for {path}")

        async def worker(lane: int) -> None:
            for number in range(lane, CALLS, 32):
                app = tuple(APPS)[number % 3 % 2]
                await call(tenant(None, app, APPS[app]), number)

        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                for lane in range(32):
                    group.start_soon(worker, lane)
        await transport.close()

    assert mixed == []
    assert sum(calls.values()) >= CALLS
    for app, count in calls.items():
        revoked = count // REVOKE_EVERY
        assert revoked <= tokens[app] <= revoked + 1
