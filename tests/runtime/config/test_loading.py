"""placet.toml: what it comes to, and every fault of a wrong one at once, by line and without a secret."""

import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.config import Config, ConfigInvalid, find_config, load_config, loading
from placet.config.checking import shape_faults
from placet.config.written import ConfigFile
from placet.contract import Identity, Risk, Scopes, Source, Surface, ToolEntry
from placet.contract.masking import Personal, SafetyMode
from placet.contract.platform import Secret

KEY = "k" * 43
BRANDS = {"own": {"east": "https://east.example", "west": "https://west.example"}, "plain": {}}
ENVIRON = {"APP_SECRET": "s3cret-value", "DATABASE": "postgresql://u:pw-1@db/placet", "MODEL_KEY": "sk-1"}

GOOD = """\
locale = "zh"
keys = ["file:placet.key"]

[[tenants]]
app = "cli_a1"
platform = "own"
brand = "east"
secret = "env:APP_SECRET"
identities = ["tenant", "user"]

[[tenants]]
app = "cli_b2"
platform = "plain"
brand = "any"
secret = "file:secrets/b2"
base_url = "HTTPS://API.example.com/v1/"
options = { credential_header = "X-Key" }
secrets = { second_key = "env:MODEL_KEY" }

[policy]
reads = ["notes", "mail.read"]
write_allow = ["notes.update"]
unattended = ["notes.update"]
ceiling = "write"
result_chars = "off"

[approvers]
cli_a1 = ["ou_1"]

[stores]
url = "sqlite:///data/placet.db"
shared = "redis://127.0.0.1:6379/0"

[safety]
mode = "block"
personal = ["phone"]

[models.main]
model = "m-1"
base_url = "https://models.example/v1"
api_key = "env:MODEL_KEY"
"""


def entry(name: str, risk: Risk = Risk.READ, *, sensitive: bool = False) -> ToolEntry:
    return ToolEntry(
        name=name, wire_name=name.replace(".", "_"), domain=name.partition(".")[0], risk=risk, identity=(Identity.TENANT,),
        scopes=Scopes(any_of=("x",)), source=Source(sdk="a.b", http="GET", route="/a"), summary="A tool.",
        target="a:B", digest="0" * 64, sensitive=sensitive,
    )  # fmt: skip


