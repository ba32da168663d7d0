"""What comes along with an import: measured in fresh processes, because an import linter sees no `__init__`."""

import subprocess
import sys

import pytest

CONTRACT = {
    "placet",
    "msgspec",
    "typing_extensions",
}  # msgspec takes the last one along where it is installed
HEAVY = ("asyncio", "jinja2", "lark_oapi", "openapi_pydantic", "pydantic", "rich", "typer", "yaml")


def loaded_by(statement: str) -> set[str]:
    """Names of all modules after the statement, less those that a bare interpreter of this environment has."""
    script = "import sys; before = set(sys.modules); {}; print('\\n'.join(sorted(set(sys.modules) - before)))"
    done = subprocess.run(
        [sys.executable, "-c", script.format(statement)], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def outside_the_library(modules: set[str]) -> set[str]:
    """Top-level names of modules that do not come with Python."""
    top = {name.partition(".")[0] for name in modules}
    return {name for name in top if name not in sys.stdlib_module_names and not name.startswith("_")}


EVERY_TOOL = "; ".join(
    [
        "import importlib, placet_feishu",
        "holders = {t.target.partition(':')[0] for t in placet_feishu.surface.tools}",
        "[importlib.import_module(name) for name in holders]",
    ]
)


@pytest.mark.parametrize(
    ("statement", "ours"),
    [
        pytest.param("import placet.contract", set(), id="the-contract"),
        pytest.param("import placet_feishu", {"placet_feishu"}, id="the-package"),
        pytest.param(
            "import placet_feishu; len(placet_feishu.surface.tools)",
            {"placet_feishu"},
            id="its-index",
        ),
        pytest.param(EVERY_TOOL, {"placet_feishu"}, id="every-tool"),
    ],
)
def test_tools_bring_the_contract_and_msgspec_and_nothing_else(statement: str, ours: set[str]) -> None:
    """A host that imports tools loads no SDK, no model library, no command line and no other room of the runtime."""
    loaded = loaded_by(statement)

    assert outside_the_library(loaded) <= {*CONTRACT, *ours}
    assert loaded.isdisjoint(HEAVY)
    assert {m for m in loaded if m.startswith("placet.") and not m.startswith("placet.contract")} == set()


def test_the_package_loads_no_domain_until_it_is_used() -> None:
    """Listing every tool imports none of the modules that hold them."""
    listed = loaded_by("import placet_feishu; [(t.name, t.summary) for t in placet_feishu.surface.tools]")
    used = loaded_by(f"{EVERY_TOOL}; sys.stdout.write(' '.join('target:' + m for m in holders) + ' ')")
    holders = {name.removeprefix("target:") for name in used if name.startswith("target:")}

    assert holders
    assert holders <= used
    assert holders.isdisjoint(listed)


@pytest.mark.parametrize("platform", ["feishu", "http"])
def test_a_platforms_names_need_nothing_outside_the_library_but_the_contract(platform: str) -> None:
    """A build reads a platform's names without loading what implements them."""
    loaded = loaded_by(f"import placet.platforms.{platform}.names")

    assert outside_the_library(loaded) <= CONTRACT
    assert {m for m in loaded if m.startswith("placet.platforms.")} == {
        f"placet.platforms.{platform}",
        f"placet.platforms.{platform}.names",
    }
