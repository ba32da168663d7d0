"""Where a text holds a credential: by its own shape, by the words before it, or by its place in an address.

Shapes and the places of announced values are found by regular expressions whose every repeat is bounded; where a value
ends is decided by plain code, because quotes inside JSON inside JSON carry any number of backslashes.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from placet.contract.masking import SecretPattern
from placet.sanitise.screen import Pattern, loosened
from placet.sanitise.secret_names import HEADER_NAMES, SecretNames, Strength, looks_random

__all__ = ["MASK_START", "SecretTexts", "Span", "kind_of_name"]

MASK_START = "[masked:"
"""How every mask begins; what begins so is not masked again."""

LONGEST_VALUE = 8192
"""Characters that one announced value may have; what follows is text again."""


READ_AGAIN = 4
"""How often, by its announced values, a text may be read; where they do not lie in one another it is once."""


class Span(NamedTuple):
    """Characters `start` to `end` of a text, what they are for a finding, and what to say instead of them."""

    start: int
    end: int
    rule: str
    kind: str


def _shape(rule: str, kind: str, pattern: str) -> SecretPattern:
    return SecretPattern(rule=rule, kind=kind, pattern=pattern)


_SHAPES = (
    _shape(
        "jwt",
        "JSON web token",
        r"eyJ[A-Za-z0-9_\-]{8,4096}\.[A-Za-z0-9_\-]{8,8192}(?:\.[A-Za-z0-9_\-]{0,8192}){0,3}",
    ),
    _shape("aws_key_id", "AWS access key", r"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{16}"),
    _shape("google_api_key", "Google API key", r"AIza[A-Za-z0-9_\-]{35}"),
    _shape("google_token", "Google access token", r"ya29\.[A-Za-z0-9_\-.]{20,1024}"),
    _shape("google_client_secret", "Google client secret", r"GOCSPX-[A-Za-z0-9_\-]{20,64}"),
    _shape("google_refresh_token", "Google refresh token", r"1//0[A-Za-z0-9_\-]{20,256}"),
    _shape("azure_secret", "Azure client secret", r"[A-Za-z0-9_~.\-]{3}[78]Q~[A-Za-z0-9_~.\-]{31,34}"),
    _shape(
        "azure_key",
        "Azure key",
        r"[A-Za-z0-9+/]{43,86}(?:ASt|AzSe|AIoT|ACDb|AzCa|ARm|AzFu|AZEG)[A-Za-z0-9+/]{4,8}={0,2}",
    ),
    _shape("github_token", "GitHub token", r"gh[pousr]_[A-Za-z0-9]{30,255}"),
    _shape("github_token", "GitHub token", r"github_pat_[A-Za-z0-9_]{30,255}"),
    _shape("gitlab_token", "GitLab token", r"gl(?:pat|ptt|dt|rt|cbt|soat|agent|ft)-[A-Za-z0-9_\-.]{16,128}"),
    _shape("slack_token", "Slack token", r"xox[abcdeoprs](?:\.xox[bp])?-[A-Za-z0-9\-]{10,256}"),
    _shape("slack_token", "Slack token", r"xapp-[A-Za-z0-9\-]{10,256}"),
    _shape(
        "slack_webhook",
        "webhook address",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/]{12,256}",
    ),
    _shape(
        "chat_webhook",
        "webhook address",
        r"qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=[A-Za-z0-9\-]{8,64}",
    ),
    _shape(
        "chat_webhook",
        "webhook address",
        r"discord(?:app)?\.com/api/webhooks/[0-9]{8,24}/[A-Za-z0-9_\-]{20,128}",
    ),
    _shape(
        "chat_webhook",
        "webhook address",
        r"[a-z0-9\-]{1,63}\.webhook\.office\.com/webhookb2/[A-Za-z0-9\-@/]{20,256}",
    ),
    _shape("model_api_key", "API key", r"sk-(?:proj|ant|svcacct|admin|or|api)[A-Za-z0-9_\-]{20,256}"),
    _shape("model_api_key", "API key", r"sk-[A-Za-z0-9]{20,256}"),
    _shape("payment_key", "payment key", r"[srp]k_(?:live|test)_[A-Za-z0-9]{16,256}"),
    _shape("webhook_secret", "webhook secret", r"whsec_[A-Za-z0-9+/=]{16,128}"),
    _shape("npm_token", "npm token", r"npm_[A-Za-z0-9]{36}"),
    _shape("pypi_token", "PyPI token", r"pypi-[A-Za-z0-9_\-]{50,512}"),
    _shape("model_hub_token", "model hub token", r"hf_[A-Za-z0-9]{30,64}"),
    _shape("sendgrid_key", "SendGrid key", r"SG\.[A-Za-z0-9_\-]{16,64}\.[A-Za-z0-9_\-]{16,64}"),
    _shape("twilio_key", "Twilio key", r"SK[0-9a-f]{32}"),
    _shape("digitalocean_token", "DigitalOcean token", r"do[opr]_v1_[0-9a-f]{64}"),
    _shape("shopify_token", "Shopify token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _shape("alibaba_key_id", "Alibaba Cloud access key", r"LTAI[A-Za-z0-9]{12,28}"),
    _shape("tencent_key_id", "Tencent Cloud access key", r"AKID[A-Za-z0-9]{13,40}"),
    _shape("telegram_token", "bot token", r"[0-9]{8,10}:AA[A-Za-z0-9_\-]{33}"),
    _shape("age_key", "age secret key", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    _shape("vault_token", "Vault token", r"hv[sbr]\.[A-Za-z0-9_\-]{20,256}"),
)

_SEPARATED = r"[\\\"'\]`*\s]{0,72}(?:=|:|：|＝|%3[ad]|,\s?\\{0,64}[\"']|\s(?:is|was)[\s:]|→|->)"
_TEXT_HINTS = (
    r"(?i)PRIVATE KEY|PuTTY-User-Key",
    r"(?i)(?:passw(?:or)?d|passphrase|passcode|pwd|secret|credential|authori[sz]ation|cookie|api[ _\-.]?key|token|otp"
    r"|jwt|session|sessid|sid|signature|sig|auth|pass|connection[ _\-.]?string|conn[ _\-.]?str"
    r"|(?:auth|verification|recovery|backup|mfa|otp)[ _\-.]?code"
    r"|(?:secret|private|access|encrypt|encryption|sign|signing|signature|master|ssh|rsa|auth|account|storage|consumer"
    r"|subscription|hmac|aes|shared|service|functions|host|deploy|pre)[ _\-.]?key)"
    r"[a-z0-9 _\-.\[\]]{0,120}" + _SEPARATED,
    r"(?:密码|口令|密钥|私钥|令牌|验证码|凭证|凭据)[\s\S]{0,80}[\x21-\x7e]",
    r"(?i)(?:bearer|basic|token|apikey|negotiate|ntlm|digest)(?:\s|%20|\+){1,4}[a-z0-9._~+/=\-]{8}",
    r"://[^\s/]{0,256}@",
    r"(?i)(?:password|passphrase|passcode|pwd|secret|credentials?|api key|access key|token) (?:for|of|to|on|at|in|from|used) [^\n:=]{1,160}[:=]",
    r"(?i)[?&;#](?:key|code|ticket|sig|signature|token|auth|session|x-amz-(?:signature|security-token|credential))=",
)
"""RE2 patterns of which one matches every text in which a neutral rule finds something."""

_NOT_IN_A_WORD = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f][0-9A-Fa-f]))"
_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[0-9]:|-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY"
)
_KEY_BLOCK_END = re.compile(
    r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: [0-9a-f]{1,128}"
)
_SCHEME = re.compile(
    _NOT_IN_A_WORD
    + r"(bearer|basic|token|apikey|negotiate|ntlm)(?:\s|%20|\+){1,4}([A-Za-z0-9._~+/=\-]{8,8192})",
    re.IGNORECASE,
)
_USER_INFO = re.compile(
    r"[A-Za-z][A-Za-z0-9+.\-]{1,20}://([^\s/:@\"'<>]{0,128}):(?![0-9]{1,5}/)([^\s\"'<>]{1,256})@"
)
_QUERY = re.compile(
    r"[?&;#](key|code|ticket|sig|signature|token|auth|session|x-amz-signature|x-amz-security-token|x-amz-credential)=([^&#\s\"'<>\\]{1,4096})",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"(?<![A-Za-z0-9])([A-Za-z][A-Za-z0-9_.\-]{1,80}+(?:\[[A-Za-z0-9_]{1,40}\])?(?: [A-Za-z][A-Za-z0-9_\-]{1,30}+){0,2})"
    r"(\\{0,64}[\"'`*]{0,3}\s{0,8}(?:=>|:=|={1,2}|[:：＝]|%3[adAD]|,(?=\s?[\"'])|->|→|(?<=\s)(?:is|was)(?:\s(?:now|set to))?(?=[\s:]):?)\s{0,8})"
)
_ANNOUNCED_CHINESE = re.compile(
    r"(密码|口令|密钥|私钥|令牌|验证码|凭证|凭据)((?:[（(][^（）()\n]{0,24}[）)])?[\\\"'`*）)】\]]{0,16}\s{0,8}"
    r"(?:(?:已经?)?(?:重置|修改|更新|更改|改|设置?|换|定)?(?:成|为|是)|[:：=＝]|->|→|=>)?了?[:：]?\s{0,8})"
)
_ANNOUNCED_AT_LENGTH = re.compile(
    r"(?<![A-Za-z0-9])(password|passphrase|passcode|pwd|secret|credentials?|api key|access key|token)"
    r" (?:for|of|to|on|at|in|from|used)(?: [A-Za-z0-9_.\-'@/]{1,40}+){1,6}\s?[:=]\s{0,4}",
    re.IGNORECASE,
)
_OPENING = re.compile(r"\\{0,64}[\"'`“‘「『]")
_CLOSING = {"“": "”", "‘": "’", "「": "」", "『": "』"}
_LINE_END = re.compile(r"\r|\n|\\{1,64}[rn]|\\{0,64}\"|\\{0,64}'(?=\s|$)")
_VALUE_END = re.compile(
    r"[\s\"'<>`，。；：、！？）】》”’」]|\\{1,64}[rnt\"']|%26"
    r"|[,;&)\]}|](?=[\s\"'，。]|$|[&,;)\]}|]|\\|[A-Za-z_][A-Za-z0-9_.\- ]{0,60}(?:[=:]|%3[dD]))"
)
_PLACEHOLDER = re.compile(
    r"[*•·.xX_\-]{2,256}|\$\{[^}]{0,128}\}?|\$[A-Z_][A-Z0-9_]{0,128}|\$\([^)]{0,128}\)?|\{\{[^}]{0,128}\}{0,2}|\{[a-z_]{1,64}\}?"
    r"|<[^<>]{0,128}>|%[A-Za-z_]{1,64}%|env:[A-Z0-9_]{1,64}|(?:process\.env|os\.environ|os\.getenv|getenv)[.\[(].{0,128}"
)
_AUTH_SCHEMES = (
    "bearer ",
    "basic ",
    "digest ",
    "token ",
    "apikey ",
    "negotiate ",
    "ntlm ",
    "aws4-",
    "hmac",
    "signature ",
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PROSE = _words(
    "a about after again all also an and any are as at be because been before being but by can cannot change changed "
    "changes check contains could correct day days default did do does done each either empty enabled ending enter "
    "entered every expire expired expires expiry false field fields for forgot forgotten from good had has have "
    "he her his how if in incorrect integer invalid is it its just keep kept later less like long lost many may "
    "managed management manager matches maximum me method minimum missing more most must my need needed needs "
    "never new no none not now null number object of off ok on once one only optional or other our out over own "
    "per please policy protected provided read reset required requirement requirements reset rotate rotated rotation "
    "rules same see set shall share shared should show shown since so some still stored string strong such that the "
    "their them then there they this those to too true type undefined unique unknown unset until up update updated "
    "use used user username using valid value values via was wasn't we weak were what when where which while who "
    "will with without would wrong yes yesterday you your auth token tokens secret password passwords access "
    "authentication authorization bearer basic refresh id code session"
)


_PARTS = re.compile(r"[A-Za-z0-9]{1,64}")


class SecretTexts:
    """The neutral rules with a platform's shapes.

    Args:
        keys: The platform's names of secrets, which `names` holds already; they serve the hints.
        extra: The platform's shapes.

    Raises:
        ValueError: a shape is not in the syntax that both engines read.
    """

    def __init__(
        self, names: SecretNames, keys: Sequence[str] = (), extra: Sequence[SecretPattern] = ()
    ) -> None:
        self._names = names
        self._keys = "|".join("[ _.-]?".join(map(re.escape, _PARTS.findall(key))) for key in keys)
        for one in extra:
            _require_readable(one)
        # A vendor's own shape is tried before the neutral ones: its mask says more.
        self._shapes = (*extra, *_SHAPES)
        self._shape = re.compile(
            _NOT_IN_A_WORD + "(?:" + "|".join(f"({one.pattern})" for one in self._shapes) + ")"
        )

    @property
    def hints(self) -> tuple[str, ...]:
        """RE2 patterns of which one matches every text in which `spans` finds something."""
        keys = (f"(?i)(?:{self._keys}){_SEPARATED}",) if self._keys else ()
        return (*_TEXT_HINTS, *keys, *(one.pattern for one in self._shapes))

    @cached_property
    def _any_shape(self) -> Pattern:
        return Pattern([loosened(one.pattern) for one in self._shapes])

    def spans(self, text: str, allow: frozenset[str]) -> list[Span]:
        """Everything to mask, in order and without overlap; where two rules meet, the longer span wins."""
        found = sorted(self._found(text, allow), key=lambda span: (span.start, -span.end))
        kept: list[Span] = []
        for span in found:
            if kept and span.start < kept[-1].end:
                if span.end > kept[-1].end:
                    kept[-1] = kept[-1]._replace(end=span.end)
            elif span.end > span.start:
                kept.append(span)
        return kept

    def _found(self, text: str, allow: frozenset[str]) -> Iterator[Span]:
        yield from _key_blocks(text)
        # Backtracking over fifty shapes at each character is slow, and hardly a text has one.
        for found in self._shape.finditer(text) if self._any_shape.is_in(text) else ():
            shape = self._shapes[(found.lastindex or 1) - 1]
            yield Span(found.start(), found.end(), shape.rule, shape.kind)
        yield from _schemes(text)
        yield from _user_infos(text)
        for found in _QUERY.finditer(text):
            if found[1].lower() not in ("code", "key", "token") or looks_random(found[2]):
                yield from _span(text, found.start(2), found.end(2), "query", "address parameter")
        left = READ_AGAIN * len(text) + LONGEST_VALUE
        for announced in self._announced(text, allow):
            value = _extent(text, announced)
            left -= value.end - value.start
            if left < 0:
                # Values within values without end: told apart they would take minutes, and none may leave.
                yield Span(0, len(text), "secret_name", "secret")
                return
            yield from _judged(text, announced, value)

    def _announced(self, text: str, allow: frozenset[str]) -> Iterator["_Announced"]:
        """Places behind a name and a sign: `password: x`, `"token":"x"`, `密码是x`."""
        for found in _ANNOUNCED.finditer(text):
            name = found[1]
            strength = self._names.strength(name, allow)
            if strength is None and " " in name:
                strength = self._names.strength(name.rpartition(" ")[2], allow)
            if strength is not None:
                # `["password", "hunter2"]` is a pair, `"password", "name"` a list of columns.
                sign = found[2].strip("\\\"'`* \t\r\n")
                is_prose = sign.startswith(("is", "was", ",")) and not sign.endswith(":")
                yield _Announced(found.end(), name, strength, is_prose)
        for found in _ANNOUNCED_AT_LENGTH.finditer(text):
            yield _Announced(found.end(), found[1], Strength.HARD, True)
        for found in _ANNOUNCED_CHINESE.finditer(text):
            soft = found[1].startswith("凭")
            sign = found[2].strip(" \t\r\n\\\"'`*）)】]")
            yield _Announced(found.end(), found[1], Strength.SOFT if soft else Strength.HARD, not sign)


def _require_readable(shape: SecretPattern) -> None:
    try:
        groups = re.compile(shape.pattern).groups
        Pattern([shape.pattern])
    except (re.error, ValueError) as error:
        raise ValueError(f"the pattern of {shape.rule!r} cannot be read: {str(error)[:200]}") from None
    if groups:
        raise ValueError(f"the pattern of {shape.rule!r} has a group; write (?:...)")


def _key_blocks(text: str) -> Iterator[Span]:
    at = 0
    while (begin := _KEY_BLOCK.search(text, at)) is not None:
        end = _KEY_BLOCK_END.search(text, begin.end())
        # A key that was cut off has no end, and half a key is still one.
        at = end.end() if end is not None else len(text)
        yield Span(begin.start(), at, "private_key", "private key")


def _schemes(text: str) -> Iterator[Span]:
    for found in _SCHEME.finditer(text):
        scheme, value = found[1].lower(), found[2]
        if scheme == "basic" and not _is_basic(value):
            continue
        if scheme != "basic" and not (len(value) >= 16 or any(one.isdigit() for one in value)):
            continue
        if scheme in ("token", "apikey", "negotiate", "ntlm") and not looks_random(value):
            continue
        yield Span(
            found.start(2),
            found.end(2),
            f"{scheme}_scheme",
            f"{scheme} token" if scheme != "token" else "token",
        )


def _is_basic(value: str) -> bool:
    """Whether base64 of `user:password`, rather than an English word after "basic"."""
    from base64 import b64decode

    value = value.rstrip(".")
    try:
        return b":" in b64decode(value + "=" * (-len(value) % 4), validate=True)
    except ValueError:
        return False


def _user_infos(text: str) -> Iterator[Span]:
    for found in _USER_INFO.finditer(text):
        yield from _span(text, found.start(2), found.end(2), "url_password", "password")


class _Announced(NamedTuple):
    """A name and its sign, and the place behind them."""

    at: int
    name: str
    strength: Strength
    is_prose: bool


class _Extent(NamedTuple):
    """Where an announced value begins and ends; `header` is the name, squeezed, when it is a header's."""

    start: int
    end: int
    is_quoted: bool
    header: str


