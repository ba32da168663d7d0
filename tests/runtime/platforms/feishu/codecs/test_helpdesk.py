"""Messages of a help desk's tickets."""

import json

from placet.platforms.feishu.codecs import CODECS


def test_text_travels_as_json_in_text() -> None:
    """Quotes and line ends are the text's own and break nothing."""
    text = '已重置 "a"\n请登录'

    assert json.loads(CODECS["helpdesk.text"].encode(text)) == {"text": text}
