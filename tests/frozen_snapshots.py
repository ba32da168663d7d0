"""A pytest plugin: CI compares snapshots and never writes one."""

import os

import pytest

__all__ = ["pytest_configure"]


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("CI") and config.getoption("--snapshot-update", default=False):
        raise pytest.UsageError(
            "snapshots are not written in CI; run `make golden-update` and commit the result"
        )
