"""A drive, a document and a wiki in which every id of a route exists, and what their routes want besides."""

from typing import Any

from placet.platforms.feishu.fake import FakeTenant
from placet.platforms.feishu.fake.drive import Comment, Job, Member

__all__ = ["DOMAINS", "filled_docs"]

DOMAINS = frozenset({"docx", "drive", "wiki"})

_SAID = {"elements": [{"type": "text_run", "text_run": {"text": "好"}}]}
_ME = {"member_type": "openid", "member_id": "ou_li"}
_LINE = {"block_type": 2, "text": {"elements": []}}


_OF_FOLDERS = frozenset({"drive.move_file", "drive.delete_file"})
"""These answer with something only for a folder."""


def filled_docs(tenant: FakeTenant, tool: str) -> tuple[dict[str, str], str, dict[str, Any]]:
    """Placeholder to id, the query, and tool to a body that is accepted."""
    document = tenant.docx.add("计划", markdown="一\n二")
    block_id = document.blocks[document.document_id]["children"][0]
    item = tenant.drive.items[document.document_id]
    item.members.append(Member(member_id="ou_zw", member_type="openid", right="view"))
    item.comments["1"] = Comment(
        comment_id="1",
        open_id="ou_zw",
        created=0,
        said=[{"reply_id": "2", "user_id": "ou_zw", "content": _SAID}],
    )
    item.viewers["ou_zw"] = 0
    tenant.drive.jobs["t1"] = Job(
        ticket="t1",
        result={"job_status": 0, "job_error_msg": "success", "token": "x", "type": "docx", "url": "x"},
    )
    space = tenant.wiki.add_space("知识库")
    space.members["ou_zw"] = ("openid", "admin")
    node = tenant.wiki.add_node(space, "页面")
    tenant.wiki.moves["m1"] = node
    loose = tenant.drive.add("docx", "散页")
    token = item.token
    path = {
        "file_token": token,
        "token": token,
        "document_id": token,
        "block_id": block_id,
        "comment_id": "1",
        "reply_id": "2",
        "member_id": "ou_zw",
        "ticket": "t1",
        "task_id": "m1",
        "space_id": space.space_id,
        "node_token": node.node_token,
    }
    kind = "docx"
    if tool in _OF_FOLDERS:
        path["file_token"], kind = tenant.drive.add("folder", "周报").token, "folder"
    elif tool == "docx.delete_blocks":
        path["block_id"] = token
    names = dict.fromkeys(("type", "file_type", "obj_type"), kind)
    asked = {**names, "token": token, "doc_token": token, "action": "view"}
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    tenant.wiki.add_node(space, "计划", item=item)
    bodies: dict[str, Any] = {
        "drive.get_file_metas": {"request_docs": [{"doc_token": token, "doc_type": "docx"}]},
        "drive.create_folder": {"name": "周报", "folder_token": ""},
        "drive.copy_file": {"name": "副本", "folder_token": "", "type": "docx"},
        "drive.move_file": {"folder_token": "", "type": "folder"},
        "drive.create_shortcut": {
            "parent_token": "",
            "refer_entity": {"refer_token": token, "refer_type": "docx"},
        },
        "drive.add_comment": {"reply_list": {"replies": [{"content": _SAID}]}},
        "drive.reply_comment": {"content": _SAID},
        "drive.resolve_comment": {"is_solved": True},
        "drive.create_version": {"name": "定稿", "obj_type": "docx"},
        "drive.add_member": {**_ME, "perm": "view"},
        "drive.update_member": {"perm": "edit"},
        "drive.transfer_owner": _ME,
        "drive.update_sharing": {"link_share_entity": "tenant_readable"},
        "docx.create_document": {"title": "纪要"},
        "docx.append_blocks": {"children": [_LINE]},
        "docx.add_nested_blocks": {"children_id": ["a"], "descendants": [{**_LINE, "block_id": "a"}]},
        "docx.update_block": {"update_text_elements": {"elements": []}},
        "docx.tick_checkbox": {"update_text_style": {"style": {"done": True}, "fields": [2]}},
        "docx.update_blocks": {
            "requests": [{"block_id": block_id, "update_text_elements": {"elements": []}}]
        },
        "docx.delete_blocks": {"start_index": 0, "end_index": 1},
        "wiki.create_space": {"name": "新"},
        "wiki.update_settings": {"comment_setting": "allow"},
        "wiki.add_member": {**_ME, "member_role": "member"},
        "wiki.remove_member": {"member_type": "openid", "member_role": "admin"},
        "wiki.create_node": {"obj_type": "docx", "node_type": "origin", "title": "新"},
        "wiki.rename_node": {"title": "新"},
        "wiki.copy_node": {"title": "新"},
        "wiki.move_docs_to_space": {"obj_type": "docx", "obj_token": loose.token},
        "wiki.search_nodes": {"query": "页"},
    }
    return path, query, bodies
