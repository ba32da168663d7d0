"""Approvals with a state: definitions, requests, their tasks and comments, and who did what."""

from placet.platforms.feishu.fake.approval.handlers import handlers
from placet.platforms.feishu.fake.approval.state import (
    Act,
    Approval,
    Comment,
    Definition,
    Instance,
    Node,
    Task,
)

__all__ = ["Act", "Approval", "Comment", "Definition", "Instance", "Node", "Task", "handlers"]
