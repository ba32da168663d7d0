"""An installation on disk whose platform listens on loopback."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from placet.platforms.feishu.fake import Table
from placet.testing import FakeFeishu

__all__ = ["APP", "SECRET", "Installation"]

APP = "cli_a1"
SECRET = "s3cr3t-of-the-app"

_CONFIG = """\
keys = ["file:placet.key"]

[[tenants]]
app = "{app}"
platform = "feishu"
brand = "feishu"
secret = "file:app.secret"
base_url = "{base_url}"

[policy]
{policy}

[stores]
url = "{store}"

[budgets]
deadline_s = 5.0
"""


class Installation:
    """A folder with a configuration; commands run in it as processes of their own."""

    def __init__(self, folder: Path, fake: FakeFeishu, app_token: str, table: Table) -> None:
        self.folder, self.fake, self.app_token, self.table = folder, fake, app_token, table

    def configure(
        self, policy: str = "", *, store: str = "sqlite:///placet.db", base_url: str | None = None
    ) -> None:
        """Write the configuration anew."""
        text = _CONFIG.format(app=APP, base_url=base_url or self.fake.base_url, policy=policy, store=store)
        (self.folder / "placet.toml").write_text(text, encoding="utf-8")

    @property
    def place(self) -> dict[str, str]:
        return {"app_token": self.app_token, "table_id": self.table.table_id}

    def run(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """`placet WORDS` in the folder."""
        program = Path(sys.executable).with_name("placet")
        return subprocess.run(
            [program, *words],
            cwd=self.folder,
            env={**os.environ, "NO_COLOR": "1"},
            input=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def call(self, tool: str, arguments: dict[str, Any], *words: str) -> tuple[int, dict[str, Any]]:
        """Exit code and result of `placet call`."""
        done = self.run("call", tool, "--json", "-", *words, given=json.dumps(arguments))
        assert done.stdout, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return done.returncode, found
