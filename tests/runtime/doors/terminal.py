"""A command under a pseudo-terminal, as a person has it."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

__all__ = ["at_a_terminal"]

TIMEOUT_S = 60.0


def at_a_terminal(folder: Path, words: list[str], typed: str) -> tuple[int, str]:
    """Exit code and screen of `placet WORDS` for somebody who types at the first question."""
    parent, child = pty.openpty()
    program = Path(sys.executable).with_name("placet")
    process = subprocess.Popen(
        [program, *words],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        stdin=child,
        stdout=child,
        stderr=child,
    )
    os.close(child)
    screen, ends, has_typed = b"", time.monotonic() + TIMEOUT_S, False
    while time.monotonic() < ends:
        ready, _, _ = select.select([parent], [], [], 0.2)
        if ready:
            try:
                more = os.read(parent, 4096)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            screen += more
        if not has_typed and b"[y/N]" in screen:
            os.write(parent, typed.encode())
            has_typed = True
    code = process.wait(timeout=TIMEOUT_S)
    os.close(parent)
    return code, screen.decode().replace("\r\n", "\n")
