"""Why a call was not made: a closed set, so that hosts and tests can rely on each word."""

from enum import StrEnum

__all__ = ["Reason"]


class Reason(StrEnum):
    """Codes of `Refused`. A refusal always means that nothing was sent."""

    # 1 inbound sanitise
    ARGUMENTS_NOT_AN_OBJECT = "arguments_not_an_object"
    ARGUMENTS_TOO_LARGE = "arguments_too_large"
    ARGUMENTS_INVALID = "arguments_invalid"
    # 2 policy
    TOOL_UNKNOWN = "tool_unknown"
    TOOL_NOT_ENABLED = "tool_not_enabled"
    RISK_OVER_CEILING = "risk_over_ceiling"
    IDENTITY_NOT_ALLOWED = "identity_not_allowed"
    CALLS_PER_TURN = "calls_per_turn"
    # 3 authorise
    AUTHORISER_DENIED = "authoriser_denied"
    AUTHORISER_ABSENT = "authoriser_absent"
    PREFLIGHT = "preflight"
    TOO_MANY_PENDING = "too_many_pending"
    APPROVAL_INVALID = "approval_invalid"
    # 4 tenant switch
    APP_UNKNOWN = "app_unknown"
    PLATFORM_UNKNOWN = "platform_unknown"
    CONTEXT_MISSING = "context_missing"
    # execute, before anything is sent
    KEY_CONFLICT = "key_conflict"
    IN_FLIGHT = "in_flight"
    EARLIER_OUTCOME_UNKNOWN = "earlier_outcome_unknown"
    FILE_UNKNOWN = "file_unknown"
    STORE_UNAVAILABLE = "store_unavailable"
    AUDIT_UNAVAILABLE = "audit_unavailable"
    # any step
    STEP_FAILED = "step_failed"
