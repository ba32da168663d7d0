"""Feishu's names: what curation for it may use. The implementations live beside this module.

`acting_slots` are the parameters by which a Feishu endpoint learns who acts when the call carries an app token;
a model that could set one would act as anybody.
"""

from placet.contract.names import CodecName, PlatformNames, RoutineName

NAMES = PlatformNames(
    platform="feishu",
    envelope="data",
    codecs={
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
        "calendar.time_info": CodecName(answers=True),
        "docx.blocks": CodecName(answers=True),
        "helpdesk.text": CodecName(),
        "hire.day": CodecName(),
        "im.message": CodecName(targets=2, answers=True),
        "spark.rows": CodecName(arguments=False, answers=True),
        "time.millis_text": CodecName(),
    },
    preflights=frozenset({"bitable.known_fields"}),
    routines={
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
    },
    derivations=frozenset({"im.id_kind"}),
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
