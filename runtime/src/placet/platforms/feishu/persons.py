"""Ids of people, chats and the tenant: which kind a value is, and what a call's actor supplies.

Source: the platform's page about ids of persons and its prefixes, read 2026-11.
"""

from typing import Any

from placet.contract.call import Actor, CallContext
from placet.contract.platform import Tenant

__all__ = ["container_kind", "context_value", "id_kind", "open_id_of"]

_PREFIXES = {"ou_": "open_id", "on_": "union_id", "oc_": "chat_id", "omt_": "thread_id"}


def id_kind(value: Any) -> str:
    """The `receive_id_type` of an id.

    Raises:
        ValueError: it is no text, or empty.
    """
    if not isinstance(value, str) or not value:
        raise ValueError("an id is text, such as ou_... of a person or oc_... of a chat")
    kind = _PREFIXES.get(value[: value.find("_") + 1])
    if kind is not None:
        return kind
    return "email" if "@" in value else "user_id"


def container_kind(value: Any) -> str:
    """The `container_id_type` of what holds messages: a thread by its prefix, else a chat.

    Raises:
        ValueError: it is no text, or empty.
    """
    if not isinstance(value, str) or not value:
        raise ValueError("an id is text, such as oc_... of a chat or omt_... of a thread")
    return "thread" if value.startswith("omt_") else "chat"


def context_value(key: str, tenant: Tenant, ctx: CallContext) -> str | None:
    """The value of a context key; None when the call does not have it."""
    match key:
        case "actor.open_id":
            return open_id_of(ctx.actor)
        case "actor.union_id":
            return _id_of(ctx.actor, "union_id", "on_")
        case "actor.user_id":
            return ctx.actor.ids.get("user_id") or None
        case "tenant.app_id":
            return tenant.app
        case "tenant.tenant_key":
            return tenant.options.get("tenant_key") or None
        case _:
            return None


def open_id_of(actor: Actor) -> str | None:
    """The person's open_id; None when it is unknown, or when the door gave two that differ."""
    return _id_of(actor, "open_id", "ou_")


def _id_of(actor: Actor, kind: str, prefix: str) -> str | None:
    named = actor.ids.get(kind)
    principal = actor.user if actor.user is not None and actor.user.startswith(prefix) else None
    if named and principal and named != principal:
        return None  # the ledger knows one person and the platform would act as another
    found = named or principal
    return found if found and found.startswith(prefix) else None
