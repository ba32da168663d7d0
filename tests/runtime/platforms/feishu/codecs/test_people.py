"""Lists of people on the wire."""

from typing import Any

import pytest

from placet.platforms.feishu.codecs.people import GROUP_PEOPLE, MEETING_PEOPLE, VIEWERS


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


def test_viewers_are_people_chats_or_everybody_here() -> None:
    """The id tells the kind; the organisation has none."""
    assert VIEWERS.encode(["ou_ls", "oc_1", "organisation"]) == [
        {"type": 1, "id": "ou_ls", "permission": 1},
        {"type": 2, "id": "oc_1", "permission": 1},
        {"type": 3, "permission": 1},
    ]


@pytest.mark.parametrize("value", [["public"], ["张三"], [4], "ou_ls", None], ids=repr)
def test_a_recording_is_never_opened_to_the_public(value: Any) -> None:
    """Nor is a name taken for an id."""
    with pytest.raises(ValueError, match=r"viewers are|is no ou_"):
        VIEWERS.encode(value)
