"""Lists of people on the wire."""

from typing import Any

import pytest

from placet.platforms.feishu.codecs.people import GROUP_PEOPLE, MEETING_PEOPLE


def test_each_person_goes_out_with_their_kind() -> None:
    """A model writes ids; that they are people, and by which kind of id, is added here."""
    assert GROUP_PEOPLE.encode(["ou_ls"]) == [
        {"member_id": "ou_ls", "member_type": "user", "member_id_type": "open_id"}
    ]
    assert MEETING_PEOPLE.encode(["ou_ls", "ou_ww"]) == [
        {"id": "ou_ls", "user_type": 1},
        {"id": "ou_ww", "user_type": 1},
    ]


@pytest.mark.parametrize("value", ["ou_ls", [1], None, {"id": "ou_ls"}], ids=repr)
def test_what_is_no_list_of_ids_is_said(value: Any) -> None:
    """Nothing is guessed from another form."""
    with pytest.raises(ValueError, match="open_ids"):
        GROUP_PEOPLE.encode(value)
