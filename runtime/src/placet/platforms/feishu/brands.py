"""Where a tenant's requests go: its brand's host, or its own. There is no default brand."""

from placet.contract.errors import RequestRefused
from placet.contract.platform import Tenant
from placet.platforms.feishu.names import NAMES
from placet.platforms.requests import checked_base

__all__ = ["BRANDS", "base_of"]

BRANDS = NAMES.brands


def base_of(tenant: Tenant) -> str:
    """Where a tenant's requests go.

    Raises:
        RequestRefused: the brand is not one of the platform's, or the base URL is not one to send a secret to.
    """
    base = tenant.base_url if tenant.base_url is not None else BRANDS.get(tenant.brand)
    if base is None:
        raise RequestRefused(f"the brand {tenant.brand!r} is none of {', '.join(BRANDS)}")
    return checked_base(base)
