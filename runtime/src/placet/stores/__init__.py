"""Stores: what must be durable together goes in as one tuple and is applied together or not at all.

Ledger and audit are truth; leases, rate windows and tokens are shared state. Memory, SQLite, PostgreSQL and (for
shared state) Redis implement the protocols of `placet.contract.stores` and pass one contract suite.
"""

from placet.stores.chain import ChainKeys, Record, Trail
from placet.stores.opening import OpenTruth, StoreUrlError, open_shared, open_store, open_trail

__all__ = [
    "ChainKeys",
    "OpenTruth",
    "Record",
    "StoreUrlError",
    "Trail",
    "open_shared",
    "open_store",
    "open_trail",
]
