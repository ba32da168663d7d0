"""Every codec by the name that curation uses."""

from collections.abc import Mapping

from placet.contract.platform import Codec
from placet.platforms.feishu.codecs.ai_glossaries import GLOSSARY
from placet.platforms.feishu.codecs.approval_answers import COMMENT, FORM_VALUES, FORM_WIDGETS
from placet.platforms.feishu.codecs.approval_forms import FORM
from placet.platforms.feishu.codecs.bitable_fields import FIELD_TYPE, TABLE_ACCESS
from placet.platforms.feishu.codecs.bitable_filters import RECORD_FILTER, VIEW_FILTER
from placet.platforms.feishu.codecs.bitable_values import FIELD_VALUES
from placet.platforms.feishu.codecs.docx_blocks import BLOCKS
from placet.platforms.feishu.codecs.helpdesk_messages import TEXT
from placet.platforms.feishu.codecs.hire_days import DAY
from placet.platforms.feishu.codecs.im_messages import MESSAGE
from placet.platforms.feishu.codecs.spark_rows import ROWS
from placet.platforms.feishu.codecs.times import MILLIS_TEXT, TIME_INFO

__all__ = ["CODECS"]

CODECS: Mapping[str, Codec] = {
    "ai.glossary": GLOSSARY,
    "approval.comment": COMMENT,
    "approval.form": FORM,
    "approval.form_values": FORM_VALUES,
    "approval.form_widgets": FORM_WIDGETS,
    "bitable.field_type": FIELD_TYPE,
    "bitable.field_values": FIELD_VALUES,
    "bitable.filter": RECORD_FILTER,
    "bitable.table_access": TABLE_ACCESS,
    "bitable.view_filter": VIEW_FILTER,
    "calendar.time_info": TIME_INFO,
    "docx.blocks": BLOCKS,
    "helpdesk.text": TEXT,
    "hire.day": DAY,
    "im.message": MESSAGE,
    "spark.rows": ROWS,
    "time.millis_text": MILLIS_TEXT,
}
