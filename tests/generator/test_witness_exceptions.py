"""The witness against the SDK: a mistake fails, its named exception lets it pass, and does not outlive it."""

import re

import pytest

from placet_generator.diagnostics import Code, any_errors
from tests.generator.compiled import compile_files, source_files

REMINDER = """\
    source: {sdk: task.v1.task_reminder.create, http: POST, route: "/open-apis/task/v1/tasks/:task_id/reminders"}
    risk: write
    identity: [tenant]
    scopes: {any_of: ["task:task:writeonly"]}
    parameters:
      task_id: {to: path.task_id, about: The task., obtain: person}
      minutes: {to: body.relative_fire_minute, required: true}
    idempotency: ledger
"""
READ_ONLY = ("idempotency:", "  id: {to: body.id, obtain: person}\n    idempotency:")

CHAT = """\
    source: {sdk: im.v1.chat.create, http: POST, route: /open-apis/im/v1/chats}
    risk: write
    identity: [tenant]
    scopes: {any_of: ["im:chat"]}
    parameters:
      name: {to: body.name}
    idempotency: {native: query.uuid, form: uuid4}
"""
OTHER_TOKEN = ("identity: [tenant]", "identity: [tenant, user]")

FILE = """\
    source: {sdk: im.v1.file.get, http: GET, route: "/open-apis/im/v1/files/:file_key"}
    risk: read
    identity: [tenant]
    parameters:
      file_key: {to: path.file_key, about: The file., obtain: person}
    output: {file: $bytes}
"""

LINK = """\
    source: {sdk: im.v1.chat.link, http: POST, route: "/open-apis/im/v1/chats/:chat_id/link"}
    risk: write
    identity: [tenant]
    scopes: {any_of: ["im:chat"]}
    parameters:
      chat_id: {to: path.chat_id, about: The chat., obtain: person}
      valid: {to: body.validity_period, enum: [week, year]}
    idempotency: ledger
"""
UNKNOWN_VALUE = ("[week, year]", "[week, month]")

TOKENS = '[{check: tokens, at: tokens, value: tenant, because: "Tried in March 2026."}]'

MISTAKES = [
    pytest.param(REMINDER, READ_ONLY, Code.WITNESS_READ_ONLY, None, id="a-read-only-body-field"),
    pytest.param(CHAT, OTHER_TOKEN, Code.WITNESS_TOKENS, None, id="a-token-kind-that-another-source-denies"),
    pytest.param(FILE, OTHER_TOKEN, Code.IDENTITY_NOT_SUBSET, TOKENS, id="a-token-kind-that-the-SDK-denies"),
    pytest.param(LINK, UNKNOWN_VALUE, Code.WITNESS_ENUM, None, id="an-enum-value-the-platform-does-not-know"),
]


def found_in(tool: str, exceptions: str = "") -> list[tuple[Code, str]]:
    """Code and hint of every error when a surface has that one tool, with those exceptions."""
    written = f"    exceptions: {exceptions}\n" if exceptions else ""
    domain = f"domain: demo\ntitle: Demo\ntools:\n  do_it:\n    summary: Does it.\n{tool}{written}"
    surface = (
        "surface: demo\ntitle: Demo\npackage: demo_tools\nplatform: feishu\n"
        "catalogue: {provider: lark, distribution: lark-oapi}\nwitness: witness\n"
    )
    texts = {"surface.yaml": surface, "domains/demo.yaml": domain, "guidance/en/demo.md": "# Demo\n"}
    compiled = compile_files(source_files(texts))
    assert bool(compiled.files) is not any_errors(compiled.diagnostics)
    return [(one.code, one.hint) for one in compiled.diagnostics if any_errors([one])]


def offered_exception(hint: str) -> str:
    """The exception that a finding offers, with a reason."""
    offered = re.search(r"`exceptions: (\[.*\])`", hint)
    assert offered is not None, hint
    return offered[1].replace("because: ...", 'because: "Tried in March 2026."')


@pytest.mark.parametrize(("tool", "mistake", "code", "exception"), MISTAKES)
def test_a_mistake_fails_until_it_is_excused(
    tool: str, mistake: tuple[str, str], code: Code, exception: str | None
) -> None:
    """Exposing what the witness speaks against is one error; the exception it offers makes the build pass."""
    wrong = tool.replace(*mistake)

    (found,) = found_in(wrong)

    assert found_in(tool) == []
    assert found[0] is code
    assert found_in(wrong, exception or offered_exception(found[1])) == []


@pytest.mark.parametrize(("tool", "mistake", "code", "exception"), MISTAKES)
def test_an_exception_does_not_outlive_its_mistake(
    tool: str, mistake: tuple[str, str], code: Code, exception: str | None
) -> None:
    """When the mistake is removed, the exception left behind is the error."""
    (found,) = found_in(tool.replace(*mistake))

    left = found_in(tool, exception or offered_exception(found[1]))

    assert [code for code, _ in left] == [Code.EXCEPTION_UNUSED]
