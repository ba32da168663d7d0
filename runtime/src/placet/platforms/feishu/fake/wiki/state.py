"""Spaces and pages. A page is a place for an item of the drive, which no folder holds any more."""

from dataclasses import dataclass, field

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.drive import Drive, Item

__all__ = ["Node", "Space", "Wiki"]

_NO_FOLDER = "wiki"


@dataclass(kw_only=True)
class Node:
    """A page. `parent` is another page's token, or empty at the top."""

    node_token: str
    space_id: str
    item: Item
    title: str
    parent: str = ""
    is_shortcut: bool = False


@dataclass(kw_only=True)
class Space:
    """A wiki. `members` are id to (type, role)."""

    space_id: str
    name: str
    description: str = ""
    members: dict[str, tuple[str, str]] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)


class Wiki:
    """A tenant's wikis.

    Attributes:
        moves: Task id to the page that a moved document became.
    """

    def __init__(self, drive: Drive) -> None:
        self.world, self.drive = drive.world, drive
        self.spaces: dict[str, Space] = {}
        self.nodes: dict[str, Node] = {}
        self.moves: dict[str, Node] = {}

    def add_space(self, name: str, *, description: str = "") -> Space:
        made = Space(space_id=self.world.new_number(), name=name, description=description)
        self.spaces[made.space_id] = made
        return made

    def add_node(
        self, space: Space, title: str, *, type_: str = "docx", parent: str = "", item: Item | None = None
    ) -> Node:
        """Add a page, for an item of the drive or a new one."""
        if parent:
            self.node(parent, space.space_id)
        if item is None:
            item = self.drive.add(type_, title, parent=_NO_FOLDER)
        item.parent = _NO_FOLDER
        made = Node(
            node_token=self.world.new_id("wikcn"),
            space_id=space.space_id,
            item=item,
            title=title,
            parent=parent,
        )
        self.nodes[made.node_token] = made
        return made

    def space(self, space_id: str) -> Space:
        """The space of an id.

        Raises:
            ApiError: there is none.
        """
        found = self.spaces.get(space_id)
        if found is None:
            raise ApiError(131005, "not found: space not found")
        return found

    def node(self, token: str, space_id: str | None = None) -> Node:
        """The page of a token, in a space where one is named.

        Raises:
            ApiError: there is none.
        """
        found = self.nodes.get(token)
        if found is None or space_id not in (None, found.space_id):
            raise ApiError(131005, "not found: node not found")
        return found

    def children(self, space_id: str, parent: str) -> list[Node]:
        return [one for one in self.nodes.values() if (one.space_id, one.parent) == (space_id, parent)]

    def move(self, node: Node, space_id: str, parent: str) -> None:
        """Move a page and all below it."""
        node.parent = parent
        waiting = [node]
        while waiting:
            one = waiting.pop()
            waiting += self.children(one.space_id, one.node_token)
            one.space_id = space_id
