"""Texts as a rule about words should see them: disguises taken off.

Folding removes invisible characters, applies NFKC, turns look-alike letters into Latin ones, drops accents, undoes
character references, lower-cases, and closes the gaps between Chinese characters. Some disguises need a guess (is
`aWdub3Jl` base64?), so a text has several readings, and a rule may match any of them.
"""

import re
from base64 import b64decode
from collections.abc import Iterator
from urllib.parse import unquote

from placet.sanitise.unicode import INVISIBLE

__all__ = ["DISGUISE_HINTS", "readings"]

_LOOK_ALIKES = (
    ("а", "a"), ("в", "b"), ("е", "e"), ("к", "k"), ("м", "m"), ("н", "h"), ("о", "o"), ("р", "p"), ("с", "c"),
    ("т", "t"), ("у", "y"), ("х", "x"), ("ѕ", "s"), ("і", "i"), ("ј", "j"), ("ԁ", "d"), ("ԛ", "q"), ("ԝ", "w"),
    ("һ", "h"), ("ӏ", "l"), ("г", "r"), ("п", "n"), ("α", "a"), ("β", "b"), ("ε", "e"), ("η", "n"), ("ι", "i"),
    ("κ", "k"), ("ν", "v"), ("ο", "o"), ("ρ", "p"), ("τ", "t"), ("υ", "u"), ("χ", "x"), ("γ", "y"), ("ω", "w"),
    ("ɑ", "a"), ("ɡ", "g"), ("ı", "i"), ("ɩ", "i"), ("ʀ", "r"), ("ɴ", "n"), ("ɪ", "i"), ("ʟ", "l"), ("ᴀ", "a"),
    ("ᴄ", "c"), ("ᴅ", "d"), ("ᴇ", "e"), ("ɢ", "g"), ("ʜ", "h"), ("ᴊ", "j"), ("ᴋ", "k"), ("ᴍ", "m"), ("ᴏ", "o"),
    ("ᴘ", "p"), ("ꜱ", "s"), ("ᴛ", "t"), ("ᴜ", "u"), ("ᴠ", "v"), ("ᴡ", "w"), ("ʏ", "y"), ("ᴢ", "z"), ("ʙ", "b"),
    ("ꜰ", "f"), ("ø", "o"), ("ł", "l"), ("đ", "d"), ("’", "'"), ("‘", "'"), ("ʼ", "'"), ("“", '"'), ("”", '"'),
)  # fmt: skip
_TRADITIONAL = (
    "無視過統規則輸發給轉聯絡記錄將現開設請對話導員確認執調這個說證碼號鑰權審詢問應當隱須從違絕會顯複製編輯網頁鏈連機構還為據獲準備檢測試與關於後續條約繞詞戶傳資訊該讓們裡處標單圖寫項題選擇術務動態學習種類層級產擔憂電郵銀帳賬錢匯",
    "无视过统规则输发给转联络记录将现开设请对话导员确认执调这个说证码号钥权审询问应当隐须从违绝会显复制编辑网页链连机构还为据获准备检测试与关于后续条约绕词户传资讯该让们里处标单图写项题选择术务动态学习种类层级产担忧电邮银帐账钱汇",
)
_FOLD = {ord(other): plain for other, plain in _LOOK_ALIKES} | dict(
    zip(map(ord, _TRADITIONAL[0]), _TRADITIONAL[1], strict=True)
)
_LEET = str.maketrans("013457@$!|", "oieastasii")

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_LATIN_WITH_MARKS = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")
_CHINESE_GAP = re.compile(r"(?<=[\u4e00-\u9fff])[ \t.·\-_*|~]{1,3}(?=[\u4e00-\u9fff])")
_ESCAPED = re.compile(r"\\{1,32}u([0-9a-fA-F]{4})")
_SIGNS = r"\s.·\-_*|/~"
_SPELLED = re.compile(
    rf"(?<![^{_SIGNS}])(?:[^{_SIGNS}][{_SIGNS}]{{1,4}}){{5,4000}}[^{_SIGNS}](?![^{_SIGNS}])"
)
_HYPHENATED = re.compile(r"[a-z]{2,20}(?:[.\-_*|][a-z]{2,20}){3,400}")
_SIGN = re.compile(rf"[{_SIGNS}]")
_WIDE_GAP = re.compile(rf"([{_SIGNS}])[{_SIGNS}]{{1,3}}")
_LEET_WORD = re.compile(r"[a-z][013457@$!|]|[013457@$!|][a-z]")
_BASE64 = re.compile(r"[A-Za-z0-9+/_\-]{24,8192}={0,2}")
_HEX = re.compile(r"(?:[2-7e][0-9a-fA-F][ :]?){16,4096}|(?:\\x[0-9a-fA-F]{2}){8,4096}")
_NOT_HEX = re.compile("[^0-9a-fA-F]")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2}){4}|%20[a-zA-Z]{1,30}%20")
_MOST_DECODED = 16

