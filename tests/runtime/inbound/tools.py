"""Every tool there is to check arguments of: the installed pack's, and the made-up shop's."""

from functools import cache

import pytest

import placet_feishu
from placet.contract.platform import Platform, Services
from placet.gate.bound import BoundTool, Catalogue
from placet.platforms.feishu.platform import FeishuPlatform
from tests.runtime.gate import pack
from tests.runtime.gate.scripted import ScriptedPlatform

__all__ = ["TOOLS", "bound"]


class NoServices:
    """No test here sends anything."""


@cache
def _catalogue() -> Catalogue:
    services: Services = NoServices()  # type: ignore[assignment]
    platforms: dict[str, Platform] = {"feishu": FeishuPlatform(services), "scripted": ScriptedPlatform()}
    return Catalogue((placet_feishu.surface, pack.surface), platforms)


@cache
def bound(name: str) -> BoundTool:
    """A tool made ready to run."""
    entry = _catalogue().entry(name)
    assert entry is not None
    return _catalogue().bind(entry)


TOOLS = [
    pytest.param(one.name, id=one.name)
    for surface in (placet_feishu.surface, pack.surface)
    for one in surface.tools
]