def _extent(text: str, announced: _Announced) -> _Extent:
    squeezed = "".join(one for one in announced.name.lower().rpartition(" ")[2] if one.isalnum())
    header = squeezed if squeezed in HEADER_NAMES else ""
    at = announced.at
    opening = _OPENING.match(text, at)
    if opening is not None:
        return _Extent(opening.end(), _closing(text, opening), True, header)
    limit = min(len(text), at + LONGEST_VALUE)
    stop = (_LINE_END if header else _VALUE_END).search(text, at, limit)
    return _Extent(at, stop.start() if stop is not None else limit, False, header)


def _judged(text: str, announced: _Announced, extent: _Extent) -> Iterator[Span]:
    """The announced value, if it is one."""
    start, end, is_quoted, header = extent
    strength, is_prose = announced.strength, announced.is_prose
    value = text[start:end]
    if not value or value.startswith(MASK_START) or _PLACEHOLDER.fullmatch(value) is not None:
        return
    if strength is Strength.SOFT and not looks_random(value.strip("\\")):
        return
    if header and not is_quoted:
        if not _is_header(header, value):
            return
    elif (is_prose or not is_quoted) and not _is_secret_word(text, value, end, is_prose=is_prose):
        return
    yield from _span(text, start, end, "secret_name", kind_of_name(announced.name))


