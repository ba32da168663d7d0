"""Which names announce a secret: `client_secret`, `X-Api-Key`, `dbPassword`, 密码 - and which only sound like it.

A name is HARD when its value is a secret whatever it looks like, SOFT when the value must look like one besides
(`token`, `session_id`), and nothing otherwise. Names of ids that a next call needs (`page_token`) are never SOFT.
"""

import re
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache

from msgspec import Struct

__all__ = [
    "HEADER_NAMES",
    "NAME_HINT",
    "SecretNames",
    "Strength",
    "identifier_names",
    "key_hint",
    "looks_random",
    "secret_names",
]


class Strength(Enum):
    """How sure a name is."""

    HARD = "hard"
    SOFT = "soft"


HEADER_NAMES = frozenset({"authorization", "proxyauthorization", "cookie", "setcookie", "cookies"})
"""Names, squeezed, whose value in a text is the rest of the line."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_HARD_LAST = _words(
    "password passwords passwd pwd passphrase passcode secret secrets credential credentials authorization cookie "
    "cookies otp setcookie apikey apikeys privatekey accesskey secretkey authkey authtoken accesstoken refreshtoken "
    "idtoken sessiontoken apitoken bearertoken connectionstring"
)
_HARD_ENDS = (
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "secretkey",
    "privatekey",
    "accesskey",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "clientsecret",
    "appsecret",
    "signingkey",
    "encryptkey",
    "encryptionkey",
    "connectionstring",
)
_CHINESE_HARD = ("密码", "口令", "密钥", "私钥", "令牌", "验证码")
_CHINESE_SOFT = ("凭证", "凭据")
_SOFT_LAST = _words("token tokens session sessionid sid signature sig jwt auth sessid phpsessid jsessionid")
_PAIRS = {
    "key": _words(
        "api secret private access encrypt encryption signing sign signature master ssh rsa auth account storage "
        "consumer subscription hmac aes shared service functions host deploy pre"
    ),
    "keys": _words("api secret private access encryption signing"),
    "token": _words(
        "access refresh id auth authentication authorization bearer session csrf xsrf api oauth oauth2 verification "
        "security deploy bot personal jwt login service sas secret user admin github gitlab slack npm pypi telegram "
        "discord vault aws azure gcp hf private registry reset webhook runner ci"
    ),
    "tokens": _words("access refresh api bearer auth"),
    "string": frozenset({"connection", "conn"}),
    "str": frozenset({"connection", "conn"}),
    "code": _words("auth authorization verification recovery backup mfa otp"),
    "codes": _words("recovery backup verification"),
    "pass": _words("db database user smtp mysql root admin redis mail login ftp postgres pg http proxy"),
}
_SOFT_PAIRS = frozenset({("session", "id")})
_TRAILING = _words(
    "value values text plain plaintext raw hash b64 base64 confirm confirmation string new old current base "
    "prod production staging dev test primary secondary default live sandbox"
)


def _hint() -> str:
    """What `_neutral` has an answer for ends in one of its words, and behind that in nothing but what it skips."""
    single = sorted(_HARD_LAST | set(_HARD_ENDS) | _SOFT_LAST)
    pairs = [f"(?:{'|'.join(sorted(before))})[^a-zA-Z0-9]*{last}" for last, before in _PAIRS.items()]
    pairs += [f"{before}[^a-zA-Z0-9]*{last}" for before, last in sorted(_SOFT_PAIRS)]
    # `[^a-z]` without regard to case would leave out the letters that fold to one of these.
    skipped = f"(?:[^a-zA-Z]|(?i:{'|'.join(sorted(_TRAILING))}))*"
    chinese = "|".join(_CHINESE_HARD + _CHINESE_SOFT)
    return f"(?i:{'|'.join([*single, *pairs])}){skipped}$|(?:{chinese})[ \\t:：'\"]*$"


NAME_HINT = _hint()
"""Matches every name, and every text that is one, which can be HARD or SOFT by the neutral rules; in RE2's syntax."""

