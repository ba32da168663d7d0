"""Defaults of a surface in tools of several requests."""

import json

from tests.generator.compiled import whole_feishu


def test_a_default_goes_to_the_requests_that_have_its_slot() -> None:
    """Of three requests two take user_id_type; the third, which would be refused with it, goes without."""
    files = {str(path): text for path, text in whole_feishu().files.items()}
    record = json.loads(files["golden/feishu/tools/chat/replace_announcement.json"])

    assert record["binding"]["fixed"] == {
        "look.query.page_size": 500,
        "look.query.user_id_type": "open_id",
        "write.query.user_id_type": "open_id",
    }
