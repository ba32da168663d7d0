"""Glossaries of a translation: a term and its translation for the model, a list of pairs on the wire.

Source: the platform's page on translating a text, read 2026-12.
"""

from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["GLOSSARY"]

_TERMS_MOST = 128


def _pairs(value: Any) -> list[dict[str, str]]:
    if not isinstance(value, dict) or len(value) > _TERMS_MOST:
        raise ValueError(f"a glossary has a translation for each of at most {_TERMS_MOST} terms")
    for term, translation in value.items():
        if not term or not isinstance(translation, str) or not translation:
            raise ValueError(f"the translation of {term!r} is no text")
    return [{"from": term, "to": translation} for term, translation in value.items()]


GLOSSARY = Pair(encode=_pairs)
"""`ai.glossary`: `{"飞书": "Lark"}`."""
