"""A loopback platform in a thread of its own, and a configuration that names it, for commands that run a loop."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal

from placet.testing import FakeFeishu
from tests.runtime.doors.installation import APP, SECRET, Installation


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    """`placet.toml`, its key and its app's secret, over a running platform with one table."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(FakeFeishu(apps={APP: SECRET})) as fake,
    ):
        base = fake.tenant(APP).bitable.add_base()
        table = base.add_table("任务", {"任务": "Text", "状态": ("SingleSelect", ["待办", "已完成"])})
        table.add_records([{"任务": "写周报", "状态": "待办"}])
        for name, text in (("placet.key", secrets.token_urlsafe(32)), ("app.secret", SECRET)):
            (tmp_path / name).write_text(text, encoding="utf-8")
            (tmp_path / name).chmod(0o600)
        found = Installation(tmp_path, fake, base.app_token, table)
        found.configure()
        yield found
