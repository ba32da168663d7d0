"""The second credential of a help desk: every request to one says which desk it is for, and proves it.

Source: the platform's page about calls to help desks, read 2026-12.
"""

from base64 import b64encode

from placet.contract.errors import RequestRefused
from placet.contract.platform import Tenant

__all__ = ["helpdesk_headers"]

_ROUTES = "/open-apis/helpdesk/"
_HEADER = "X-Lark-Helpdesk-Authorization"


def helpdesk_headers(route: str, tenant: Tenant) -> dict[str, str]:
    """The header of the tenant's help desk for its routes; nothing for all others.

    Raises:
        RequestRefused: the tenant has no help desk.
    """
    if not route.startswith(_ROUTES):
        return {}
    desk, token = tenant.options.get("helpdesk_id"), tenant.secrets.get("helpdesk_token")
    if not desk or token is None:
        raise RequestRefused(
            "the tenant has no help desk: its options need helpdesk_id and its secrets helpdesk_token"
        )
    return {_HEADER: b64encode(f"{desk}:{token.reveal()}".encode()).decode()}
