"""The routes of wikis over the state."""

from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.paging import page_of
from placet.platforms.feishu.fake.wiki.state import Node, Space, Wiki
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_SPACES = "/open-apis/wiki/v2/spaces"
_SPACE = f"{_SPACES}/:space_id"
_NODES = f"{_SPACE}/nodes"
_NODE = f"{_NODES}/:node_token"
_KINDS = {"doc": 1, "sheet": 2, "bitable": 3, "mindnote": 4, "file": 5, "docx": 8, "folder": 9, "slides": 11}


def handlers(wiki: Wiki) -> dict[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    spaces, nodes = _Spaces(wiki), _Nodes(wiki)
    return {
        ("GET", _SPACES): spaces.list,
        ("POST", _SPACES): spaces.create,
        ("GET", _SPACE): spaces.get,
        ("PUT", f"{_SPACE}/setting"): spaces.set,
        ("GET", f"{_SPACE}/members"): spaces.members,
        ("POST", f"{_SPACE}/members"): spaces.add_member,
        ("DELETE", f"{_SPACE}/members/:member_id"): spaces.remove_member,
        ("GET", f"{_SPACES}/get_node"): nodes.get,
        ("GET", _NODES): nodes.list,
        ("POST", _NODES): nodes.create,
        ("POST", f"{_NODES}/move_docs_to_wiki"): nodes.take_in,
        ("POST", f"{_NODE}/copy"): nodes.copy,
        ("POST", f"{_NODE}/move"): nodes.move,
        ("POST", f"{_NODE}/update_title"): nodes.rename,
        ("POST", "/open-apis/wiki/v1/nodes/search"): nodes.search,
        ("GET", "/open-apis/wiki/v2/tasks/:task_id"): nodes.task,
    }


class _Spaces:
    def __init__(self, wiki: Wiki) -> None:
        self._wiki = wiki

    def _space(self, question: Question) -> Space:
        return self._wiki.space(question.path["space_id"])

    def list(self, question: Question) -> Any:
        return page_of(question.request, [_space(one) for one in self._wiki.spaces.values()], most=50)

    def create(self, question: Question) -> Any:
        body = question.body
        made = self._wiki.add_space(body["name"], description=body.get("description", ""))
        made.members[question.user] = ("openid", "admin")
        return {"space": _space(made)}

    def get(self, question: Question) -> Any:
        return {"space": _space(self._space(question))}

    def set(self, question: Question) -> Any:
        settings = self._space(question).settings
        settings.update(question.body)
        return {"setting": dict(settings)}

    def members(self, question: Question) -> Any:
        items = [_member(who, *found) for who, found in self._space(question).members.items()]
        return page_of(question.request, items, name="members", most=50)

    def add_member(self, question: Question) -> Any:
        body, members = question.body, self._space(question).members
        if body["member_id"] in members:
            raise ApiError(131008, "already exists")
        members[body["member_id"]] = (body["member_type"], body["member_role"])
        return {"member": _member(body["member_id"], body["member_type"], body["member_role"])}

    def remove_member(self, question: Question) -> Any:
        found = self._space(question).members.pop(question.path["member_id"], None)
        if found is None:
            raise ApiError(131005, "not found: member not found")
        return {"member": _member(question.path["member_id"], *found)}


def _space(space: Space) -> dict[str, Any]:
    return {
        "space_id": space.space_id,
        "name": space.name,
        "description": space.description,
        "space_type": "team",
        "visibility": "private",
        "open_sharing": "closed",
    }


def _member(member_id: str, member_type: str, role: str) -> dict[str, Any]:
    return {"member_id": member_id, "member_type": member_type, "member_role": role, "type": "user"}


class _Nodes:
    def __init__(self, wiki: Wiki) -> None:
        self._wiki = wiki

    def _named(self, question: Question) -> Node:
        return self._wiki.node(question.path["node_token"], question.path["space_id"])

    def _shown(self, node: Node) -> dict[str, Any]:
        item = node.item
        return {
            "space_id": node.space_id,
            "node_token": node.node_token,
            "obj_token": item.token,
            "obj_type": item.type,
            "parent_node_token": node.parent,
            "node_type": "shortcut" if node.is_shortcut else "origin",
            "has_child": bool(self._wiki.children(node.space_id, node.node_token)),
            "title": node.title,
            "obj_edit_time": str(item.changed),
            "owner": item.owner,
            "url": _link(node),
        }

    def get(self, question: Question) -> Any:
        token, type_ = question.query("token"), question.query("obj_type")
        if type_ in (None, "wiki"):
            return {"node": self._shown(self._wiki.node(token or ""))}
        found = [one for one in self._wiki.nodes.values() if one.item.token == token]
        if not found:
            raise ApiError(131005, "not found: node not found")
        return {"node": self._shown(found[0])}

    def list(self, question: Question) -> Any:
        space = self._wiki.space(question.path["space_id"])
        found = self._wiki.children(space.space_id, question.query("parent_node_token") or "")
        return page_of(question.request, [self._shown(one) for one in found], most=50)

    def create(self, question: Question) -> Any:
        body, space = question.body, self._wiki.space(question.path["space_id"])
        parent = body.get("parent_node_token") or ""
        if body["node_type"] == "shortcut":
            origin = self._wiki.node(body.get("origin_node_token") or "")
            made = self._wiki.add_node(space, origin.title, parent=parent, item=origin.item)
            made.is_shortcut = True
        else:
            made = self._wiki.add_node(space, body.get("title", ""), type_=body["obj_type"], parent=parent)
        return {"node": self._shown(made)}

    def take_in(self, question: Question) -> Any:
        body, space = question.body, self._wiki.space(question.path["space_id"])
        item = self._wiki.drive.get(body["obj_token"], body["obj_type"], code=131005)
        made = self._wiki.add_node(space, item.name, parent=body.get("parent_wiki_token") or "", item=item)
        task = self._wiki.world.new_number()
        self._wiki.moves[task] = made
        return {"task_id": task}

    def task(self, question: Question) -> Any:
        node = self._wiki.moves.get(question.path["task_id"])
        if node is None:
            raise ApiError(131005, "not found: task not found")
        result = {"node": self._shown(node), "status": 0, "status_msg": "success"}
        return {"task": {"task_id": question.path["task_id"], "move_result": [result]}}

    def copy(self, question: Question) -> Any:
        node, body = self._named(question), question.body
        space = self._wiki.space(body.get("target_space_id") or node.space_id)
        made = self._wiki.add_node(
            space,
            body.get("title") or node.title,
            type_=node.item.type,
            parent=body.get("target_parent_token") or "",
        )
        return {"node": self._shown(made)}

    def move(self, question: Question) -> Any:
        node, body = self._named(question), question.body
        parent = body.get("target_parent_token") or ""
        space = self._wiki.space(body.get("target_space_id") or node.space_id)
        if parent:
            self._wiki.node(parent, space.space_id)
        self._wiki.move(node, space.space_id, parent)
        return {"node": self._shown(node)}

    def rename(self, question: Question) -> Any:
        self._named(question).title = question.body["title"]
        return {}

    def search(self, question: Question) -> Any:
        body = question.body
        items = [
            {
                "node_id": one.node_token,
                "space_id": one.space_id,
                "parent_id": one.parent,
                "obj_type": _KINDS[one.item.type],
                "obj_token": one.item.token,
                "title": one.title,
                "url": _link(one),
            }
            for one in self._wiki.nodes.values()
            if body["query"] in one.title and body.get("space_id") in (None, one.space_id)
        ]
        return page_of(question.request, items, most=50)


def _link(node: Node) -> str:
    return f"https://example.feishu.cn/wiki/{node.node_token}"