SURFACE = Surface(
    name="notes",
    package="notes_tools",
    platform="own",
    title="Notes",
    tools=(entry("notes.get"), entry("notes.update", Risk.WRITE), entry("mail.read", sensitive=True)),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a key and a tenant's secret, both private."""
    (tmp_path / "secrets").mkdir()
    for name, text in (("placet.key", KEY + "\n"), ("secrets/b2", "b2-secret\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o600)
    return tmp_path


def load(folder: Path, text: str) -> Config:
    path = folder / "placet.toml"
    path.write_text(text, encoding="utf-8")
    return load_config(path, platforms=BRANDS, surfaces=[SURFACE], environ=ENVIRON)


def faults(folder: Path, text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(ConfigInvalid) as caught:
        load(folder, text)
    return [(one.line, one.place, one.message) for one in caught.value.faults]


def test_a_whole_configuration(folder: Path) -> None:
    """Every section arrives, secrets resolved and relative places made absolute."""
    config = load(folder, GOOD)

    assert (config.locale, config.key_bytes()) == ("zh", (KEY.encode(),))
    a1, b2 = config.tenants["cli_a1"], config.tenants["cli_b2"]
    assert (a1.secret.reveal(), a1.identities, a1.base_url) == (
        "s3cret-value",
        (Identity.TENANT, Identity.USER),
        None,
    )
    assert (b2.secret.reveal(), b2.base_url) == ("b2-secret", "https://api.example.com/v1")
    assert (a1.options, b2.options) == ({}, {"credential_header": "X-Key"})
    assert (a1.secrets, b2.secrets) == ({}, {"second_key": Secret("sk-1")})
    assert (config.policy.ceiling, config.policy.result_chars, config.policy.write_allow) == (
        Risk.WRITE,
        None,
        ("notes.update",),
    )
    assert config.stores.url.reveal() == f"sqlite:///{folder.resolve()}/data/placet.db"
    assert config.stores.shared is not None and config.stores.shared.reveal() == "redis://127.0.0.1:6379/0"
    assert (config.safety.mode, config.safety.personal) == (SafetyMode.BLOCK, (Personal.PHONE,))
    assert config.approvers == {"cli_a1": ("ou_1",)}
    model = config.models["main"]
    assert (model.model, model.base_url) == ("m-1", "https://models.example/v1")
    assert model.api_key is not None and model.api_key.reveal() == "sk-1"
    assert config.files_folder == folder.resolve() / "placet-files"


SMALL = """\
keys = ["file:placet.key"]
[[tenants]]
app = "cli_a1"
platform = "own"
brand = "east"
secret = "env:APP_SECRET"
[stores]
url = "sqlite:///placet.db"
"""


def test_what_is_left_out_has_the_safe_value(folder: Path) -> None:
    """No writes, no sensitive reads, the tenant's identity, ten calls, 4,000 characters, warnings on, no proxy."""
    config = load(folder, SMALL)

    policy = config.policy
    assert (policy.reads, policy.write_allow, policy.unattended) == (("*",), (), ())
    assert (policy.ceiling, policy.identities) == (Risk.HIGH_RISK_WRITE, (Identity.TENANT,))
    assert (policy.calls_per_turn, policy.result_chars) == (10, 4000)
    assert (config.safety.mode, config.proxy, config.locale) == (SafetyMode.WARN, None, "en")
    assert not config.doors.mcp.elicitation
    assert config.tenants["cli_a1"].identities == (Identity.TENANT,)


def test_every_fault_at_once_with_its_line(folder: Path) -> None:
    """One run names them all, each where it stands and with the next move."""
    found = faults(
        folder,
        """\
locale = "de"
keys = ["file:missing.key", "plain-secret-1"]
polices = 1

[[tenants]]
app = "cli_a1"
platform = "own"
brand = "est"
secret = "env:UNSET"
identites = ["tenant"]

[[tenants]]
app = "cli_a1"
platform = "onw"
brand = "east"
secret = "plain-secret-2"

[[tenants]]
app = "cli_a1"
platform = "onw"
brand = "east"
secret = "env:APP_SECRET"
base_url = "http://api.example.com"

[policy]
write_allow = [
  "notes.updat",
  "notes.*",
]
unattended = ["mail.read"]
ceiling = "wirte"
calls_per_turn = 0

[stores]
url = "postgresql://user:plain-secret-3@db/placet"
shared = "mysql://x"

[approvers]
cli_a2 = ["ou_1"]

[doors.host]
operator_token = "plain-secret-4"
""",
    )

    assert [(line, place) for line, place, _ in found] == [
        (1, "locale"),
        (2, "keys[0]"),
        (2, "keys[1]"),
        (3, "polices"),
        (8, "tenants[0].brand"),
        (9, "tenants[0].secret"),
        (10, "tenants[0].identites"),
        (13, "tenants[1].app"),
        (14, "tenants[1].platform"),
        (16, "tenants[1].secret"),
        (19, "tenants[2].app"),
        (20, "tenants[2].platform"),
        (23, "tenants[2].base_url"),
        (26, "policy.write_allow"),
        (26, "policy.write_allow"),
        (30, "policy.unattended"),
        (30, "policy.unattended"),
        (31, "policy.ceiling"),
        (32, "policy.calls_per_turn"),
        (35, "stores.url"),
        (36, "stores.shared"),
        (39, "approvers.cli_a2"),
        (42, "doors.host.operator_token"),
    ]
    assert "plain-secret" not in repr(found)
    hints = {place: message for _, place, message in found}
    assert "did you mean 'policy'?" in hints["polices"]
    assert "did you mean 'identities'?" in hints["tenants[0].identites"]
    assert "did you mean 'own'?" in hints["tenants[2].platform"]
    assert "did you mean 'write'?" in hints["policy.ceiling"]


def change(old: str, new: str, text: str = SMALL) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("text", "line", "place", "says"),
    [
        pytest.param(change('keys = ["file:placet.key"]\n', ""), 0, "keys", "placet setup", id="no-key"),
        pytest.param(change('["file:placet.key"]', "[]"), 1, "keys", "empty", id="empty-keys"),
        pytest.param(change("file:placet.key", "file:secrets/b2"), 1, "keys[0]", "32 characters", id="short-key"),
        pytest.param(change('"east"', '"eas"'), 5, "tenants[0].brand", "'east'", id="brand"),
        pytest.param(change('brand = "east"\n', ""), 2, "tenants[0].brand", "missing", id="no-default-brand"),
        pytest.param(change('platform = "own"', 'platform = "plain"'), 2, "tenants[0].base_url", "no hosts", id="no-host"),
        pytest.param(SMALL + SMALL[SMALL.index("[[") : SMALL.index("[stores]")], 10, "tenants[1].app", "tenants[0]", id="app-twice"),
        pytest.param(SMALL + "[policy]\nwrite_allow = ['notes.updat']", 10, "policy.write_allow", "'notes.update'", id="tool"),
        pytest.param(SMALL + "[policy]\nwrite_allow = ['notes.*']", 10, "policy.write_allow", "globs", id="write-glob"),
        pytest.param(SMALL + "[policy]\nunattended = ['notes.update']", 10, "policy.unattended", "write_allow", id="unattended"),
        pytest.param(SMALL + "[policy]\nreads = 'notes'", 10, "policy.reads", "must be a list, not text", id="wrong-type"),
        pytest.param(SMALL + "[budgets]\ndeadline_s = true", 10, "budgets.deadline_s", "a number", id="bool-is-no-number"),
        pytest.param(SMALL + "[budgets]\ndeadline_s = nan", 10, "budgets.deadline_s", "finite", id="not-finite"),
        pytest.param(SMALL + "[budgets]\ndeadline_s = 0", 10, "budgets.deadline_s", "more than 0", id="bound"),
        pytest.param(SMALL + "[files]\nttl_s = 2030-01-01", 10, "files.ttl_s", "a date", id="date"),
        pytest.param(SMALL + "[doors.mcp]\nelicitaton = true", 10, "doors.mcp.elicitaton", "'elicitation'", id="deep-key"),
        pytest.param("budgets = 3\n" + SMALL, 1, "budgets", "a table", id="no-table"),
        pytest.param(change("sqlite:///placet.db", "placet.db"), 8, "stores.url", "sqlite://", id="store"),
        pytest.param(change("sqlite:///placet.db", "redis://h"), 8, "stores.url", "sqlite://", id="redis-is-no-truth"),
        pytest.param(change("sqlite:///placet.db", "postgresql://h/d?password=pw-1"), 8, "stores.url", "password", id="password-option"),
        pytest.param(change("env:APP_SECRET", "keyring:x"), 6, "tenants[0].secret", "keyring", id="keyring-entry"),
        pytest.param(change("env:APP_SECRET", "env:a b"), 6, "tenants[0].secret", "variable", id="variable-name"),
        pytest.param(change('secret = "env:APP_SECRET"', "secret = 12345"), 6, "tenants[0].secret", "a number", id="secret-number"),
        pytest.param(change('secret = "env:APP_SECRET"', 'secret = ["env:A"]'), 6, "tenants[0].secret", "a list", id="secret-list"),
        pytest.param(SMALL + "[a\n", 9, "", "not TOML", id="syntax"),
        pytest.param(SMALL + "url = 'x'\n", 9, "", "not TOML", id="key-twice"),
    ],
)  # fmt: skip
def test_a_fault_says_where_and_what_to_do(folder: Path, text: str, line: int, place: str, says: str) -> None:
    """One fault, one line of text."""
    ((at, where, message),) = faults(folder, text)

    assert (at, where) == (line, place)
    assert says in message and "pw-1" not in message


def test_a_sensitive_read_is_not_on_by_a_glob(folder: Path) -> None:
    """The glob is accepted and simply does not reach it."""
    config = load(folder, SMALL + "[policy]\nreads = ['*']\n")

    assert "mail.read" not in config.policy.reads


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660])
def test_a_key_that_others_can_read_is_refused(folder: Path, mode: int) -> None:
    """The fault names the mode to give, not the key."""
    (folder / "placet.key").chmod(mode)

    ((_, place, message),) = faults(folder, SMALL)
    assert place == "keys[0]" and "0600" in message and KEY not in message


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"\n \n", "empty", id="blank"),
        pytest.param(b"a\nb", "several lines", id="two-lines"),
        pytest.param(b"\xff\xfe", "not text", id="bytes"),
        pytest.param(b"a" * 70_000, "too large", id="huge"),
    ],
)
def test_a_secret_file_holds_one_line(folder: Path, content: bytes, says: str) -> None:
    """What is no secret is not taken for one."""
    (folder / "placet.key").write_bytes(content)

    ((_, _, message),) = faults(folder, SMALL)
    assert says in message


