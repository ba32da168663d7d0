"""Tasks with a state: tasks and subtasks, their people, comments and files, tasklists and sections."""

from placet.platforms.feishu.fake.task.handlers import handlers
from placet.platforms.feishu.fake.task.state import Section, Task, Tasklist, Tasks

__all__ = ["Section", "Task", "Tasklist", "Tasks", "handlers"]
