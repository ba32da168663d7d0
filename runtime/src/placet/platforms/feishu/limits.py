"""How often an endpoint may be called: the platform's rate tiers, counted per app and endpoint.

Source: tier numbers of the platform's API explorer, their meaning read off 45 documentation pages (43 agree), 2026-08.
Tiers 0, 5, 10 and 21 have rules that are not published: the platform alone counts those.
"""

from collections.abc import Mapping

from placet.contract.binding import Call
from placet.contract.platform import RateKey, Tenant
from placet.contract.tool import AnyTool

__all__ = ["TIERS", "rate_key"]

TIERS: Mapping[int, tuple[int, float]] = {
    1: (10, 60.0),
    2: (20, 60.0),
    3: (100, 60.0),
    4: (50, 3.0),  # 1,000 a minute and 50 a second: 50 in any 3 seconds keeps both
    6: (5, 1.0),
    7: (10, 1.0),
    8: (20, 1.0),
    9: (50, 1.0),
    11: (100, 1.0),
}
"""Tier to calls and seconds."""


def rate_key(tool: AnyTool, call: Call, tenant: Tenant) -> RateKey | None:
    """The bucket of a call; None where the platform publishes no rate."""
    tier = TIERS.get(tool.binding.rate_tier or 0)
    if tier is None:
        return None
    count, per_s = tier
    name = f"feishu {tenant.brand} {tenant.app} {call.http} {call.route}"
    return RateKey(name=name, count=count, per_s=per_s)