@pytest.mark.skipif(os.name != "posix", reason="pipes are POSIX")
def test_a_secret_is_no_folder_and_no_pipe(folder: Path) -> None:
    """Neither hangs the start."""
    os.mkfifo(folder / "pipe", 0o600)
    for name in ("secrets", "pipe"):
        ((_, place, _),) = faults(folder, change("placet.key", name))
        assert place == "keys[0]"


def test_nothing_shows_a_secret(folder: Path) -> None:
    """A configuration's repr holds none of them, the store's password included."""
    text = change("sqlite:///data/placet.db", "env:DATABASE", GOOD)
    shown = repr(load(folder, text))

    assert not any(secret in shown for secret in ("s3cret-value", "b2-secret", "pw-1", "sk-1", KEY))
    assert load(folder, text).stores.url.reveal() == ENVIRON["DATABASE"]


def test_names_can_be_left_unchecked(folder: Path) -> None:
    """A command that calls no tool needs neither packs nor platforms."""
    path = folder / "placet.toml"
    path.write_text(change('"own"', '"elsewhere"') + "[policy]\nwrite_allow = ['x.y']\n")

    config = load_config(path, platforms=None, surfaces=None, environ=ENVIRON)
    assert config.policy.write_allow == ("x.y",)


@given(text=st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever stands in the file: a configuration or a list of faults."""
    folder = tmp_path_factory.getbasetemp()
    path = folder / "any.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))

    with pytest.raises(ConfigInvalid):
        load_config(path, platforms=BRANDS, surfaces=[SURFACE], environ=ENVIRON)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    section=st.sampled_from(["keys", "tenants", "policy", "stores", "approvers", "models", "doors", "files"]),
    value=VALUES,
)
def test_any_value_of_a_section_is_a_fault_or_taken(
    section: str, value: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A section of any shape raises nothing but faults."""
    written = {**tomllib.loads(SMALL), section: value}
    folder = tmp_path_factory.getbasetemp()
    reading = loading._Reading(folder, ENVIRON, {})
    for place, message in shape_faults(written, ConfigFile):
        reading.note(place, message)
    config = loading._resolved(written, reading, folder / "x", BRANDS, [SURFACE])

    assert config is not None or reading.faults


# Which file


@pytest.mark.parametrize(
    ("option", "variable", "there", "found"),
    [
        pytest.param("o.toml", "v.toml", {"o.toml", "v.toml", "placet.toml"}, "o.toml", id="option"),
        pytest.param(None, "v.toml", {"v.toml", "placet.toml"}, "v.toml", id="variable"),
        pytest.param(None, "", {"placet.toml"}, "placet.toml", id="empty-variable"),
        pytest.param(None, None, {"placet.toml"}, "placet.toml", id="working-directory"),
        pytest.param("o.toml", None, {"placet.toml"}, None, id="a-named-file-is-not-replaced"),
        pytest.param(None, "v.toml", {"placet.toml"}, None, id="nor-one-that-the-variable-names"),
        pytest.param(None, None, set(), None, id="none"),
    ],
)
def test_the_file_is_found_in_this_order(
    tmp_path: Path, option: str | None, variable: str | None, there: set[str], found: str | None
) -> None:
    """--config, PLACET_CONFIG, ./placet.toml."""
    for name in there:
        (tmp_path / name).touch()
    environ = {} if variable is None else {"PLACET_CONFIG": variable}
    named = None if option is None else Path(option)

    if found is None:
        with pytest.raises(ConfigInvalid, match="no such file"):
            find_config(named, environ=environ, cwd=tmp_path)
    else:
        assert find_config(named, environ=environ, cwd=tmp_path) == tmp_path / found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("a = " + "[" * 5000 + "]" * 5000, "nested too deeply", id="deep"),
        pytest.param("a = " + "9" * 5000, "too long", id="long-number"),
        pytest.param("a = " + "[" * 5000, "TOML|deeply", id="deep-and-open"),
        pytest.param('"a\\u001b[31m\\u009b" = 1', r"\\u001b\[31m\\u009b", id="escape-sequence"),
    ],
)
def test_a_hostile_file_is_a_plain_fault(tmp_path: Path, text: str, told: str) -> None:
    """Neither a stack trace nor anything that a terminal would obey."""
    path = tmp_path / "placet.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ConfigInvalid, match=told) as caught:
        load_config(path, platforms=BRANDS, surfaces=None, environ=ENVIRON)
    assert str(caught.value).replace("\n", "").isprintable()


def test_certificates_that_are_missing_are_a_fault_with_its_line(tmp_path: Path) -> None:
    """The start would fail at them, and would not say where they are named."""
    path = tmp_path / "placet.toml"
    path.write_text('locale = "en"\n[transport]\nca_file = "nowhere.pem"\n', encoding="utf-8")

    with pytest.raises(ConfigInvalid) as caught:
        load_config(path, platforms=BRANDS, surfaces=None, environ=ENVIRON)
    assert (3, "transport.ca_file") in [(one.line, one.place) for one in caught.value.faults]
