"""Masking: what is hidden, what stays readable, and that a closer look is taken wherever it is needed."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from placet.contract.masking import MaskingPolicy, Personal, SecretPattern, SecretShapes
from placet.platforms.feishu.secrets import SHAPES
from placet.sanitise import secret_texts
from placet.sanitise.masking import masking
from placet.sanitise.outbound import mask
from placet.sanitise.screen import Pattern, loosened
from placet.sanitise.secret_names import Strength, secret_names
from placet.sanitise.secret_texts import SecretTexts
from tests.runtime.sanitise.measured import PARTS, RULES, secret_cases

EVERYTHING = masking(MaskingPolicy(personal=frozenset(Personal)), (SHAPES,))
NOTHING: frozenset[str] = frozenset()
TOKEN = "t-g1044QJ3AR2YUV43WSIZZSNTNBZUC7YG432QJ3A"

TEXTS = [
    pytest.param(
        "Authorization: Bearer abc.def-123456", "Authorization: [masked: authorization]", id="header"
    ),
    pytest.param("use Bearer abcdefgh12345678 now", "use Bearer [masked: bearer token] now", id="bearer"),
    pytest.param("Cookie: a=b; c=d\nHost: x", "Cookie: [masked: cookie]\nHost: x", id="cookie"),
    pytest.param("https://u:p4ss@h.example/x", "https://u:[masked: password]@h.example/x", id="url-password"),
    pytest.param(
        "http://h/x?a=1&access_token=abc123&b=2",
        "http://h/x?a=1&access_token=[masked: token]&b=2",
        id="query",
    ),
    pytest.param(
        "Server=d;Password=a!b;Database=x",
        "Server=d;Password=[masked: password];Database=x",
        id="connection-string",
    ),
    pytest.param("密码是Abc12345，请勿外传", "密码是[masked: password]，请勿外传", id="chinese"),
    pytest.param(f"see {TOKEN}.", "see [masked: access token]", id="platform-token"),
    pytest.param("-----BEGIN PRIVATE KEY-----\nMIIE", "[masked: private key]", id="half-a-key"),
    pytest.param(
        '{"password": "a\\"b", "n": 1', '{"password": "[masked: password]", "n": 1', id="broken-json"
    ),
    pytest.param(
        'x={\\"password\\": \\"a\\\\\\"b\\", \\"n\\": 1}',
        'x={\\"password\\": \\"[masked: password]\\", \\"n\\": 1}',
        id="escaped-json",
    ),
    pytest.param(
        'k: "pass\\u0077ord": "hunter22"', 'k: "password": "[masked: password]"', id="escaped-letter"
    ),
]
READABLE = [
    pytest.param({"page_token": "aGVsbG8gd29ybGQgMTIzNDU2", "next_page_token": "x1" * 20}, id="page-tokens"),
    pytest.param(
        {"app_token": "bascnCMII2ORej2RItqpZZUNMIe", "file_token": "boxcnrHpsg1QDqXAAAyachabcef"},
        id="platform-ids",
    ),
    pytest.param({"has_password": False, "password": None, "secret": True}, id="flags"),
    pytest.param({"max_tokens": 4096, "token_type": "Bearer", "session": "morning"}, id="words"),
    pytest.param(
        {"note": "The password must be changed. Password: required. Token: see the wiki."}, id="prose"
    ),
    pytest.param({"note": "密码：请联系管理员。令牌过期后需要刷新。"}, id="chinese-prose"),
    pytest.param({"note": "password: ${DB_PASSWORD}, <your-password>, ****"}, id="placeholders"),
    pytest.param({"url": "http://localhost:8080/users/@me", "mail": "a@b.example"}, id="addresses"),
    pytest.param({"slug": "a-collaborator-has-a-specific-permission-on-this"}, id="slug"),
    pytest.param({"status": "authorization: pending approval by the manager"}, id="pending"),
    pytest.param({"keys": ["password", "username"], "sql": 'SELECT "password", "name" FROM t'}, id="columns"),
    pytest.param({"phone": "13812345678", "card": "6222021234567890128"}, id="personal-by-default"),
    pytest.param(
        {"schema": {"properties": {"password": {"type": "string", "description": "The login."}}}}, id="schema"
    ),
]
PERSONAL = [
    pytest.param("call 13812345678", "phone", id="mobile"),
    pytest.param("电话：138-1234-5678", "phone", id="mobile-in-groups"),
    pytest.param("+8613812345678", "phone", id="mobile-with-country"),
    pytest.param("+44 20 7946 0958", "phone", id="e164"),
    pytest.param("１３８１２３４５６７８", "phone", id="full-width"),
    pytest.param("身份证 11010519491231002X", "id_card", id="id-card"),
    pytest.param("6222 0212 3456 7890 128", "bank_card", id="bank-card"),
    pytest.param("4111-1111-1111-1111", "bank_card", id="visa"),
]
NOT_PERSONAL = [
    pytest.param("110105194912310021", id="id-card-with-a-wrong-check"),
    pytest.param("110105194913310026", id="id-card-of-no-day"),
    pytest.param("4111-1111-1111-1112", id="card-with-a-wrong-check"),
    pytest.param("rec13812345678", id="id-that-holds-a-number"),
    pytest.param("1730000000000", id="milliseconds"),
    pytest.param("12345678901", id="no-mobile-prefix"),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_a_secret_in_a_text_is_masked_in_its_place(text: str, expected: str) -> None:
    """The rest of the text, its quotes included, stays as it was."""
    out, findings = mask({"t": text}, RULES)

    assert out == {"t": expected}
    assert [(one.kind, one.path) for one in findings] == [("credential", "/t")]


@pytest.mark.parametrize("value", READABLE)
def test_ids_and_prose_stay_readable(value: Any) -> None:
    """What the next call needs, and what is no secret, is not masked."""
    assert mask(value, RULES) == (value, ())


@pytest.mark.parametrize(("text", "rule"), PERSONAL)
def test_personal_data_is_masked_when_the_host_asks(text: str, rule: str) -> None:
    """By policy, and not without it."""
    out, findings = mask([text], EVERYTHING)

    assert [one.rule for one in findings] == [rule] and out != [text]
    assert mask([text], RULES) == ([text], ())


@pytest.mark.parametrize("text", NOT_PERSONAL)
def test_a_number_that_fails_its_own_check_is_kept(text: str) -> None:
    """Ids, times and misprints are not personal data."""
    assert mask([text, int(text)] if text.isdigit() else [text], EVERYTHING)[1] == ()


def test_a_personal_number_need_not_be_a_text() -> None:
    """A column of numbers holds telephone numbers too."""
    assert mask({"n": 13812345678}, EVERYTHING)[0] == {"n": "[masked: phone number]"}


def test_each_kind_of_personal_data_is_chosen_by_itself() -> None:
    """A host that masks cards keeps telephone numbers."""
    only_cards = masking(MaskingPolicy(personal=frozenset({Personal.BANK_CARD})), ())

    assert mask(["13812345678", "4111111111111111"], only_cards)[0] == ["13812345678", "[masked: bank card]"]


def test_a_tools_own_ids_are_kept_and_its_passwords_are_not() -> None:
    """Declared names silence the doubtful names, never the certain ones."""
    value = {"token": "doxcnAbC123dEf456GhI789jKl0", "password": "hunter2"}

    assert mask(value, RULES)[0]["token"] == "[masked: token]"
    assert mask(value, RULES, frozenset({"token", "password"}))[0] == {
        **value,
        "password": "[masked: password]",
    }


def test_every_name_that_the_surface_uses_keeps_its_ids(workspace: Any) -> None:
    """No argument and no output field is masked because of its name where its tool declares it, a password apart."""

    def collect(schema: Any) -> Iterator[str]:
        if isinstance(schema, dict):
            properties = schema.get("properties", {})
            yield from properties if isinstance(properties, dict) else ()
            for inner in schema.values():
                yield from collect(inner)
        elif isinstance(schema, list):
            for inner in schema:
                yield from collect(inner)

    paths = sorted((workspace / "golden/feishu/tools").rglob("*.json"))
    masked = {}
    for path in paths:
        tool = json.loads(path.read_text(encoding="utf-8"))
        names = frozenset(collect([tool["wire"]["inputSchema"], tool["output_schema"]])) - {"password"}
        value = dict.fromkeys(sorted(names), "bascnCMII2ORej2RItqpZZUNMIe")
        found = mask(value, RULES, names)
        if found != (value, ()):
            masked[path.stem] = found[1]

    assert len(paths) > 50
    assert masked == {}


@pytest.mark.parametrize(
    ("name", "strength"),
    [
        ("password", Strength.HARD),
        ("db_password_2", Strength.HARD),
        ("newPassword", Strength.HARD),
        ("X-Api-Key", Strength.HARD),
        ("clientSecret", Strength.HARD),
        ("connectionString", Strength.HARD),
        ("SECRET_KEY_BASE", Strength.HARD),
        ("管理员密码", Strength.HARD),
        ("encrypt_key", Strength.HARD),
        ("token", Strength.SOFT),
        ("upload_token", Strength.SOFT),
        ("session_id", Strength.SOFT),
        ("记账凭证", Strength.SOFT),
        ("page_token", None),
        ("tenant_key", None),
        ("key", None),
        ("instance_code", None),
        ("password_policy", None),
        ("monkey", None),
        ("compass", None),
    ],
)
def test_a_name_says_how_surely_its_value_is_a_secret(name: str, strength: Strength | None) -> None:
    """Hard names hide any value, soft ones only what looks random."""
    assert RULES.strength(name, NOTHING) is strength


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"ghp_" + "a1" * 18: 1}, id="in-a-name"),
        pytest.param({"password": {"value": "hunter2", "type": "text"}}, id="below-a-name"),
        pytest.param({"password": ["hunter2", 4711]}, id="in-a-list"),
        pytest.param({"密码": [{"type": "text", "text": "hunter2"}]}, id="in-rich-text"),
        pytest.param([{"name": "Authorization", "value": "hunter2"}], id="beside-its-name"),
        pytest.param([["X-Api-Key", "hunter2"]], id="in-a-pair"),
        pytest.param({"a": json.dumps({"b": json.dumps({"password": "hunter2"})})}, id="in-json-in-json"),
        pytest.param(
            {"a": json.dumps({"pass": 1, "password": "hunter2"}).replace("password", "pass\\u0077ord")},
            id="behind-an-escape",
        ),
        pytest.param({"a": '{"n":"sk-abcdefghijklmnopqrst","n":1}'}, id="in-a-name-twice"),
        pytest.param({"a": "pass\u200bword: hunter2"}, id="behind-an-invisible-character"),
    ],
)
def test_no_place_hides_a_secret(value: Any) -> None:
    """Names, values, lists, pairs and JSON in texts are all looked at."""
    out = json.dumps(mask(value, RULES)[0])

    assert "hunter2" not in out and "ghp_" not in out and "sk-abc" not in out and "4711" not in out
    assert "[masked: " in out


def test_json_in_a_text_stays_json() -> None:
    """A text that was JSON still is, with everything else in it as it was."""
    text = json.dumps({"n": 1.5, "名": ["a", None], "password": "x" * 9}, ensure_ascii=False)

    out = json.loads(mask({"t": text}, RULES)[0]["t"])

    assert out == {"n": 1.5, "名": ["a", None], "password": "[masked: password]"}


def test_findings_hold_no_value() -> None:
    """Neither a path nor anything else of a finding shows what was masked."""
    secret = "ghp_" + "Zz9" * 12
    _, findings = mask({secret: {"password": secret}, "x" * 500: secret}, RULES)

    assert findings
    assert all("Zz9" not in str(one) and len(one.path) < 200 for one in findings)
    assert findings[0].path.startswith("/")


def test_the_input_is_left_as_it_is() -> None:
    """A caller that keeps the value, for the ledger say, keeps it whole."""
    value = {"a": [{"password": "x"}], "b": "Bearer abcdefgh12345678"}
    before = json.dumps(value)

    mask(value, RULES)

    assert json.dumps(value) == before


@pytest.mark.parametrize("part", PARTS)
def test_masking_twice_changes_nothing(part: str) -> None:
    """A mask is no secret, whatever stands around it."""
    for case in list(secret_cases(PARTS[part][0]))[::7]:
        once, _ = mask(case.value, RULES)
        assert mask(once, RULES) == (once, ()), case.name


@pytest.mark.parametrize("part", PARTS)
def test_the_screen_passes_nothing_that_a_closer_look_would_mask(part: str) -> None:
    """For every text of the corpora in which a rule finds something, a hint matches."""
    hints = Pattern(list(map(loosened, RULES.text_hints)))
    texts = {text for case in secret_cases(PARTS[part][0]) for text in _texts(case.value)}

    assert [text for text in sorted(texts) if RULES.spans(text, NOTHING) and not hints.is_in(text)] == []


@example(words=["验证码", "\n", "abc123!x"], glue="")
@example(words=["验证码", '"', "is", "is"], glue=" ")
@example(words=["password", ".", ":", "password", "password"], glue="")
@given(
    st.lists(
        st.sampled_from(
            [
                "password",
                "token",
                "api_key",
                "secret",
                "key",
                "is",
                "was",
                ":",
                "=",
                ",",
                "->",
                "密码",
                "为",
                "是",
                '"',
                "'",
                "\\",
                "{",
                "}",
                "Bearer",
                "basic",
                "abc123!x",
                "eyJabcdefgh",
                ".",
                "for",
                "the",
                "mailbox",
                "client",
                "session",
                "sig",
                "?",
                "&",
                "#",
                "https://u:p4@h",
                "@",
                "\n",
                "13812345678",
                "验证码",
                "（",
                "）",
                "%3D",
                "conn",
                "string",
            ]
        ),
        max_size=12,
    ),
    st.sampled_from(["", " "]),
)
def test_the_screen_and_the_closer_look_agree_on_any_text(words: list[str], glue: str) -> None:
    """Hints are wider than rules on texts that nobody thought of, too."""
    text = glue.join(words)

    assert not EVERYTHING.spans(text, NOTHING) or _ALL_HINTS.is_in(text)


@given(
    st.lists(
        st.sampled_from(
            [
                "password",
                "Pass",
                "pwd",
                "secret",
                "client",
                "api",
                "Key",
                "token",
                "access",
                "session",
                "id",
                "_",
                "-",
                ".",
                "value",
                "2",
                "密码",
                "otp",
                "connection",
                "String",
                "auth",
                "sig",
            ]
        ),
        min_size=1,
        max_size=4,
    )
)
def test_the_screen_knows_every_name_that_counts(words: list[str]) -> None:
    """A name for which there is a rule is never passed over."""
    name = "".join(words)

    assert RULES.strength(name, NOTHING) is None or _NAME_HINTS.is_in(name)


@settings(deadline=None, max_examples=200)
@given(
    shape=st.sampled_from([one.pattern for one in (*secret_texts._SHAPES, *SHAPES.patterns)]).flatmap(
        lambda pattern: st.from_regex(rf"\A(?:{pattern})\Z")
    ),
    before=st.text(max_size=8),
    after=st.text(max_size=8),
)
def test_the_quick_look_for_shapes_overlooks_none(shape: str, before: str, after: str) -> None:
    """What the backtracking rules would find, the linear look in front of them has seen."""
    text = f"{before}{shape}{after}"
    rules = SecretTexts(secret_names((), ()), (), SHAPES.patterns)

    if rules._shape.search(text) is not None:
        assert rules._any_shape.is_in(text)


@pytest.mark.parametrize("part", ["密码是", "密码（", "token=", "cookie: a=b; "])
def test_values_within_values_are_masked_as_one(part: str) -> None:
    """A text that announces a value at every other character is told apart for so long and no longer."""
    text = part * 20_000 + "Abc12345"

    masked, findings = mask(text, EVERYTHING)

    assert len(masked) < 100
    assert masked.startswith("[masked: ")
    assert len(findings) == 1


def test_many_values_one_after_the_other_are_told_apart() -> None:
    """Length alone is no reason to hide what is around the secrets."""
    text = "user: ann; password: hunter22;\n" * 20_000

    masked, _ = mask(text, EVERYTHING)

    assert masked == "user: ann; password: [masked: password];\n" * 20_000


def test_a_platforms_pattern_is_checked_when_it_is_handed_over() -> None:
    """A pattern that one of the two engines cannot read is refused with its name, before anything is let out."""
    for pattern in ("(unclosed", "(?<=x)y", r"(a)\1"):
        shapes = SecretShapes(patterns=(SecretPattern(rule="odd_one", kind="x", pattern=pattern),))
        with pytest.raises(ValueError, match="odd_one"):
            masking(MaskingPolicy(), (shapes,))


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in _texts(one)]
    return [text for one in value for text in _texts(one)] if isinstance(value, list) else []


_ALL_HINTS = Pattern(list(map(loosened, EVERYTHING.text_hints)))
_NAME_HINTS = Pattern(list(map(loosened, RULES.name_hints)))
