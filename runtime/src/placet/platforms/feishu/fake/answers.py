"""What the platform answers with: its envelope, its errors, and the headers both carry."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

__all__ = ["ApiError", "FileAnswer", "Reply", "failed", "succeeded"]

JSON_TYPE = "application/json; charset=utf-8"


class Reply(Struct, frozen=True, kw_only=True):
    """One HTTP answer, before a fault spoils it."""

    body: bytes
    status: int = 200
    media_type: str = JSON_TYPE
    headers: dict[str, str] = {}


class FileAnswer(Struct, frozen=True, kw_only=True):
    """Bytes instead of an envelope."""

    name: str
    content: bytes
    media_type: str = "application/octet-stream"


class ApiError(Exception):
    """A refusal of the platform.

    Attributes:
        status: HTTP status; many services answer an error with 200.
        violations: Field to description.
        scopes: Scopes that are missing.
    """

    def __init__(
        self,
        code: int,
        msg: str,
        *,
        status: int = 400,
        violations: Mapping[str, str] | None = None,
        scopes: tuple[str, ...] = (),
    ) -> None:
        super().__init__(f"{code} {msg}")
        self.code, self.msg, self.status = code, msg, status
        self.violations, self.scopes = dict(violations or {}), scopes


def succeeded(data: Any, headers: dict[str, str]) -> Reply:
    """The envelope of a success, or the file itself."""
    if isinstance(data, FileAnswer):
        named = {**headers, "Content-Disposition": f'attachment; filename="{data.name}"'}
        return Reply(body=data.content, media_type=data.media_type, headers=named)
    return Reply(body=_text({"code": 0, "msg": "success", "data": data}), headers=headers)


def failed(error: ApiError, headers: dict[str, str], *, log_id: str) -> Reply:
    """The envelope of an error, with its details where the platform puts them."""
    details: dict[str, Any] = {"log_id": log_id}
    if error.violations:
        details["field_violations"] = [
            {"field": name, "description": about} for name, about in error.violations.items()
        ]
    if error.scopes:
        details["permission_violations"] = [
            {"type": "action_scope_required", "subject": scope} for scope in error.scopes
        ]
    body = _text({"code": error.code, "msg": error.msg, "error": details})
    return Reply(body=body, status=error.status, headers=headers)


def _text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
