"""One process of several that share a login: `python host.py STORE_URL BASE_URL`, driven by lines.

For each line it reads it prints the token it came by: `get` takes the cached one, `force` complains of the last.
"""

import asyncio
import sys
from contextlib import suppress

import msgspec

from placet.contract.platform import Credential, HttpRequest, Secret, Tenant
from placet.contract.words import Identity
from placet.sealing import Sealer
from placet.stores.chain import ChainKeys
from placet.stores.opening import open_store
from placet.tokens import CredentialCache, credential_key
from placet.transport.pool import Transport


class Given(msgspec.Struct):
    token: str
    expires_at: float


async def main(store_url: str, base: str) -> None:
    secret = bytes(range(32))
    truth, shared = open_store(store_url, keys=ChainKeys([secret]))
    transport = Transport(lambda _: base)
    cache = CredentialCache(shared=shared, seals=Sealer([secret]))
    tenant = Tenant(app="cli_a", platform="own", brand="own", secret=Secret("s-1"), base_url=base)
    key = credential_key(base_url=base, app=tenant.app, secret=tenant.secret, kind="tenant")

    async def fetch() -> Credential:
        answer = await transport.send(
            HttpRequest(method="POST", url=base + "/token", headers={}), tenant, deadline_s=10
        )
        given = msgspec.json.decode(answer.body, type=Given)
        return Credential(identity=Identity.TENANT, token=Secret(given.token), expires_at=given.expires_at)

    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    while word := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        credential = await cache.cached_credential(key, fetch, force=word == "force")
        print(credential.token.reveal() or "(empty)", flush=True)
    await transport.close()
    await shared.close()
    with suppress(NotImplementedError):
        await truth.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
