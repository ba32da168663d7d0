"""Feishu's names: what curation for it may use. The implementations live beside this module.

`acting_slots` are the parameters by which a Feishu endpoint learns who acts when the call carries an app token;
a model that could set one would act as anybody.
"""

from placet.contract.names import CodecName, PlatformNames, RoutineName

NAMES = PlatformNames(
    platform="feishu",
    envelope="data",
    codecs={
        "admin.badge_end": CodecName(answers=True),
        "ai.glossary": CodecName(),
        "approval.comment": CodecName(answers=True),
        "approval.form": CodecName(),
        "approval.form_values": CodecName(arguments=False, answers=True),
        "approval.form_widgets": CodecName(arguments=False, answers=True),
        "bitable.filter": CodecName(),
        "bitable.field_type": CodecName(targets=2),
        "bitable.field_values": CodecName(arguments=True, answers=True),
        "bitable.table_access": CodecName(answers=True),
        "bitable.view_filter": CodecName(answers=True),
        "calendar.attendees": CodecName(),
        "calendar.event_time": CodecName(targets=2),
        "calendar.time_info": CodecName(answers=True),
        "contact.group_people": CodecName(),
        "directory.department_filter": CodecName(),
        "directory.employee_filter": CodecName(),
        "docx.block": CodecName(arguments=False, answers=True),
        "docx.blocks": CodecName(answers=True),
        "docx.lines": CodecName(arguments=False, answers=True),
        "docx.nested_blocks": CodecName(targets=2),
        "docx.text": CodecName(),
        "drive.comment": CodecName(answers=True),
        "drive.comments": CodecName(answers=True),
        "helpdesk.text": CodecName(),
        "hire.day": CodecName(),
        "im.card": CodecName(),
        "im.message": CodecName(targets=2, answers=True),
        "im.text": CodecName(targets=2),
        "lingo.term": CodecName(answers=True),
        "lingo.terms": CodecName(answers=True),
        "mail.body": CodecName(arguments=False, answers=True),
        "mail.filter": CodecName(),
        "mail.raw": CodecName(),
        "okr.progress_text": CodecName(answers=True),
        "okr.text": CodecName(answers=True),
        "task.changes": CodecName(targets=2),
        "task.time": CodecName(answers=True),
        "spark.rows": CodecName(arguments=False, answers=True),
        "time.millis_text": CodecName(),
        "time.seconds": CodecName(answers=True),
        "vc.people": CodecName(),
        "vc.viewers": CodecName(),
    },
    preflights=frozenset({"bitable.known_fields"}),
    routines={
        "chat.replace_announcement": RoutineName(
            calls=frozenset({"look", "write", "clear"}),
            fills=frozenset(
                {
                    "write.body.index",
                    "clear.body.start_index",
                    "clear.body.end_index",
                    "look.query.page_token",
                }
            ),
        ),
        "docx.append_markdown": RoutineName(
            calls=frozenset({"convert", "insert"}),
            fills=frozenset({"insert.body.children_id", "insert.body.descendants"}),
        ),
        "docx.replace_content": RoutineName(
            calls=frozenset({"convert", "page", "insert", "clear"}),
            fills=frozenset(
                {
                    "insert.body.children_id",
                    "insert.body.descendants",
                    "clear.body.start_index",
                    "clear.body.end_index",
                }
            ),
        ),
        "drive.export": RoutineName(
            calls=frozenset({"create", "check", "fetch"}),
            fills=frozenset({"check.path.ticket", "fetch.path.file_token"}),
        ),
        "drive.fetch_export": RoutineName(
            calls=frozenset({"check", "fetch"}), fills=frozenset({"fetch.path.file_token"})
        ),
        "drive.import": RoutineName(
            calls=frozenset({"upload", "create", "check"}),
            fills=frozenset(
                {
                    "upload.form.extra",
                    "create.body.file_token",
                    "create.body.file_extension",
                    "check.path.ticket",
                }
            ),
        ),
        "drive.upload": RoutineName(
            calls=frozenset({"small", "prepare", "part", "finish"}),
            fills=frozenset(
                {
                    "prepare.body.size",
                    "part.form.upload_id",
                    "part.form.seq",
                    "part.form.size",
                    "part.form.checksum",
                    "part.form.file",
                    "finish.body.upload_id",
                    "finish.body.block_num",
                }
            ),
        ),
        "task.complete": RoutineName(
            calls=frozenset({"patch"}), fills=frozenset({"patch.body.task.completed_at"})
        ),
        "task.reopen": RoutineName(
            calls=frozenset({"patch"}), fills=frozenset({"patch.body.task.completed_at"})
        ),
    },
    derivations=frozenset({"im.container_kind", "im.id_kind"}),
    context_keys=frozenset(
        {"actor.open_id", "actor.user_id", "actor.union_id", "tenant.app_id", "tenant.tenant_key"}
    ),
    local_tools=frozenset({"tool_search", "schema_read", "capability_lookup", "guidance_read"}),
    brands={
        # Source: the pages about calling the server API, of both brands, read 2026-11.
        "feishu": "https://open.feishu.cn",
        "lark": "https://open.larksuite.com",
    },
    acting_slots=frozenset({"user_id", "open_id", "operator_id", "operator_user_id", "operator_open_id"}),
)
