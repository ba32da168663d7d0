"""What holds for every curation, good or bad: laws of the compiler as a whole."""

import ast
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from placet_generator.compile import Compilation
from placet_generator.curation.loader import SourceFile
from placet_generator.curation.yaml_text import read_yaml
from placet_generator.diagnostics import Code, any_errors
from placet_generator.diagnostics.render import FORMATS, render
from placet_generator.surface_folder import compile_folder
from tests.generator.compiled import WORKSPACE, changed, compile_files, feishu_files, source_files
from tests.generator.emit.emitted import HOSTILE, hostile_texts
from tests.generator.golden_cases import CASES

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
bounded = settings(deadline=None, suppress_health_check=SLOW, max_examples=40)

SURFACE = (CASES / "_base" / "surface.yaml").read_text(encoding="utf-8")
SECTIONS = (CASES / "sections" / "curation.yaml").read_text(encoding="utf-8")
"""Five tools of one domain, without a fault."""


def a_surface(domain: str, **more: str) -> dict[str, str]:
    """Place to text of a small surface with that domain file."""
    return {
        "surface.yaml": SURFACE,
        "domains/sections.yaml": domain,
        "guidance/en/sections.md": "# Sections\n",
        **more,
    }


# Order, hash seed, locale, time zone


@settings(parent=bounded, max_examples=6)
@given(order=st.randoms(use_true_random=False))
def test_output_ignores_the_order_of_files(order: random.Random) -> None:
    """The same files in any order give the same bytes and the same findings."""
    files = list(feishu_files())
    expected = compile_files(files)

    order.shuffle(files)

    assert is_same(compile_files(files), expected)


@settings(parent=bounded, max_examples=6)
@given(order=st.randoms(use_true_random=False))
def test_findings_ignore_the_order_of_files(order: random.Random) -> None:
    """Files with faults in several of them give the same findings in any order."""
    files = [
        SourceFile(one.path, one.place, (one.text or "").replace("risk: write", "risk: wrote", 1))
        for one in feishu_files()
    ]
    expected = compile_files(files)
    assert any_errors(expected.diagnostics)

    order.shuffle(files)

    assert is_same(compile_files(files), expected)


def is_same(one: Compilation, other: Compilation) -> bool:
    return one.files == other.files and one.diagnostics == other.diagnostics


DIGEST = """
import hashlib, sys
from pathlib import Path
from placet_generator.diagnostics.render import render
from placet_generator.surface_folder import compile_folder
compiled = compile_folder(Path(sys.argv[1]), sys.argv[2])
total = hashlib.sha256(render(compiled.diagnostics, "json").encode("utf-8", "surrogatepass"))
for path, text in compiled.files.items():
    total.update(f"{path} {len(text)} {text}".encode())
print(len(compiled.files), total.hexdigest())
"""


