"""Names of conversations that no two tenants share."""

__all__ = ["session_key"]


def session_key(app: str, conversation: str) -> str:
    """One conversation's name in any session back end; no two tenants share one, whatever their ids hold."""
    return "|".join(
        part.replace("%", "%25").replace("|", "%7C").replace(":", "%3A")
        for part in ("fs1", app, conversation)
    )
