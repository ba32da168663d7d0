"""A plain client of the fake: what anybody's HTTP code would send."""

from typing import Any

import aiohttp
from msgspec import Struct

from placet.testing import FakeFeishu

__all__ = ["Got", "PlainClient"]

TOKEN_PATH = "/open-apis/auth/v3/tenant_access_token/internal"


class Got(Struct, frozen=True, kw_only=True):
    """An answer; `json` is None for a body that is none."""

    status: int
    headers: dict[str, str]
    body: bytes
    json: Any

    @property
    def code(self) -> int:
        return int(self.json["code"])

    @property
    def data(self) -> Any:
        assert self.json["code"] == 0, self.json
        return self.json["data"]


class PlainClient:
    """Calls of one app; asks for a token once."""

    def __init__(self, fake: FakeFeishu, session: aiohttp.ClientSession, app: str, secret: str) -> None:
        self._fake, self._session, self._app, self._secret = fake, session, app, secret
        self._token = ""

    async def log_in(self) -> str:
        """A tenant token, asked for anew."""
        credentials = {"app_id": self._app, "app_secret": self._secret}
        answer = await self.send("POST", TOKEN_PATH, credentials, token="")
        self._token = str(answer.json["tenant_access_token"])
        return self._token

    async def send(self, method: str, path: str, body: Any = None, *, token: str | None = None) -> Got:
        """One request; with the app's own token unless another is given, with none for an empty one."""
        if token is None:
            token = self._token or await self.log_in()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with self._session.request(
            method, self._fake.base_url + path, json=body, headers=headers
        ) as answer:
            content = await answer.read()
            is_json = answer.content_type == "application/json"
            return Got(
                status=answer.status,
                headers={name.lower(): value for name, value in answer.headers.items()},
                body=content,
                json=await answer.json() if is_json else None,
            )