def digest_in(root: Path, surface: str, **environment: str) -> str:
    """Number and hash of what a fresh process with that environment makes of a surface."""
    run = subprocess.run(
        [sys.executable, "-c", DIGEST, str(root), surface],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout


def test_output_ignores_the_environment() -> None:
    """Hash seed, locale, encoding and time zone change no byte of the real surface."""
    plain = digest_in(WORKSPACE, "feishu", PYTHONHASHSEED="0", TZ="UTC", LC_ALL="C.UTF-8")
    other = digest_in(
        WORKSPACE,
        "feishu",
        PYTHONHASHSEED="12345",
        TZ="Asia/Kathmandu",
        LC_ALL="C",
        LANG="tr_TR",
        PYTHONUTF8="0",
    )

    assert int(plain.split()[0]) > 100
    assert plain == other


def test_findings_ignore_the_environment(tmp_path: Path) -> None:
    """Hash seed and locale change no finding of a surface full of faults."""
    write_files(
        tmp_path / "curation/demo",
        a_surface(planted(SECTIONS, FAULTS), **{"witness/endpoints.jsonl": WITNESS}),
    )

    digests = {
        digest_in(tmp_path, "demo", PYTHONHASHSEED=seed, LC_ALL=locale)
        for seed, locale in (("1", "C"), ("77", "C.UTF-8"))
    }

    assert len(digests) == 1


WITNESS = (CASES / "_base" / "witness.jsonl").read_text(encoding="utf-8")


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    for place, text in texts.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


# All faults together

FAULTS = [
    ("summary: Add a section to a task list.", "sumary: Add a section to a task list.", Code.KEY_UNKNOWN),
    ("risk: high-risk-write", "risk: write", Code.RISK_BELOW_WITNESS),
    ("    output: {name: section.name}", "    output: {name: section.nam}", Code.OUTPUT_PATH),
    ("to: query.resource_id", "to: query.resource", Code.SLOT_UNKNOWN),
    ("compare: {name: name}", "compare: {name: section.guid}", Code.BEFORE_INVALID),
]
"""A fault in each of the five tools: what is there, what is written instead, and the one finding that follows."""


def planted(text: str, faults: list[tuple[str, str, Code]]) -> str:
    for right, wrong, _ in faults:
        assert text.count(right) == 1, right
        text = text.replace(right, wrong)
    return text


@bounded
@given(faults=st.lists(st.sampled_from(FAULTS), unique=True))
def test_every_fault_is_reported_once(faults: list[tuple[str, str, Code]]) -> None:
    """A file with any number of faults gives as many findings, one for each, in one run."""
    compiled = compile_files(source_files(a_surface(planted(SECTIONS, faults))))

    assert sorted(one.code for one in compiled.diagnostics) == sorted(code for _, _, code in faults)
    assert bool(compiled.files) is not bool(faults)


def test_faults_of_every_file_are_reported_together() -> None:
    """A fault in the surface's list, in a domain, in a translation and on a page: all in one run."""
    texts = a_surface(
        SECTIONS.replace("sections.get_section", "sections.get_sections"),
        **{
            "domains/lists.yaml": "domain: lists\ntitle: [Lists\n",
            "guidance/en/sections.md": "See sections.nothing.\n",
        },
    )
    texts["surface.yaml"] += "presets: {default: [sections.none]}\n"

    found = compile_files(source_files(texts)).diagnostics

    assert [(one.code, one.span.path.rpartition("/")[2]) for one in found] == [
        (Code.YAML_UNREADABLE, "lists.yaml"),
        (Code.BEFORE_INVALID, "sections.yaml"),
        (Code.TOOL_DANGLING, "sections.md"),
        (Code.TOOL_DANGLING, "surface.yaml"),
    ]


SLIPS = [
    pytest.param(
        "bitable",
        "  update_record:",
        "route:",
        "/records/:record_id",
        "/record/:record_id",
        Code.ROUTE_DIFFERS,
        id="route",
    ),
    pytest.param(
        "bitable", "  record_id:", "to:", "path.record_id", "path.record", Code.SLOT_UNKNOWN, id="slot"
    ),
    pytest.param(
        "bitable", "  delete_record:", "risk:", "high-risk-write", "write", Code.RISK_DELETE, id="risk"
    ),
    pytest.param(
        "approval",
        "  create_instance:",
        "identity:",
        "[tenant]",
        "[tenant, user]",
        Code.IDENTITY_NOT_SUBSET,
        id="identity",
    ),
    pytest.param("bitable", "  table_id:", "obtain:", ".table_id", ".id", Code.OBTAIN_DANGLING, id="obtain"),
]


@pytest.mark.parametrize(("domain", "entry", "key", "right", "wrong", "code"), SLIPS)
def test_a_slip_in_the_real_curation_is_one_line(
    domain: str, entry: str, key: str, right: str, wrong: str, code: Code
) -> None:
    """One wrong value is one finding, on its line, however many tools share what was edited."""
    place = f"domains/{domain}.yaml"
    lines = (next(one.text for one in feishu_files() if str(one.place) == place) or "").split("\n")
    number = next(at for at in range(lines.index(entry), len(lines)) if lines[at].lstrip().startswith(key))
    assert right in lines[number]
    lines[number] = lines[number].replace(right, wrong)

    found = [
        one
        for one in compile_files(changed(feishu_files(), place, "\n".join(lines))).diagnostics
        if any_errors([one])
    ]

    assert [(one.code, one.span.path, one.span.line) for one in found] == [
        (code, f"curation/feishu/{place}", number + 1)
    ]


# Nothing is written when there is an error


def test_nothing_is_written_when_there_is_an_error(tmp_path: Path) -> None:
    """A build with one fault leaves no file behind, and a good build's files as they were."""
    folder = tmp_path / "curation/demo"
    write_files(folder, a_surface(SECTIONS, **{"witness/endpoints.jsonl": WITNESS}))
    assert placet_build(tmp_path) == 0
    good = content_below(tmp_path)

    write_files(folder, {"domains/sections.yaml": planted(SECTIONS, FAULTS[:1])})
    assert placet_build(tmp_path) == 1
    left = content_below(tmp_path)
    for name in ("generated", "golden"):
        shutil.rmtree(tmp_path / name)
    assert placet_build(tmp_path) == 1

    assert left == good
    assert content_below(tmp_path) == {}


def placet_build(root: Path) -> int:
    """Exit code of `placet build`."""
    command = [str(Path(sys.executable).with_name("placet")), "build"]
    return subprocess.run(command, cwd=root, capture_output=True, check=False).returncode


def content_below(root: Path) -> dict[str, str]:
    """Path to hash of every output."""
    return {
        str(one.relative_to(root)): hashlib.sha256(one.read_bytes()).hexdigest()
        for name in ("generated", "golden")
        for one in sorted((root / name).rglob("*"))
        if one.is_file()
    }


# Garbage

NASTY = [
    *HOSTILE,
    "\ud800",
    "\x00",
    "&a",
    "*a",
    "!!python/object:os.system",
    "<<: {}",
    "---\n",
    "? ",
    "- ",
    ": ",
    "[" * 60,
    "{" * 60,
    "%YAML 1.1\n",
    "~",
    "0x",
    ".inf",
    "1e999",
    "9" * 40,
    "on",
    "null",
]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(NASTY)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=8) | st.sampled_from(["to", "type", "sdk", "fields", "shape", "from"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


def places_of(*kinds: str) -> list[str]:
    return [str(one.place) for one in feishu_files() if one.place.parts[0] in kinds]


def check_sound(compiled: Compilation, files: tuple[SourceFile, ...] = ()) -> None:
    """Files or errors, never both; findings that point into the files and can be printed in every form."""
    assert bool(compiled.files) is not any_errors(compiled.diagnostics)
    lengths = {one.path: len((one.text or "").splitlines()) + 1 for one in files}
    for one in compiled.diagnostics:
        assert one.message and "Traceback" not in one.message
        assert one.span.line <= lengths.get(one.span.path, sys.maxsize)
    for form in FORMATS:
        render(compiled.diagnostics, form).encode("utf-8")


@st.composite
def mutated_lines(draw: st.DrawFn, *kinds: str) -> tuple[str, str]:
    """A file of the real curation, by its place, cut, doubled, shuffled or spoiled at some of its lines."""
    place = draw(st.sampled_from(places_of(*kinds)))
    text = next(one.text for one in feishu_files() if str(one.place) == place) or ""
    lines = text.split("\n")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["delete", "double", "swap", "cut", "value", "insert", "indent"])):
            case "delete":
                del lines[at : at + draw(st.integers(1, 3))]
            case "double":
                lines.insert(at, lines[at])
            case "swap":
                other = draw(st.integers(0, len(lines) - 1))
                lines[at], lines[other] = lines[other], lines[at]
            case "cut":
                del lines[at + 1 :]
            case "value":
                key = lines[at].partition(":")[0]
                lines[at] = f"{key}: {draw(st.sampled_from(NASTY) | st.text(max_size=12))}"
            case "insert":
                column = draw(st.integers(0, len(lines[at])))
                nasty = draw(st.sampled_from(NASTY) | st.characters())
                lines[at] = lines[at][:column] + nasty + lines[at][column:]
            case _:
                lines[at] = " " * draw(st.integers(0, 9)) + lines[at].lstrip()
        lines = lines or [""]
    return place, "\n".join(lines)


