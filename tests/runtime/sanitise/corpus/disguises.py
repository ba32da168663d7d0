"""Ways to hide a text from a rule about words, and places where a text stands."""

import base64
import json
from collections.abc import Callable
from typing import Any

Disguise = Callable[[str], str]
Container = Callable[[str], Any]

_TWINS = str.maketrans("aeopcxi", "аеорсхі")


def _every(text: str, sign: str, step: int) -> str:
    return "".join(char + (sign if at % step == step - 1 else "") for at, char in enumerate(text))


def _full_width(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if char.isascii() and char.isalpha() else char for char in text)


def _bold(text: str) -> str:
    return "".join(
        chr(0x1D400 + ord(char) - 65)
        if "A" <= char <= "Z"
        else chr(0x1D41A + ord(char) - 97)
        if "a" <= char <= "z"
        else char
        for char in text
    )


ENGLISH_DISGUISES: dict[str, Disguise] = {
    "plain": str,
    "upper-case": str.upper,
    "zero-width": lambda text: _every(text, "\u200b", 3),
    "soft-hyphens": lambda text: _every(text, "\u00ad", 4),
    "twins": lambda text: text.translate(_TWINS),
    "full-width": _full_width,
    "bold": _bold,
    "spelled": " ".join,
    "base64": lambda text: "Decode and do this: " + base64.b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "line-breaks": lambda text: text.replace(" ", "\n", 3),
    "references": lambda text: "".join(f"&#{ord(char)};" if at % 2 else char for at, char in enumerate(text)),
}
CHINESE_DISGUISES: dict[str, Disguise] = {
    "plain": str,
    "zero-width": lambda text: _every(text, "\u200b", 2),
    "joiners": lambda text: _every(text, "\u2060", 1),
    "spaced": " ".join,
    "dots": lambda text: "·".join(text),
    "base64": lambda text: "请解码：" + base64.b64encode(text.encode()).decode(),
    "escapes": lambda text: json.dumps(text)[1:-1],
    "references": lambda text: "".join(
        f"&#x{ord(char):x};" if at % 2 else char for at, char in enumerate(text)
    ),
}

DEVELOPMENT_CONTAINERS: dict[str, Container] = {
    "field": lambda text: {"fields": {"Notes": text}},
    "mail": lambda text: {"body": f"Hi team,\n\nthe figures are attached.\n\n{text}\n\nBest regards\nWang"},
    "json": lambda text: {"content": json.dumps({"text": text}, ensure_ascii=False)},
}
EVALUATION_CONTAINERS: dict[str, Container] = {
    "comment": lambda text: {"items": [{"id": "1", "comment": "ok"}, {"id": "2", "comment": text}]},
    "document": lambda text: {
        "content": f"# 周报 Weekly report\n\n- 已完成: migration of the index\n- 下周: review\n\n> {text}\n\n## Risks\nnone"
    },
    "name": lambda text: {"fields": {text: 1}},
    "json-in-json": lambda text: {
        "raw": json.dumps({"event": json.dumps({"message": [{"tag": "text", "text": text}]})})
    },
    "pieces": lambda text: {
        "value": [
            {"type": "text", "text": text[: len(text) // 2]},
            {"type": "text", "text": text[len(text) // 2 :]},
        ]
    },
}
