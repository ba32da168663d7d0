"""The way to the wire: pooled HTTP, rate limits and bounded retry, for any platform.

The gate and the platforms stand above; aiohttp is below, in `pool` alone, and is loaded with that module.
"""

from placet.transport.faults import Departure, TransportError, TransportReason

__all__ = ["Departure", "TransportError", "TransportReason"]
