"""The files around a generated package: it installs, is found, and the commands that messages name are there."""

from importlib.metadata import version

_PROJECT = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "{distribution}"
version = "0.1.0"
description = "A tool surface made by Placet."
requires-python = ">=3.11"
dependencies = ["placet>={placet}"]

[project.entry-points."placet.surfaces"]
{surface} = "{package}:surface"

[tool.hatch.build.targets.wheel]
packages = ["src/{package}"]

[tool.hatch.build]
dev-mode-dirs = ["src"]
"""

MAKEFILE = """\
# Both targets need an environment that has placet-generator.

.PHONY: generate
generate:
\t@placet build

.PHONY: check
check:
\t@placet check --full
"""
"""The commands that findings and the heads of generated files name, for a project without a Makefile."""


def package_project(package: str, surface: str) -> str:
    """`generated/pyproject.toml` for a package; both names are lower-case identifiers."""
    distribution = package.replace("_", "-")
    return _PROJECT.format(
        distribution=distribution, placet=version("placet"), surface=surface, package=package
    )
