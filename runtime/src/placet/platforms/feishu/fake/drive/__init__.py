"""A drive with a state: folders and files, who may open them, comments, and jobs that turn one form into another."""

from placet.platforms.feishu.fake.drive.files import handlers as _files
from placet.platforms.feishu.fake.drive.sharing import handlers as _sharing
from placet.platforms.feishu.fake.drive.state import Comment, Drive, Item, Job, Member
from placet.platforms.feishu.fake.world import Handler

__all__ = ["Comment", "Drive", "Item", "Job", "Member", "handlers"]


def handlers(drive: Drive) -> dict[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    return {**_files(drive), **_sharing(drive)}
