"""From the configuration to an open gate: the same for every door.

`placet.toml` names tenants, policy and stores; this module opens what it names, in the right order, and closes it in
the reverse one.
"""

import os
import ssl
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import entry_points
from pathlib import Path

import anyio

from placet.approvals import ApproverRules
from placet.config import Config, find_config, load_config
from placet.contract.approvals import Approvals
from placet.contract.errors import PlacetError
from placet.contract.masking import MaskingPolicy
from placet.contract.names import PlatformNames
from placet.contract.policy import Authoriser
from placet.contract.tool import Surface
from placet.files import FolderFiles
from placet.files.handles import Limits
from placet.gate import Gate
from placet.policy import ask_for_writes
from placet.sealing import Sealer
from placet.stores import ChainKeys, open_shared, open_store
from placet.surfaces import installed_surfaces
from placet.transport.pool import TransportOptions
from placet.user_tokens import SealedUserTokens

__all__ = ["configuration", "installed_brands", "open_gate"]

NAMES_GROUP = "placet.platform_names"


def installed_brands() -> dict[str, Mapping[str, str]]:
    """Brand to base URL of every installed platform, by the platform's name; no platform is loaded for it."""
    found: dict[str, Mapping[str, str]] = {}
    for entry in entry_points(group=NAMES_GROUP):
        names = entry.load()
        if isinstance(names, PlatformNames):
            found[entry.name] = names.brands
    return found


def configuration(option: Path | None, surfaces: Sequence[Surface] | None = None) -> Config:
    """The configuration every door reads, checked against what is installed.

    Args:
        option: What `--config` named; None looks at `PLACET_CONFIG` and the working directory.
        surfaces: Whose tools the policy may name; the installed ones by default.
    Raises:
        ConfigInvalid: with every fault at once.
    """
    path = find_config(option, environ=os.environ, cwd=Path.cwd())
    known = surfaces if surfaces is not None else installed_surfaces()
    return load_config(path, platforms=installed_brands(), surfaces=known, environ=os.environ)


@asynccontextmanager
async def open_gate(
    config: Config,
    *,
    surfaces: Sequence[Surface] | None = None,
    authoriser: Authoriser = ask_for_writes,
    approvals: Approvals | None = None,
) -> AsyncIterator[Gate]:
    """A gate over everything the configuration names; closed with what it holds when the block ends.

    Args:
        surfaces: Tool packs; the installed ones by default.
        approvals: Where proposals go; the configured store by default.
    Raises:
        PlacetError: a store, a folder or a platform cannot be used; each says which.
    """
    secrets = config.key_bytes()
    sealer = Sealer(secrets)
    url = config.stores.url.reveal()
    store, shared = open_store(
        url,
        keys=ChainKeys(secrets),
        anchor_records=config.audit.anchor_records,
        anchor_s=config.audit.anchor_s,
    )
    if config.stores.shared is not None:
        await shared.close()
        shared = open_shared(config.stores.shared.reveal())
    try:
        limits = Limits(
            max_bytes=config.files.max_bytes,
            max_total_bytes=config.files.max_total_bytes,
            ttl_s=config.files.ttl_s,
        )
        files = await anyio.to_thread.run_sync(lambda: FolderFiles(config.files_folder, limits=limits))
        gate = Gate(
            surfaces=surfaces if surfaces is not None else installed_surfaces(),
            tenants=tuple(config.tenants.values()),
            store=store,
            policy=config.policy,
            authoriser=authoriser,
            shared=shared,
            seals=sealer,
            users=SealedUserTokens(shared, sealer),
            approvals=approvals,
            approvers=ApproverRules(
                approvers=config.approvers,
                two=frozenset(config.two_approvers),
                clients=config.doors.mcp.elicitation,
            ),
            files=files,
            safety=config.safety.mode,
            masking=MaskingPolicy(personal=frozenset(config.safety.personal)),
            transport=TransportOptions(
                max_connections=config.transport.max_connections,
                keepalive_s=config.transport.keepalive_s,
                max_answer_bytes=config.transport.max_answer_bytes,
                proxy=config.proxy,
            ),
            ssl_context=_trust(config.ca_file),
            deadline_s=config.budgets.deadline_s,
            now=time.time,
        )
        async with gate:
            yield gate
    finally:
        await shared.close()
        await store.close()


def _trust(ca_file: Path | None) -> ssl.SSLContext | None:
    if ca_file is None:
        return None
    try:
        return ssl.create_default_context(cafile=str(ca_file))
    except OSError:  # an ssl.SSLError is one
        raise PlacetError(
            f"transport.ca_file {ca_file.name!r} holds no certificates that can be read"
        ) from None