@st.composite
def mutated_values(draw: st.DrawFn, *kinds: str) -> tuple[str, str]:
    """A file of the real curation, by its place, with values of any type or from elsewhere at some of its paths."""
    place = draw(st.sampled_from(places_of(*kinds)))
    text = next(one.text for one in feishu_files() if str(one.place) == place) or ""
    document, _ = read_yaml(text, place)
    assert document is not None
    value = json.loads(json.dumps(document.value))
    for _ in range(draw(st.integers(1, 3))):
        holders = list(holders_in(value))
        holder, key = draw(st.sampled_from(holders))
        how = draw(st.sampled_from(["any", "other", "other", "rename"]))
        if how == "any":
            holder[key] = draw(VALUES)
        elif how == "other":
            source, origin = draw(st.sampled_from([one for one in holders if one[1] == key] or holders))
            holder[key] = json.loads(json.dumps(source[origin]))
        elif isinstance(holder, dict):
            holder[draw(st.sampled_from(NASTY) | st.text(max_size=8))] = holder.pop(key)
    return place, json.dumps(value, ensure_ascii=draw(st.booleans()))


def holders_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every mapping and list below a value, with each of its keys."""
    keys: Any = (
        value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in list(keys):
        yield value, key
        yield from holders_in(value[key])


@settings(parent=bounded, max_examples=60)
@given(spoiled_file=mutated_lines("surface.yaml", "domains", "locales", "guidance"))
def test_spoiled_lines_give_findings(spoiled_file: tuple[str, str]) -> None:
    """Whatever happens to lines of a curation file, the compiler answers with files or with findings."""
    files = changed(feishu_files(), *spoiled_file)

    check_sound(compile_files(files), files)


@settings(parent=bounded, max_examples=60)
@given(spoiled_file=mutated_values("surface.yaml", "domains", "locales"))
def test_spoiled_values_give_findings(spoiled_file: tuple[str, str]) -> None:
    """Whatever value stands at whatever place, the compiler answers with files or with findings."""
    files = changed(feishu_files(), *spoiled_file)

    check_sound(compile_files(files), files)


@settings(parent=bounded, max_examples=40)
@given(text=st.text(max_size=40) | st.lists(st.sampled_from(NASTY), max_size=6).map("".join))
@example(text="[" * 5000)
@example(text="{a: " * 3000)
@example(text="- " * 3000)
@example(text="a: &a [*a, *a]")
@example(text="\ufeff")
@example(text="domain: sections\ntitle: T\ntools: {a: {b: " + "[" * 39 + "]" * 39 + "}}")
def test_garbage_gives_findings(text: str) -> None:
    """A domain file of any text gives findings."""
    check_sound(compile_files(source_files(a_surface(text))))


@pytest.fixture(scope="module")
def small_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A surface on disk whose files a test spoils one after the other."""
    root = tmp_path_factory.mktemp("spoiled")
    write_files(root / "curation/demo", on_disk())
    return root


