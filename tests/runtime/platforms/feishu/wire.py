"""Requests, answers and tenants for the tests of the platform."""

import json
from typing import Any

from placet.contract.binding import Call
from placet.contract.platform import Answer, Credential, Secret, Tenant
from placet.contract.words import Identity

__all__ = ["JSON_HEADERS", "answer", "call", "credential", "tenant"]

JSON_HEADERS = {"content-type": "application/json; charset=utf-8"}


def tenant(**changes: Any) -> Tenant:
    given: dict[str, Any] = {
        "app": "cli_a1",
        "platform": "feishu",
        "brand": "feishu",
        "secret": Secret("s3cret-of-a1"),
    }
    return Tenant(**{**given, **changes})


def credential(identity: Identity = Identity.TENANT, token: str = "t-token") -> Credential:
    return Credential(identity=identity, token=Secret(token), expires_at=2e9)


def call(route: str = "/open-apis/bitable/v1/apps/:app_token", **changes: Any) -> Call:
    given: dict[str, Any] = {"sdk": "bitable.v1.app.get", "http": "GET", "route": route}
    return Call(**{**given, **changes})


def answer(body: Any, status: int = 200, **headers: str) -> Answer:
    """An answer; a body that is no bytes goes as JSON."""
    raw = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, headers={**JSON_HEADERS, **named}, body=raw)