def _is_header(name: str, value: str) -> bool:
    """Whether the rest of a line is a header's value: `Authorization: pending` and `Cookies: we use some` are not."""
    if "cookie" in name:
        return "=" in value
    return value.lower().startswith(_AUTH_SCHEMES) or looks_random(value.strip())


def _is_secret_word(text: str, value: str, end: int, *, is_prose: bool) -> bool:
    """Whether an unquoted word after a secret's name is the secret and not the rest of a sentence."""
    word = value.strip(".,;:!?()[]{}")
    if len(word) < 3 or word.lower() in _PROSE or not word[0].isascii():
        return False
    if is_prose:
        plain = word.isalpha() and (word.islower() or word.istitle())
        return len(word) >= 4 and not plain
    # `Password:\nUsername: x`: the next line announces something else.
    return not (text[end : end + 1] in (":", "：") and word.isalpha())


def _closing(text: str, opening: "re.Match[str]") -> int:
    """Where a quoted value ends: at the same quote behind as many backslashes, or with the line or the text."""
    quote = opening[0]
    if quote[-1] in _CLOSING:
        quote = _CLOSING[quote[-1]]
    start = opening.end()
    limit = min(len(text), start + LONGEST_VALUE)
    at = text.find(quote, start, limit)
    while at > start and quote[-1] in "\"'" and text[at - 1] == "\\":
        at = text.find(quote, at + 1, limit)
    if at >= 0:
        return at
    line = text.find("\n", start, limit)
    return line if line >= 0 else limit


def _span(text: str, start: int, end: int, rule: str, kind: str) -> Iterator[Span]:
    if not text.startswith(MASK_START, start) and end > start:
        yield Span(start, end, rule, kind)


_KINDS = (
    ("cookie", "cookie"),
    ("authori", "authorization"),
    ("pass", "password"),
    ("pwd", "password"),
    ("secret", "secret"),
    ("token", "token"),
    ("key", "key"),
    ("conn", "connection string"),
    ("密码", "password"),
    ("口令", "password"),
    ("密钥", "key"),
    ("私钥", "key"),
    ("令牌", "token"),
    ("验证码", "verification code"),
    ("code", "verification code"),
)


def kind_of_name(name: str) -> str:
    """What to call the value of a secret's name in a mask."""
    lowered = name.lower()
    return next((kind for part, kind in _KINDS if part in lowered), "secret")
