"""The plain HTTP platform's names: no envelope, no codecs; the actor and the tenant are all it knows."""

from placet.contract.names import PlatformNames

NAMES = PlatformNames(
    platform="http",
    context_keys=frozenset({"actor.user", "tenant.app_id"}),
    local_tools=frozenset({"tool_search", "schema_read", "capability_lookup", "guidance_read"}),
)
