"""Feishu's answers: `{code, msg, data, error}` made into data or a failure, whatever came back instead.

The bytes of `data` are passed on as they came, and so are the platform's sentences: a text that is cut before it is
masked may end in half a secret. What a model may see of them, and how much, is decided by the gate.
Source: example answers on the platform's pages about calling its server API and about rate limits, read 2026-11.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Raw, Struct

from placet.contract.binding import Call
from placet.contract.platform import Answer, Body, Failure, Tenant
from placet.platforms import statuses
from placet.platforms.feishu.brands import BRANDS
from placet.platforms.feishu.errors import ErrorFacts, classify, effect

__all__ = ["Envelope", "open_envelope", "read_answer"]

_LOG_ID = re.compile(r"[A-Za-z0-9_\-]{1,128}\Z")
_SCOPE = re.compile(r"[a-z0-9][a-z0-9_.\-]*(?::[a-z0-9_.\-]+)+\Z")
_BRACKETS = re.compile(r"\[([^\[\]]{1,2000})\]")
_APP = re.compile(r"/app/([A-Za-z0-9_]+)/auth\Z")
_URL = re.compile(r"https://[^\s\"'<>，。]{1,2000}")
_ITEMS_MOST = 20

_HINTS = {
    "fix_app_credentials": "the app's id or secret is wrong",
    "app_unavailable": "the app is not installed or not enabled in this organisation",
    "reauthorize": "the person must authorise the app again",
    "quota": "a quota is used up; waiting a moment does not help",
    "reread": "read the present state first",
}


class Envelope(Struct, frozen=True):
    """An answer's outside. Every member is taken as it comes, so that an odd one does not lose the others."""

    code: Any = None
    msg: Any = None
    data: Raw = Raw(b"{}")
    error: Any = None


_DECODER = msgspec.json.Decoder(Envelope)


def open_envelope(body: bytes) -> Envelope | None:
    """The envelope with a whole number as its code; None when the bytes are none."""
    try:
        found = _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if type(found.code) is int else None


def read_answer(answer: Answer, call: Call, tenant: Tenant | None = None) -> Body | Failure:
    """Data, a file or a failure.

    Args:
        tenant: Whose app it was, for the address where a missing scope is granted.
    """
    if call.answer == "file" and _is_file(answer):
        return Body(
            data=answer.body,
            is_file=True,
            media_type=statuses.media_type(answer.headers),
            file_name=statuses.file_name(answer.headers),
        )
    envelope = open_envelope(answer.body)
    if envelope is None:
        return _unreadable(answer)
    if envelope.code != 0:
        return _failure(envelope, answer, call, tenant)
    if not 200 <= answer.status < 300:
        return _unreadable(answer)
    if call.answer == "file":
        return Body(data=answer.body, is_file=True, media_type=statuses.media_type(answer.headers))
    data = bytes(envelope.data)
    return Body(data=b"{}" if data.strip() == b"null" else data)


def _is_file(answer: Answer) -> bool:
    """A named file is one even when its bytes look like an envelope; a nameless page is a proxy's."""
    if not 200 <= answer.status < 300:
        return False
    if "content-disposition" in answer.headers:
        return True
    kind = statuses.media_type(answer.headers)
    return kind != "text/html" and not kind.endswith("json") and open_envelope(answer.body) is None


def _unreadable(answer: Answer) -> Failure:
    """No envelope: a page of a proxy, an empty body, a redirect that is not followed."""
    status = answer.status
    is_refusal = 400 <= status < 500
    return Failure(
        code=f"http_{status}",
        category=statuses.category_of(status) if is_refusal else "server",
        message=f"the platform answered with status {status} and no readable body",
        effect=statuses.effect_of(status) if is_refusal else "unknown",
        retryable=statuses.is_passing(status) or 200 <= status < 300,
        retry_after_s=_retry_after_s(answer, status == 429 or status == 503),
        log_id=_log_id(answer, None),
    )


def _failure(envelope: Envelope, answer: Answer, call: Call, tenant: Tenant | None) -> Failure:
    facts = classify(envelope.code, _service(call), answer.status)
    details = envelope.error if isinstance(envelope.error, dict) else {}
    said = _text(envelope.msg)
    scopes = _missing_scopes(details, said) if facts.category == "missing_scope" else ()
    return Failure(
        code=str(envelope.code),
        category=facts.category,
        message=_message(facts, said, scopes),
        effect=effect(facts, answer.status),
        retryable=facts.retryable,
        credential_invalid=facts.recover == "refresh_token",
        retry_after_s=_retry_after_s(answer, facts.category == "rate_limited"),
        log_id=_log_id(answer, details),
        violations=_violations(details),
        missing_scopes=scopes,
        grant_url=_grant_url(facts, scopes, details, envelope.msg, tenant),
    )


def _service(call: Call) -> str:
    """The service of a route: `bitable` of `/open-apis/bitable/v1/...`."""
    parts = call.route.split("/")
    return parts[2] if len(parts) > 2 else ""


def _message(facts: ErrorFacts, said: str, scopes: tuple[str, ...]) -> str:
    if scopes:
        who = "the person has not granted" if facts.recover == "grant_scope_user" else "the app lacks"
        return f"{who} a permission; any one of these suffices: {', '.join(scopes)}"
    hint = _HINTS.get(facts.recover or "")
    return f"{said} ({hint})" if hint and said else said or hint or ""


def _missing_scopes(details: Mapping[str, Any], said: str) -> tuple[str, ...]:
    found = [_text(one.get("subject")) for one in _objects(details, "permission_violations")]
    if not found and (listed := _BRACKETS.search(said)):
        found = [one.strip() for one in listed[1].split(",")]
    return tuple(dict.fromkeys(scope for scope in found if _SCOPE.match(scope)))[:_ITEMS_MOST]


def _violations(details: Mapping[str, Any]) -> dict[str, str]:
    return {
        _text(one.get("field")): _text(one.get("description"))
        for one in _objects(details, "field_violations")
        if one.get("field")
    }


def _objects(details: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = details.get(name)
    return [one for one in found if isinstance(one, dict)][:_ITEMS_MOST] if isinstance(found, list) else []


def _grant_url(
    facts: ErrorFacts, scopes: tuple[str, ...], details: Mapping[str, Any], msg: Any, tenant: Tenant | None
) -> str | None:
    """Where the scopes are granted: of the tenant's own app when it is known, else as the answer says."""
    if facts.category != "missing_scope":
        return None
    if tenant is not None and (host := BRANDS.get(tenant.brand)) is not None:
        kind = "user" if facts.recover == "grant_scope_user" else "tenant"
        wanted = quote(",".join(scopes), safe=":,._-")
        app = quote(tenant.app, safe="")
        return f"{host}/app/{app}/auth?q={wanted}&op_from=openapi&token_type={kind}"
    offered = [_text(one.get("url")) for one in _objects(details, "helps")]
    offered += _URL.findall(msg[:4000]) if isinstance(msg, str) else []
    return next((url for url in offered if _is_console(url)), None)


def _is_console(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return f"{parts.scheme}://{parts.netloc}" in BRANDS.values() and _APP.match(parts.path) is not None


def _retry_after_s(answer: Answer, is_asked: bool) -> float | None:
    if not is_asked:
        return None
    return statuses.retry_after_s(answer.headers, "x-ogw-ratelimit-reset", "retry-after")


def _log_id(answer: Answer, details: Mapping[str, Any] | None) -> str | None:
    for value in (answer.headers.get("x-tt-logid"), (details or {}).get("log_id")):
        if isinstance(value, str) and _LOG_ID.match(value):
            return value
    return None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
