"""What no build can do without, each part as its own fresh process: `python -m tests.bench.floors PART FOLDER`.

A part prints the seconds of its work, without start and imports, which are a part of their own. `prepare` makes
what the parts need: the views that templates lay out, unformatted modules, and the list of SDK methods.
"""

import json
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

NAME = "feishu"
VIEWS, FILES, METHODS = "views.pickle", "files.pickle", "methods.json"
IMPORTS = "import jinja2, msgspec, pydantic, typer, yaml"


def prepare(folder: Path) -> None:
    """Compile the surface below `folder` once, and keep what the parts work on."""
    from placet_generator.emit import files, render
    from placet_generator.surface_folder import compile_folder

    views: list[tuple[str, Any]] = []

    def recording(template: str, view: Any) -> str:
        views.append((template, view))
        return render.render(template, view)

    files.render = recording  # type: ignore[attr-defined]  # an imported name of that module
    compilation = compile_folder(folder, NAME)
    if compilation.surface is None or not compilation.files:
        raise SystemExit("\n".join(map(str, compilation.diagnostics)))
    (folder / VIEWS).write_bytes(pickle.dumps(views))
    (folder / FILES).write_bytes(pickle.dumps(dict(compilation.files)))
    (folder / METHODS).write_text(json.dumps(sorted(compilation.surface.signatures)), encoding="utf-8")


def yaml_files(folder: Path) -> Callable[[], object]:
    """Every YAML file, by libyaml."""
    import yaml

    paths = sorted((folder / "curation").rglob("*.yaml"))

    def work() -> None:
        for path in paths:
            with path.open("rb") as file:
                yaml.load(file, Loader=yaml.CSafeLoader)

    return work


def sdk(folder: Path) -> Callable[[], object]:
    """The SDK's methods, from the source files that they need."""
    from placet_generator.catalogue.lark import LarkCatalogue, find_lark

    methods = json.loads((folder / METHODS).read_text(encoding="utf-8"))
    installed = find_lark()

    def work() -> None:
        catalogue = LarkCatalogue(installed.root, None, version=installed.version)
        for name in methods:
            catalogue.method(name)

    return work


def witness(folder: Path) -> Callable[[], object]:
    """The second source, for those methods."""
    from placet_generator.witness.reader import Witness

    methods = json.loads((folder / METHODS).read_text(encoding="utf-8"))

    def work() -> None:
        read = Witness.load(folder / "curation" / NAME / "witness")
        read.methods()
        read.scopes()
        for name in methods:
            read.facts(name)

    return work


def jinja(folder: Path) -> Callable[[], object]:
    """Every template laid out once, from views that are ready."""
    import jinja2  # noqa: F401  # its import is counted elsewhere

    from placet_generator.emit.render import render

    views = pickle.loads((folder / VIEWS).read_bytes())
    return lambda: [render(template, view) for template, view in views]


def ruff(folder: Path) -> Callable[[], object]:
    """One process over all modules, which lie there unformatted."""
    files: dict[str, str] = pickle.loads((folder / FILES).read_bytes())
    place = Path(tempfile.mkdtemp(dir=folder))
    for number, path in enumerate(one for one in files if one.endswith(".py")):
        (place / f"{number}.py").write_text(files[path], encoding="utf-8")
    command = [
        str(Path(sys.executable).with_name("ruff")),
        "format",
        "--isolated",
        "--no-cache",
        "--quiet",
        ".",
    ]
    return lambda: subprocess.run(command, cwd=place, check=True)


def writing(folder: Path) -> Callable[[], object]:
    """Every file of the build, into an empty folder."""
    files: dict[str, str] = pickle.loads((folder / FILES).read_bytes())
    place = Path(tempfile.mkdtemp(dir=folder))

    def work() -> None:
        for path, text in files.items():
            target = place / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")

    return work


PARTS = {
    "yaml": yaml_files,
    "sdk": sdk,
    "jinja": jinja,
    "ruff": ruff,
    "witness": witness,
    "writing": writing,
}


def main(part: str, folder: Path) -> None:
    if part == "prepare":
        prepare(folder)
        return
    work = PARTS[part](folder)
    start = time.perf_counter()
    work()
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
