"""Where the SDK is wrong on the wire and we are not: each named, with its reason, and each still needed.

A proof in which an exception excuses nothing fails, so that none outlives the fault it was written for.
"""

from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from tests.runtime.wire.comparison import MISSING, Difference

__all__ = ["EXCEPTIONS", "WireException", "excuse"]


def _lower_booleans(pairs: Counter[tuple[str, str]]) -> Counter[tuple[str, str]]:
    lowered: Counter[tuple[str, str]] = Counter()
    for (name, value), count in pairs.items():
        lowered[name, value.lower() if value in ("True", "False") else value] += count
    return lowered


class WireException(Struct, frozen=True, kw_only=True):
    """A fault of the SDK. `excuses` says whether a difference comes from it."""

    name: str
    reason: str
    excuses: Callable[[Difference], bool]


EXCEPTIONS = (
    WireException(
        name="nulls_stripped",
        reason="The SDK drops None from every nested dict of a body; a null that empties a cell never leaves.",
        excuses=lambda one: one.place.startswith("body/") and one.ours is None and one.theirs is MISSING,
    ),
    WireException(
        name="unset_form_fields_sent_empty",
        reason="The SDK sends a form field that was never set as an empty one; absent and empty are two things.",
        excuses=lambda one: (
            one.place == "parts"
            and one.ours is MISSING
            and one.theirs.content == b""
            and one.theirs.file_name is None
        ),
    ),
    WireException(
        name="progress_text_in_snake_case",
        reason="The SDK knows text_run in progress records and drops textRun, which is what the platform's page says.",
        excuses=lambda one: (
            one.sdk.startswith("okr.v1.progress_record.")
            and one.place.endswith("/textRun")
            and one.theirs is MISSING
        ),
    ),
    WireException(
        name="query_booleans_by_their_python_names",
        reason="The SDK writes a boolean of a query as True or False; JSON and the platform's pages have true and false.",
        excuses=lambda one: (
            one.place == "query" and one.ours != one.theirs and one.ours == _lower_booleans(one.theirs)
        ),
    ),
    WireException(
        name="mail_filter_member_misspelt",
        reason="The SDK's model of a mail search calls its member from_ on the wire; the platform's is from.",
        excuses=lambda one: (
            one.sdk == "mail.v1.user_mailbox.search"
            and one.place == "body/filter/from"
            and one.theirs is MISSING
        ),
    ),
    WireException(
        name="glossary_member_misspelt",
        reason="The SDK's model of a translation's term calls its member from_ on the wire; the platform's is from.",
        excuses=lambda one: (
            one.sdk == "translation.v1.text.translate"
            and one.place.startswith("body/glossary/")
            and one.place.endswith("/from")
            and one.theirs is MISSING
        ),
    ),
    WireException(
        name="reviewer_typed_as_number",
        reason="The SDK annotates operator_id of a version's review as int; the platform's page says an open_id.",
        excuses=lambda one: (
            one.sdk == "application.v6.application_app_version.patch"
            and (one.place, one.theirs) == ("type/operator_id", "int")
        ),
    ),
    WireException(
        name="feedback_page_typed_as_number",
        reason="The SDK annotates page_token of an app's feedback as int; the platform's page says string.",
        excuses=lambda one: (
            one.sdk == "application.v6.application_feedback.list"
            and (one.place, one.theirs) == ("type/page_token", "int")
        ),
    ),
    WireException(
        name="comment_author_typed_as_number",
        reason="The SDK annotates user_id of approval comments as int; the platform's page says string, with user_id_type.",
        excuses=lambda one: (
            one.sdk.startswith("approval.v4.instance_comment.")
            and (one.place, one.theirs) == ("type/user_id", "int")
        ),
    ),
)


def excuse(difference: Difference) -> WireException | None:
    """The exception that a difference falls under; None for a fault of ours."""
    return next((one for one in EXCEPTIONS if one.excuses(difference)), None)
