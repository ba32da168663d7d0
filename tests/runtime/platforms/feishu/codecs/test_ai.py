"""Glossaries of a translation."""

from typing import Any

import pytest

from placet.platforms.feishu.codecs import CODECS

GLOSSARY = CODECS["ai.glossary"]


def test_each_term_becomes_a_pair() -> None:
    """The wire has a list, whose members the SDK misnames."""
    assert GLOSSARY.encode({"飞书": "Lark", "多维表格": "Base"}) == [
        {"from": "飞书", "to": "Lark"},
        {"from": "多维表格", "to": "Base"},
    ]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"飞书": 1}, id="no-text"),
        pytest.param({"": "Lark"}, id="no-term"),
        pytest.param({"飞书": ""}, id="no-translation"),
        pytest.param({str(number): "x" for number in range(129)}, id="too-many"),
    ],
)
def test_what_is_no_glossary_is_refused(value: Any) -> None:
    """A pair without a side, or more pairs than the platform takes, has no wire form."""
    with pytest.raises(ValueError, match=r"glossary|translation"):
        GLOSSARY.encode(value)
