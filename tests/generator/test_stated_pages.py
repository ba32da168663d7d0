"""Lists that the platform refuses to begin when nobody says how long a page is."""

import json

import pytest

from tests.generator.compiled import whole_feishu


@pytest.mark.parametrize(
    ("tool", "is_stated"),
    [
        pytest.param("directory/search_departments", True, id="required-object-around-the-size"),
        pytest.param("vc/search_rooms", False, id="size-of-ones-own-choice-in-the-body"),
        pytest.param("contact/list_job_levels", False, id="size-of-ones-own-choice-in-the-query"),
    ],
)
def test_a_size_is_stated_where_its_object_is_required(tool: str, is_stated: bool) -> None:
    """An object that must be there holds nothing but the page, so the page has to be said."""
    files = {str(path): text for path, text in whole_feishu().files.items()}
    record = json.loads(files[f"golden/feishu/tools/{tool}.json"])

    assert record["binding"]["paging"].get("is_stated", False) is is_stated
