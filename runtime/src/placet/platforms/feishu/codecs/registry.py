"""Every codec by the name that curation uses."""

from collections.abc import Mapping

from placet.contract.platform import Codec
from placet.platforms.feishu.codecs.ai_glossaries import GLOSSARY
from placet.platforms.feishu.codecs.approval_answers import COMMENT, FORM_VALUES, FORM_WIDGETS
from placet.platforms.feishu.codecs.approval_forms import FORM
from placet.platforms.feishu.codecs.badge_ends import BADGE_END
from placet.platforms.feishu.codecs.bitable_fields import FIELD_TYPE, TABLE_ACCESS
from placet.platforms.feishu.codecs.bitable_filters import RECORD_FILTER, VIEW_FILTER
from placet.platforms.feishu.codecs.bitable_values import FIELD_VALUES
from placet.platforms.feishu.codecs.calendar_events import ATTENDEES, EVENT_TIME
from placet.platforms.feishu.codecs.directory_filters import DEPARTMENT_FILTER, EMPLOYEE_FILTER
from placet.platforms.feishu.codecs.docx_blocks import BLOCK, BLOCKS, LINES
from placet.platforms.feishu.codecs.docx_blocks import TEXT as DOCX_TEXT
from placet.platforms.feishu.codecs.docx_nested import NESTED_BLOCKS
from placet.platforms.feishu.codecs.drive_comments import COMMENT as DRIVE_COMMENT
from placet.platforms.feishu.codecs.drive_comments import COMMENTS as DRIVE_COMMENTS
from placet.platforms.feishu.codecs.helpdesk_messages import TEXT as HELPDESK_TEXT
from placet.platforms.feishu.codecs.hire_days import DAY
from placet.platforms.feishu.codecs.im_cards import CARD
from placet.platforms.feishu.codecs.im_messages import MESSAGE, TEXT
from placet.platforms.feishu.codecs.lingo_terms import TERM, TERMS
from placet.platforms.feishu.codecs.mail_filters import SEARCH_FILTER
from placet.platforms.feishu.codecs.mails import BODY, RAW
from placet.platforms.feishu.codecs.okr_texts import OKR_TEXT, PROGRESS_TEXT
from placet.platforms.feishu.codecs.people import GROUP_PEOPLE, MEETING_PEOPLE, VIEWERS
from placet.platforms.feishu.codecs.spark_rows import ROWS
from placet.platforms.feishu.codecs.tasks import CHANGES, TIME
from placet.platforms.feishu.codecs.times import MILLIS_TEXT, SECONDS, TIME_INFO

__all__ = ["CODECS"]

CODECS: Mapping[str, Codec] = {
    "admin.badge_end": BADGE_END,
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
    "calendar.attendees": ATTENDEES,
    "calendar.event_time": EVENT_TIME,
    "calendar.time_info": TIME_INFO,
    "contact.group_people": GROUP_PEOPLE,
    "directory.department_filter": DEPARTMENT_FILTER,
    "directory.employee_filter": EMPLOYEE_FILTER,
    "docx.block": BLOCK,
    "docx.blocks": BLOCKS,
    "docx.lines": LINES,
    "docx.nested_blocks": NESTED_BLOCKS,
    "docx.text": DOCX_TEXT,
    "drive.comment": DRIVE_COMMENT,
    "drive.comments": DRIVE_COMMENTS,
    "helpdesk.text": HELPDESK_TEXT,
    "hire.day": DAY,
    "im.card": CARD,
    "im.message": MESSAGE,
    "im.text": TEXT,
    "lingo.term": TERM,
    "lingo.terms": TERMS,
    "mail.body": BODY,
    "mail.filter": SEARCH_FILTER,
    "mail.raw": RAW,
    "okr.progress_text": PROGRESS_TEXT,
    "okr.text": OKR_TEXT,
    "task.changes": CHANGES,
    "task.time": TIME,
    "spark.rows": ROWS,
    "time.millis_text": MILLIS_TEXT,
    "time.seconds": SECONDS,
    "vc.people": MEETING_PEOPLE,
    "vc.viewers": VIEWERS,
}
