"""What lies in a drive. Documents, bases and wiki pages of other domains are items of it too."""

from dataclasses import dataclass, field
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.world import World

__all__ = ["Comment", "Drive", "Item", "Job", "Member"]

_PREFIXES = {
    "folder": "fldcn", "docx": "doxcn", "sheet": "shtcn", "bitable": "bascn", "file": "boxcn", "slides": "sldcn",
    "shortcut": "nodcn", "mindnote": "bmncn", "doc": "doccn",
}  # fmt: skip
_FILL = "A1b2C3d4E5"
"""Makes tokens as long as the platform's, 27 characters."""

_CLOSED = {
    "external_access_entity": "closed",
    "security_entity": "anyone_can_view",
    "comment_entity": "anyone_can_view",
    "share_entity": "same_tenant",
    "manage_collaborator_entity": "collaborator_can_view",
    "link_share_entity": "closed",
}


@dataclass(kw_only=True)
class Member:
    """A collaborator. `right` is view, edit or full_access."""

    member_id: str
    member_type: str
    right: str


@dataclass(kw_only=True)
class Comment:
    """A comment; `said` are its replies, each with an id, an author, a time in seconds and content as sent."""

    comment_id: str
    open_id: str
    created: int
    said: list[dict[str, Any]] = field(default_factory=list)
    is_solved: bool = False


@dataclass(kw_only=True)
class Item:
    """A file, an online document, a folder or a shortcut. Times in Unix seconds."""

    token: str
    name: str
    type: str
    parent: str
    owner: str
    created: int
    changed: int
    content: bytes = b""
    target: "Item | None" = None
    members: list[Member] = field(default_factory=list)
    sharing: dict[str, str] = field(default_factory=lambda: dict(_CLOSED))
    comments: dict[str, Comment] = field(default_factory=dict)
    versions: list[dict[str, Any]] = field(default_factory=list)
    viewers: dict[str, int] = field(default_factory=dict)
    is_watched: bool = False


@dataclass(kw_only=True)
class Job:
    """An export or import. `looks` is how often it still answers that it runs."""

    ticket: str
    result: dict[str, Any]
    looks: int = 0


class Drive:
    """A tenant's drive.

    Attributes:
        job_looks: How often a job that starts from now on answers that it runs, before it is done.
        job_status: With what it ends; 0 is done.
        media: Token to content and use of uploads that lie in no folder.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.items: dict[str, Item] = {}
        self.jobs: dict[str, Job] = {}
        self.media: dict[str, tuple[bytes, str]] = {}
        self.exported: dict[str, bytes] = {}
        self.job_looks, self.job_status = 0, 0
        self.root = self.add("folder", "我的空间", owner=world.app)

    def seconds(self) -> int:
        return self.world.millis() // 1000

    def add(
        self,
        type_: str,
        name: str,
        *,
        parent: str = "",
        owner: str = "",
        content: bytes = b"",
        token: str = "",
    ) -> Item:
        """Add an item; without a parent it lies in the top folder."""
        now = self.seconds()
        made = Item(
            token=token or self.world.new_id(_PREFIXES.get(type_, "tokcn") + _FILL),
            name=name,
            type=type_,
            parent=parent or (self.root.token if self.items else ""),
            owner=owner or self.world.app,
            created=now,
            changed=now,
            content=content,
        )
        made.members.append(Member(member_id=made.owner, member_type="openid", right="full_access"))
        self.items[made.token] = made
        return made

    def get(self, token: str, type_: str | None = None, *, code: int = 1061003) -> Item:
        """The item of a token, of the named type where one is named.

        Raises:
            ApiError: there is none.
        """
        found = self.items.get(token)
        if found is None or (type_ not in (None, "wiki") and found.type != type_):
            raise ApiError(code, "not found.", status=404)
        return found

    def folder(self, token: str) -> Item:
        """The folder of a token; empty text is the top folder."""
        return self.get(token, "folder") if token else self.root

    def children(self, folder: Item) -> list[Item]:
        """What lies in a folder, newest change first."""
        return sorted(
            (one for one in self.items.values() if one.parent == folder.token),
            key=lambda one: (-one.changed, one.token),
        )

    def remove(self, item: Item) -> None:
        for child in [one for one in self.items.values() if one.parent == item.token]:
            self.remove(child)
        self.items.pop(item.token, None)
