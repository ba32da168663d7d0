"""What tests of tools and agents need: a platform on loopback. Needs no test framework."""

from placet.platforms.feishu.fake import FakeFeishu, Fault, Injection, Node, Received, UserTokens, rate_limit

__all__ = ["FakeFeishu", "Fault", "Injection", "Node", "Received", "UserTokens", "rate_limit"]
