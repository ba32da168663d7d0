"""Which files a surface has, and what each change touches."""

import ast
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from placet.contract import Scopes
from placet_generator.emit import emit_surface
from placet_generator.ir import DomainIR, Limits, SurfaceIR, ToolIR
from tests.generator.emit.emitted import HOSTILE, hostile_texts
from tests.generator.emit.sample import member, output, sample_surface, surface_with, tool

PACKAGE = "generated/src/placet_feishu"
FILES = emit_surface(sample_surface())


def changed(one: SurfaceIR, name: str, change: Callable[[ToolIR], ToolIR]) -> SurfaceIR:
    """The surface with one tool changed."""
    domains = tuple(
        replace(domain, tools=tuple(change(tool) if tool.name == name else tool for tool in domain.tools))
        for domain in one.domains
    )
    return replace(one, domains=domains)


def touched(after: SurfaceIR) -> set[str]:
    """Paths that differ from the sample's."""
    files = emit_surface(after)
    return {path for path in files.keys() | FILES.keys() if files.get(path) != FILES.get(path)}


def test_every_kind_of_file_is_there() -> None:
    """The package, its data, its skills and the golden files."""
    assert {path for path in FILES if "bitable" in path or path.count("/") < 4} == {
        f"{PACKAGE}/__init__.py",
        f"{PACKAGE}/py.typed",
        f"{PACKAGE}/bitable/__init__.py",
        f"{PACKAGE}/bitable/_list.py",
        f"{PACKAGE}/bitable/_query_records.py",
        f"{PACKAGE}/bitable/_shapes.py",
        f"{PACKAGE}/bitable/_update_record.py",
        f"{PACKAGE}/guidance/en/bitable.md",
        f"{PACKAGE}/guidance/en/bitable/filters.md",
        f"{PACKAGE}/guidance/zh/bitable.md",
        f"{PACKAGE}/guidance/zh/bitable/filters.md",
        f"{PACKAGE}/index/bitable.py",
        f"{PACKAGE}/schemas/bitable.json",
        f"{PACKAGE}/skills/feishu-bitable/SKILL.md",
        f"{PACKAGE}/skills/feishu-bitable/references/filters.md",
        f"{PACKAGE}/skills/feishu-bitable/references/tools.md",
        "golden/feishu/manifest.tsv",
        "golden/feishu/sdk.pin.json",
        "golden/feishu/tools/bitable/list.json",
        "golden/feishu/tools/bitable/query_records.json",
        "golden/feishu/tools/bitable/update_record.json",
    }


