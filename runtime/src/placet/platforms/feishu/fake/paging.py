"""Lists by the page: sizes within the endpoint's bounds and tokens that only the platform can read."""

from collections.abc import Sequence
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.received import Received

__all__ = ["invalid_field", "page_of"]


def page_of(
    request: Received, items: Sequence[Any], *, name: str = "items", most: int, usual: int = 20
) -> dict[str, Any]:
    """One page of `items` under `name`, with `has_more`, `page_token` and `total`.

    Args:
        most: Largest page size; `usual` is the size of a request that names none.
    Raises:
        ApiError: a size out of bounds, or a token that was not given out.
    """
    size = _number(request.first("page_size"), usual, "page_size")
    if not 1 <= size <= most:
        raise invalid_field("page_size", f"must be between 1 and {most}")
    token = request.first("page_token") or ""
    start = _number(token.removeprefix("pt_") if token.startswith("pt_") else token and "?", 0, "page_token")
    end = start + size
    has_more = end < len(items)
    page = {name: list(items[start:end]), "has_more": has_more, "total": len(items)}
    return {**page, "page_token": f"pt_{end}"} if has_more else page


def invalid_field(field: str, about: str) -> ApiError:
    """The platform's own check of a request's fields failed."""
    return ApiError(99992402, "field validation failed", violations={field: about})


def _number(text: str | None, otherwise: int, field: str) -> int:
    if not text:
        return otherwise
    if not text.isascii() or not text.isdigit():
        raise invalid_field(field, "is invalid")
    return int(text)