def on_disk() -> dict[str, str]:
    surface = SURFACE + "locales: [zh]\nsupplements: [extra]\n"
    extra = (CASES / "supplement" / "supplement.yaml").read_text(encoding="utf-8")
    case = CASES / "locale"
    return {
        "surface.yaml": surface,
        "domains/sections.yaml": (case / "curation.yaml").read_text(encoding="utf-8"),
        "locales/zh/sections.yaml": (case / "zh.yaml").read_text(encoding="utf-8"),
        "guidance/en/sections.md": "# Sections\n",
        "guidance/zh/sections.md": "# 分组\n",
        "supplement/extra.yaml": extra,
        "witness/endpoints.jsonl": WITNESS,
    }


def spoiled(content: bytes, at: int, junk: bytes, cut: int) -> bytes:
    at %= len(content) + 1
    return content[:at] + junk + content[at + cut :]


@settings(parent=bounded, max_examples=60)
@given(
    place=st.sampled_from(sorted(on_disk())),
    at=st.integers(0, 5000),
    junk=st.binary(max_size=4) | st.sampled_from(NASTY).map(lambda one: one.encode("utf-8", "surrogatepass")),
    cut=st.integers(0, 40),
)
@example(place="surface.yaml", at=0, junk=b"", cut=5000)
@example(place="witness/endpoints.jsonl", at=0, junk=b"\xff", cut=0)
def test_spoiled_bytes_give_findings(small_folder: Path, place: str, at: int, junk: bytes, cut: int) -> None:
    """Bytes put into or cut out of any file of a surface on disk give files or findings."""
    path = small_folder / "curation/demo" / place
    content = path.read_bytes()
    try:
        path.write_bytes(spoiled(content, at, junk, cut))
        check_sound(compile_folder(small_folder, "demo"))
    finally:
        path.write_bytes(content)


# Hostile text stays text


def every_text(text: str) -> dict[str, str]:
    """A surface in which every text that a curator writes is that one."""
    document, _ = read_yaml(SECTIONS, "sections.yaml")
    assert document is not None
    domain = document.value
    domain["title"] = text
    domain["shapes"] = {
        "note": {
            "codec": "docx.blocks",
            "about": text,
            "fields": {"text": {"type": "string", "about": text, "example": text}},
        }
    }
    for tool in domain["tools"].values():
        tool |= {
            "summary": text,
            "use_when": text,
            "avoid_when": text,
            "keywords": [text],
            "because": text,
            "errors": {"1": text},
        }
        for parameter in tool["parameters"].values():
            parameter["about"] = text
    domain["tools"]["create_section"]["parameters"]["name"] |= {"example": text, "because": text}
    domain["tools"]["create_section"]["parameters"]["note"] = {
        "to": "body.insert_after",
        "shape": "note",
        "about": text,
    }
    domain["tools"]["get_section"]["output"] = {"name": {"from": "section.name", "about": text}}
    domain["tools"]["list_sections"]["fixed"] = {"query.resource_type": text}
    domain["tools"]["rename_section"]["before"] = {"because": text}
    translated = only_texts(domain, text)
    budgets = "budgets: {tool_bytes: 90000, mean_bytes: 90000, description_chars: 9000, locale_ratio: 9}\n"
    surface = re.sub(r"(?m)^budgets: .*\n", "", SURFACE).replace(
        "title: A small surface", f"title: {as_yaml(text)}"
    )
    return {
        "surface.yaml": surface + budgets + "locales: [zh]\n",
        "domains/sections.yaml": as_yaml(domain),
        "locales/zh/sections.yaml": as_yaml(translated),
        "guidance/en/sections.md": f"# Sections\n\n{text}\n",
        "guidance/zh/sections.md": f"# Sections\n\n{text}\n",
    }


