"""Wikis with a state: spaces, their pages and members."""

from placet.platforms.feishu.fake.wiki.handlers import handlers
from placet.platforms.feishu.fake.wiki.state import Node, Space, Wiki

__all__ = ["Node", "Space", "Wiki", "handlers"]
