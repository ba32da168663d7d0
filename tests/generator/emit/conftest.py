"""One emitted package for the whole room."""

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from tests.generator.emit.emitted import write_package
from tests.generator.emit.sample import sample_surface

PACKAGE = "emitted_sample"


@pytest.fixture(scope="session")
def emitted_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample surface on disk, laid out; `generated/src` is to go on the import path."""
    folder = tmp_path_factory.mktemp("emitted")
    write_package(replace(sample_surface(), package=PACKAGE), folder)
    return folder


@pytest.fixture(scope="session")
def emitted_package(emitted_folder: Path) -> Iterator[ModuleType]:
    """The sample surface, imported."""
    sys.path.insert(0, str(emitted_folder / "generated/src"))
    yield importlib.import_module(PACKAGE)
    sys.path.remove(str(emitted_folder / "generated/src"))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