@given(st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_files_do_not_depend_on_the_order_of_what_was_read(shuffle: random.Random) -> None:
    """Domains, tools, shapes, topics and mappings may come in any order."""
    assert emit_surface(shuffled(sample_surface(), shuffle)) == FILES


def shuffled(surface: SurfaceIR, source: random.Random) -> SurfaceIR:
    """The same surface, read in another order."""

    def mixed(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(source.sample(values, len(values)))

    def turned(mapping: Any) -> dict[str, Any]:
        return dict(source.sample(list(mapping.items()), len(mapping)))

    def tool_of(one: ToolIR) -> ToolIR:
        binding = replace_struct(
            one.binding, fixed=turned(one.binding.fixed), context=turned(one.binding.context)
        )
        return replace(one, summary=turned(one.summary), errors=turned(one.errors), binding=binding)

    def domain_of(one: DomainIR) -> DomainIR:
        tools = tuple(map(tool_of, mixed(one.tools)))
        return replace(one, tools=tools, shapes=mixed(one.shapes), guidance=mixed(one.guidance))

    return replace(
        surface,
        domains=tuple(map(domain_of, mixed(surface.domains))),
        presets=turned(surface.presets),
        sdk_files=turned(surface.sdk_files),
        signatures=turned(surface.signatures),
    )


def replace_struct(value: Any, **changes: Any) -> Any:
    return type(value)(**{name: getattr(value, name) for name in value.__struct_fields__} | changes)


PRINT_DIGEST = (
    "from placet.contract import sha256_of\n"
    "from placet_generator.emit import emit_surface\n"
    "from tests.generator.emit.sample import sample_surface\n"
    "print(sha256_of(emit_surface(sample_surface())))\n"
)


def test_files_do_not_depend_on_the_environment() -> None:
    """Hash seed, locale and time zone change no byte."""
    environments = [
        {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
        {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Shanghai", "PYTHONUTF8": "0"},
    ]
    found = {
        subprocess.run(
            [sys.executable, "-c", PRINT_DIGEST],
            env={**os.environ, **environment, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for environment in environments
    }
    assert len(found) == 1


def test_a_summary_touches_its_domain_only() -> None:
    """The tool's module and golden file, its line in manifest, index, schemas and skill."""
    after = changed(
        sample_surface(),
        "bitable.list",
        lambda one: replace(one, summary={**one.summary, "en": "Another text."}),
    )

    assert touched(after) == {
        f"{PACKAGE}/bitable/_list.py",
        f"{PACKAGE}/index/bitable.py",
        f"{PACKAGE}/schemas/bitable.json",
        f"{PACKAGE}/skills/feishu-bitable/SKILL.md",
        f"{PACKAGE}/skills/feishu-bitable/references/tools.md",
        "golden/feishu/manifest.tsv",
        "golden/feishu/tools/bitable/list.json",
    }


@pytest.mark.parametrize(
    ("change", "contract", "texts"),
    [
        pytest.param({"summary": {"en": "New.", "zh": "新。"}}, False, True, id="summary"),
        pytest.param({"summary": {"en": "Do list.", "zh": "新。"}}, False, True, id="chinese-summary"),
        pytest.param({"params": (member("x"),)}, True, False, id="parameter-without-text"),
        pytest.param({"keywords": ("new",)}, False, True, id="keywords"),
        pytest.param({"errors": {"1": {"en": "New."}}}, False, True, id="errors"),
        pytest.param({"scopes": Scopes(any_of=("new",))}, True, False, id="scopes"),
        pytest.param({"identity": ()}, True, False, id="identity"),
        pytest.param({"sensitive": True}, True, False, id="sensitive"),
        pytest.param({"output": (output("x"),)}, True, False, id="output-without-text"),
        pytest.param({"output": (output("list", about="New."),)}, True, True, id="output-with-text"),
    ],
)
def test_the_two_digests_split_contract_and_texts(
    change: dict[str, Any], contract: bool, texts: bool
) -> None:
    """`digest` moves with what a call does, `text_digest` with what anybody reads."""

    def digests(one: ToolIR) -> tuple[str, str]:
        line = emit_surface(surface_with(one))["golden/feishu/manifest.tsv"].splitlines()[1]
        return line.split("\t")[9], line.split("\t")[10]

    before, after = digests(tool("im.list")), digests(replace(tool("im.list"), **change))

    assert (before[0] != after[0], before[1] != after[1]) == (contract, texts)


def test_the_manifest_has_one_line_a_tool() -> None:
    """Header, order, lists by comma, `-` for nothing, a routine's first call."""
    header, *rows = (line.split("\t") for line in FILES["golden/feishu/manifest.tsv"].splitlines())

    assert header == [
        "name",
        "wire_name",
        "risk",
        "identity",
        "scopes",
        "sdk",
        "http",
        "route",
        "idempotency",
        "digest",
        "text_digest",
    ]
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    by_name = {row[0]: row for row in rows}
    assert len(by_name) == 7
    assert by_name["bitable.update_record"][1:5] == [
        "bitable_update_record",
        "write",
        "tenant,user",
        "base:record:update,bitable:app,base:a+base:b",
    ]
    assert by_name["im.upload_file"][5:9] == [
        "drive.v1.file.upload_all",
        "POST",
        "/open-apis/drive/v1/all",
        "ledger",
    ]
    assert by_name["im.guidance"][3:9] == ["-", "-", "-", "-", "-", "-"]


def test_a_golden_file_has_all_of_a_tool() -> None:
    """What a model gets in each language, what leaves, and what the gate reads."""
    record = json.loads(FILES["golden/feishu/tools/bitable/update_record.json"])

    assert list(record) == [
        "name",
        "aliases",
        "risk",
        "identity",
        "scopes",
        "sensitive",
        "idempotency",
        "digest",
        "text_digest",
        "obtain",
        "wire",
        "wire_zh",
        "output_schema",
        "errors",
        "binding",
    ]
    assert record["wire"]["name"] == "bitable_update_record"
    assert record["errors"]["en"] == {"1254045": "No such field. Call bitable_query_records."}
    assert record["binding"]["calls"][0]["http"] == "PUT"


def test_schemas_have_one_tool_a_line() -> None:
    """A diff shows which tool changed."""
    text = FILES[f"{PACKAGE}/schemas/bitable.json"]

    assert text.count("\n") == len(json.loads(text)) + 2
    assert set(json.loads(text)["list"]) == {"wire", "wire_zh", "output_schema", "errors"}


def test_the_pin_names_what_was_read() -> None:
    """Version, files and the methods that are used, each by name."""
    pin = json.loads(FILES["golden/feishu/sdk.pin.json"])

    assert pin["sdk"] == "lark-oapi 1.7.5"
    assert list(pin["files"]) == ["a.py", "b.py"]
    assert list(pin["methods"]) == ["im.v1.message.create"]


def test_guidance_is_copied_as_written() -> None:
    """The runtime serves the curator's bytes."""
    assert FILES[f"{PACKAGE}/guidance/zh/bitable/filters.md"] == "筛选的写法。\n"


@pytest.mark.parametrize(
    "surface",
    [
        pytest.param(replace(sample_surface(), package="../x"), id="package"),
        pytest.param(replace(sample_surface(), name="../x"), id="name"),
        pytest.param(surface_with(tool("im.../x")), id="tool"),
    ],
)
def test_a_path_cannot_leave_the_repository(surface: SurfaceIR) -> None:
    """A name with `..` in it stops the build."""
    with pytest.raises(ValueError, match="cannot be part of a path"):
        emit_surface(surface)


def hostile_surface(text: str) -> SurfaceIR:
    """A surface with the text in every place that a curator fills with prose."""
    texts = {"en": text, "zh": text}
    one = tool(
        "im.one",
        summary=texts,
        use_when=texts,
        avoid_when=texts,
        keywords=(text,),
        params=(
            replace(member("a", limits=Limits(enum=(text,)), default=text, example=[text]), about=texts),
            replace(member("b"), about=texts),
        ),
        output=(replace(output("c"), about=texts),),
        errors={"1": texts},
    )
    surface = surface_with(one)
    domain = replace(surface.domains[0], title=texts, path=text)
    return replace(surface, domains=(domain,), title=text, presets={text: (text,)})


def outline(source: str) -> str:
    """A module's tree without its texts."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


BENIGN = emit_surface(hostile_surface("plain"))


def assert_inert(text: str) -> None:
    """The text changes no tree, no shape of JSON, no rows of Markdown, no front matter."""
    files = emit_surface(hostile_surface(text))
    assert files.keys() == BENIGN.keys()
    for path, source in files.items():
        source.encode()
        if path.endswith(".py"):
            assert outline(source) == outline(BENIGN[path]), path
            compile(source, path, "exec")
        elif path.endswith(".json"):
            assert json.loads(source).keys() == json.loads(BENIGN[path]).keys()
        elif path.endswith(".tsv"):
            assert source.count("\n") == BENIGN[path].count("\n")
        elif path.endswith(("SKILL.md", "tools.md")):
            assert source.count("\n") == BENIGN[path].count("\n"), path
            assert source.rpartition("---\n")[2].count("<") == 0
    _, front, _ = files[f"{PACKAGE}/skills/feishu-im/SKILL.md"].split("---\n", 2)
    assert yaml.safe_load(front).keys() == {"name", "description"}
    assert len(yaml.safe_load(front)["description"]) <= 1024
    assert json.loads(files["golden/feishu/tools/im/one.json"])["wire"]["description"].startswith(text)


@pytest.mark.parametrize("text", [*(text for text in HOSTILE if text.strip()), "x" * 3000], ids=ascii)
def test_hostile_text_is_inert_data(text: str) -> None:
    """Whatever a curator writes, the emitted files keep their form."""
    assert_inert(text)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(hostile_texts.filter(lambda text: bool(text.split())))
def test_any_mix_of_hostile_text_is_inert_data(text: str) -> None:
    """Mixed hostile texts are as harmless as single ones."""
    assert_inert(text)


def test_an_empty_surface_still_imports() -> None:
    """A surface that has no tools yet is a package."""
    files = emit_surface(replace(sample_surface(), domains=(), presets={}))

    assert {path for path in files if path.endswith(".py")} == {
        f"{PACKAGE}/__init__.py",
        f"{PACKAGE}/index/__init__.py",
    }
    for path, source in files.items():
        if path.endswith(".py"):
            compile(source, path, "exec")
