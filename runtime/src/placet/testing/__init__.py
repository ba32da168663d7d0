"""What tests of tools and agents need: a platform and a model server on loopback. Needs no test framework."""

from placet.platforms.feishu.fake import FakeFeishu, Fault, Injection, Node, Received, UserTokens, rate_limit
from placet.testing.models import FakeModels

__all__ = ["FakeFeishu", "FakeModels", "Fault", "Injection", "Node", "Received", "UserTokens", "rate_limit"]