def as_yaml(value: Any) -> str:
    """A value as YAML on one line, every odd character of a text escaped."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{as_yaml(key)}: {as_yaml(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(as_yaml, value))}]"
    if not isinstance(value, str):
        return json.dumps(value)
    plain = (one if " " <= one <= "~" and one not in '"\\' else f"\\U{ord(one):08x}" for one in value)
    return f'"{"".join(plain)}"'


TEXTS = ("title", "summary", "use_when", "avoid_when", "about", "errors")


def only_texts(value: Any, text: str) -> Any:
    """The overlay of a domain file's value: its texts, and what leads to them."""
    found = {}
    for key, inner in value.items():
        if key in TEXTS:
            found[key] = inner
        elif isinstance(inner, dict) and key != "before" and (below := only_texts(inner, text)):
            found[key] = below
    return found


def shape_of(source: str) -> str:
    """The syntax of a module with every text blanked; parts of a long text count as one."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


def compiled_with(text: str) -> Mapping[str, str]:
    compiled = compile_files(source_files(every_text(text)))
    assert not any_errors(compiled.diagnostics), render(compiled.diagnostics, "text")
    return compiled.files


@settings(parent=bounded, max_examples=30)
@given(text=hostile_texts.map(lambda one: f"a{one}b"))
@example(text='a"""b')
@example(text="a\\")
@example(text='{{ x }}{% raw %}"')
@example(text="a | b\n| c |\n<script>alert(1)</script>")
@example(text="\u202egnirts\u2066\u200b")
def test_hostile_text_changes_no_code(text: str) -> None:
    """Modules have the syntax they have for a harmless text, whatever the texts hold."""
    plain, hostile = compiled_with("A text."), compiled_with(text)

    assert plain.keys() == hostile.keys()
    for path, source in hostile.items():
        if path.endswith(".py"):
            assert shape_of(source) == shape_of(plain[path]), path


@settings(parent=bounded, max_examples=30)
@given(text=hostile_texts.map(lambda one: f"a{one}b"))
@example(text='a"""\\u0000\u2028</script>b')
def test_hostile_text_arrives_as_it_was_written(text: str) -> None:
    """Wire definitions hold the very text, in both languages."""
    files = compiled_with(text)

    record = json.loads(files["golden/demo/tools/sections/get_section.json"])
    for wire in (record["wire"], record["wire_zh"]):
        assert wire["description"].startswith(text)
        assert wire["inputSchema"]["properties"]["section_guid"]["description"] == text
    assert record["errors"]["en"] == {"1": text}
    assert record["output_schema"]["properties"]["name"]["description"] == text


@settings(parent=bounded, max_examples=30)
@given(text=hostile_texts.map(lambda one: f"a{one}b"))
@example(text="a | b\n| c |\n<script>")
@example(text="a\\")
def test_hostile_text_breaks_no_table(text: str) -> None:
    """Markdown tables keep their rows and columns, and no markup enters a cell."""
    plain, hostile = compiled_with("A text."), compiled_with(text)

    for path in ("SKILL.md", "references/tools.md"):
        name = f"generated/src/demo_tools/skills/demo-sections/{path}"
        assert columns(hostile[name]) == columns(plain[name])
    page = hostile["generated/src/demo_tools/skills/demo-sections/references/tools.md"]
    assert "<script" not in page


def columns(page: str) -> list[int]:
    """Number of cells of each row of each table, a guidance text aside."""
    rows = [
        line
        for line in page.split("\n")
        if line.startswith(("| `", "| tool", "| argument", "| answer", "|---"))
    ]
    return [len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) - 1 for row in rows]