DISGUISE_HINTS = (
    f"[{INVISIBLE}]",
    r"&#[0-9xX]",
    r"\\u[0-9a-fA-F]{4}",
    # letters of two alphabets in one word, full-width and mathematical letters, letters with accents in English words
    r"[A-Za-z][\u0370-\u03ff\u0400-\u052f\u0250-\u02af\u1d00-\u1d7f]|[\u0370-\u03ff\u0400-\u052f\u0250-\u02af\u1d00-\u1d7f][A-Za-z]",
    r"(?:[\u0250-\u02af\u1d00-\u1d7f\ua720-\ua7ff]|[аеорсухіјѕ]{4})",
    r"[Ａ-Ｚａ-ｚⓐ-ⓩ\U0001d400-\U0001d7ff\U0001f130-\U0001f189]{2}",
    r"[A-Za-z][\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff]|[\u00c0-\u024f\u1e00-\u1eff][A-Za-z]|[＜＞［］｜＃]",
    r"(?:[^\s.·\-_*|/~][\s.·\-_*|/~]{1,4}){6}",
    r"[\u4e00-\u9fff][ \t.·\-_*|~]{1,3}[\u4e00-\u9fff]",
    r"(?i)[i1!|]gn[o0]r[e3]|d[i1!|]sr[e3]g[a4@]rd|f[o0]rg[e3][t7]|syst[e3]m pr[o0]mp[t7]|byp[a4@][s5$][s5$]|[o0]v[e3]rr[i1!|]d[e3]",
    r"(?:[I-Za-f56][A-Za-z0-9+/_\-]{3}){6}|[A-Za-z0-9+/]{40}",
    r"(?:[2-7e][0-9a-fA-F][ :]?){16}|(?:\\x[0-9a-fA-F]{2}){8}",
    r"(?:%[0-9a-fA-F]{2}){4}|%20[a-zA-Z]{1,30}%20",
    rf"[{_TRADITIONAL[0]}]",
    r"[A-Za-z]{2,20}[.\-_*|][A-Za-z]{2,20}[.\-_*|][A-Za-z]{2,20}[.\-_*|][A-Za-z]",
)
"""RE2 patterns of which one matches every text whose reading may differ from the text itself."""


def readings(text: str) -> Iterator[tuple[str, bool]]:
    """The text in each of its readings, folded; True with one in which words have run together."""
    yield from _of_one(text)
    for count, decoded in enumerate(_decoded(text)):
        if count == _MOST_DECODED:
            return
        yield from _of_one(decoded)


def _of_one(text: str) -> Iterator[tuple[str, bool]]:
    letters = _letters(text)
    folded = _spaced(letters)
    yield folded, False
    if _SPELLED.search(letters) is not None:
        # One sign between letters, more between words; then, in case there was no such difference, none at all.
        yield (
            _spaced(
                _SPELLED.sub(
                    lambda found: _SIGN.sub("", _WIDE_GAP.sub("\0", found[0])).replace("\0", " "), letters
                )
            ),
            False,
        )
        yield _spaced(_SPELLED.sub(lambda found: _SIGN.sub("", found[0]), letters)), True
    if _HYPHENATED.search(folded) is not None:
        yield _HYPHENATED.sub(lambda found: _SIGN.sub(" ", found[0]), folded), False
    if _LEET_WORD.search(folded) is not None:
        yield folded.translate(_LEET), False


def _letters(text: str) -> str:
    """The text in plain lower-case letters, its spaces as they were."""
    if not text.isascii():
        # Imported late: its tables are a megabyte.
        from unicodedata import normalize

        text = normalize("NFKC", _INVISIBLE.sub("", text))
        if _LATIN_WITH_MARKS.search(text) or _MARKS.search(text):
            text = normalize("NFC", _MARKS.sub("", normalize("NFD", text)))
        text = text.lower().translate(_FOLD)
    elif not text.isprintable():
        text = _INVISIBLE.sub("", text)
    if "&" in text:
        # Imported late: it brings a table of 2,000 names that few texts need.
        from html import unescape

        text = unescape(text)
    if "\\u" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return text.lower()


def _spaced(letters: str) -> str:
    """Single spaces, single line ends, and none between Chinese characters."""
    if not letters.isascii():
        letters = _CHINESE_GAP.sub("", letters)
    return _LINES.sub("\n", _SPACES.sub(" ", letters))


def _decoded(text: str) -> Iterator[str]:
    for found in _BASE64.finditer(text):
        yield from _readable(_from_base64(found[0]))
    for found in _HEX.finditer(text):
        digits = _NOT_HEX.sub("", found[0])
        yield from _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    if _PERCENT.search(text) is not None:
        yield unquote(text.replace("+", " "))


def _from_base64(text: str) -> bytes:
    body = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return b64decode(body[: len(body) - (len(body) % 4 == 1)] + "=" * (-len(body) % 4), validate=True)
    except ValueError:
        return b""


def _readable(content: bytes) -> Iterator[str]:
    """The bytes as text, if they are one."""
    if not content:
        return
    # What was found may begin or end inside a character.
    text = content.decode("utf-8", errors="ignore")
    if len(text.encode()) < 0.9 * len(content):
        return
    if sum(one.isprintable() or one in "\r\n\t" for one in text) >= 0.95 * len(text):
        yield text
