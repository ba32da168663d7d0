"""Bitable's codes as it answers them: most with HTTP 200.

Source: the error tables of its pages, read 2026-11.
"""

from placet.platforms.feishu.fake.answers import ApiError

__all__ = ["bitable_error"]

_KNOWN: dict[int, tuple[str, int]] = {
    1254000: ("WrongRequestJson", 200),
    1254001: ("WrongRequestBody", 200),
    1254012: ("The primary field type is not supported", 400),
    1254013: ("TableNameDuplicated", 200),
    1254014: ("FieldNameDuplicated", 200),
    1254015: ("Field types do not match.", 400),
    1254016: ("InvalidSort", 200),
    1254018: ("InvalidFilter", 200),
    1254020: ("ViewNameDuplicated", 400),
    1254024: ("InvalidFieldNames", 200),
    1254034: ("The last table of the base cannot be deleted", 403),
    1254040: ("BaseTokenNotFound", 200),
    1254041: ("TableIdNotFound", 200),
    1254042: ("ViewIdNotFound", 200),
    1254043: ("RecordIdNotFound", 200),
    1254044: ("FieldIdNotFound", 200),
    1254045: ("FieldNameNotFound", 200),
    1254046: ("The primary field cannot be deleted", 200),
    1254060: ("TextFieldConvFail", 200),
    1254061: ("NumberFieldConvFail", 200),
    1254062: ("SingleSelectFieldConvFail", 200),
    1254063: ("MultiSelectFieldConvFail", 200),
    1254064: ("DatetimeFieldConvFail", 200),
    1254065: ("CheckboxFieldConvFail", 200),
    1254066: ("UserFieldConvFail", 200),
    1254067: ("LinkFieldConvFail", 200),
    1254068: ("URLFieldConvFail", 200),
    1254069: ("AttachFieldConvFail", 200),
    1254072: ("PhoneFieldConvFail", 200),
    1254074: ("DuplexLinkFieldConvFail", 400),
    1254104: ("RecordAddOnceExceedLimit", 200),
    1254606: ("DataNotChange", 200),
}


def bitable_error(code: int) -> ApiError:
    """The code with its usual words and HTTP status."""
    msg, status = _KNOWN[code]
    return ApiError(code, msg, status=status)