_IDENTIFIERS = (
    "page_token",
    "next_page_token",
    "prev_page_token",
    "previous_page_token",
    "next_token",
    "continuation_token",
    "sync_token",
    "next_sync_token",
    "client_token",
    "cursor_token",
    "idempotency_token",
)
_WORD = re.compile(r"[A-Z]{2,40}(?![a-z])|[A-Z]?[a-z]{1,60}|[0-9]{1,20}")
_LONGEST = 96


class SecretNames(Struct, frozen=True, kw_only=True):
    """The neutral rules with a platform's names added; all names squeezed to lower-case letters and digits."""

    hard: frozenset[str]
    identifiers: frozenset[str]

    def strength(self, name: str, allow: frozenset[str] = frozenset()) -> Strength | None:
        """What a name says about its value.

        Args:
            allow: Names that are ids here; they silence SOFT, never HARD.
        """
        if len(name) > _LONGEST:
            name = name[-_LONGEST:]
        squeezed = _squeezed(name)
        if squeezed in self.hard:
            return Strength.HARD
        found = _neutral(name)
        if found is Strength.SOFT and (squeezed in self.identifiers or name in allow):
            return None
        return found


@lru_cache(maxsize=32)
def secret_names(keys: tuple[str, ...], identifiers: tuple[str, ...]) -> SecretNames:
    """The rules for these platforms' keys and identifiers, which are added to the neutral ones."""
    return SecretNames(
        hard=frozenset(map(_squeezed, keys)),
        identifiers=frozenset(map(_squeezed, (*_IDENTIFIERS, *identifiers))),
    )


def key_hint(key: str) -> str:
    """Matches, in RE2's syntax, every name that is a platform's key once it is squeezed."""
    letters = ("[iİ]" if one == "i" else re.escape(one) for one in _squeezed(key))
    return f"(?i:{'[^a-zA-Z0-9]*'.join(letters)})[^a-zA-Z0-9]*$"


def identifier_names(extra: Iterable[str]) -> tuple[str, ...]:
    """Every name, as written, that is an id and no secret."""
    return (*_IDENTIFIERS, *extra)


def looks_random(value: str) -> bool:
    """Whether a text looks drawn from a generator: long, without spaces, of mixed and many characters."""
    if not 16 <= len(value) <= 8192 or _RANDOM.fullmatch(value) is None:
        return False
    has_digit = any("0" <= one <= "9" for one in value[:512])
    has_letter = any(one.isalpha() for one in value[:512])
    is_mixed = not (value[:512].islower() or value[:512].isupper())
    return len(set(value[:512])) >= 8 and has_letter and (has_digit or (is_mixed and len(value) >= 24))


_RANDOM = re.compile(r"[A-Za-z0-9_\-./+=~:|%]{16,8192}")


def _squeezed(name: str) -> str:
    return "".join(one for one in name.lower() if one.isalnum())


@lru_cache(maxsize=4096)
def _neutral(name: str) -> Strength | None:
    stripped = name.strip(" \t:：'\"")
    if not stripped.isascii():
        if stripped.endswith(_CHINESE_HARD):
            return Strength.HARD
        if stripped.endswith(_CHINESE_SOFT):
            return Strength.SOFT
    words = [word.lower() for word in _WORD.findall(stripped)]
    found = _by_words(words)
    while found is None and len(words) > 1 and (words[-1].isdigit() or words[-1] in _TRAILING):
        words.pop()
        found = _by_words(words)
    return found


def _by_words(words: list[str]) -> Strength | None:
    """What the last word, with the one before it, says."""
    if not words:
        return None
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if (before, last) in _SOFT_PAIRS:
        return Strength.SOFT
    if last in _HARD_LAST or before in _PAIRS.get(last, ()) or last.endswith(_HARD_ENDS):
        return Strength.HARD
    return Strength.SOFT if last in _SOFT_LAST else None
