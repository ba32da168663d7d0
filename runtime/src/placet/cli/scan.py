"""`placet scan`: what steps 5 and 6 would let out of any JSON value, so that anybody can see what a model would see."""

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, BinaryIO

import typer

from placet.contract.masking import SafetyMode

__all__ = ["command", "scanned"]

MAX_LINE = 8 * 1024 * 1024
"""Bytes of one line; a longer one is answered with an error."""


def command(
    mode: Annotated[
        SafetyMode,
        typer.Option("--mode", help="What happens to a text that tries to instruct: off, warn or block."),
    ] = SafetyMode.WARN,
) -> int:
    """Print what would leave the gate for each JSON value on standard input, one a line.

    The exit code is 1 when a line was no JSON value; the other lines are answered all the same.
    """
    failed = False
    for answer, is_error in scanned(_lines(sys.stdin.buffer), mode):
        failed = failed or is_error
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()
    return int(failed)


def scanned(lines: Iterable[bytes | None], mode: SafetyMode) -> Iterator[tuple[bytes, bool]]:
    """One JSON object a line, and whether it reports a fault of the line.

    Args:
        lines: Without their ends; None stands for one that was too long. Blank lines are passed over.
    """
    # Imported late: `placet --help` loads this module for its first line.
    import msgspec

    from placet.contract.masking import MaskingPolicy
    from placet.sanitise.masking import masking
    from placet.sanitise.outbound import release

    rules = masking(MaskingPolicy(), _installed_shapes())
    for number, line in enumerate(lines, start=1):
        if line is None:
            yield _error(number, f"longer than {MAX_LINE} bytes"), True
            continue
        if not line.strip():
            continue
        try:
            value: Any = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            yield _error(number, "not a JSON value"), True
            continue
        released = release(value, masking=rules, safety_mode=mode)
        findings = [msgspec.to_builtins(one) for one in released.findings]
        yield _encoded({"out": released.data, "findings": findings, "blocked": released.blocked}), False


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Lines of a stream without their ends, or None for one that is too long, which is skipped unread."""
    while line := stream.readline(MAX_LINE + 1):
        if len(line) <= MAX_LINE or line.endswith(b"\n"):
            yield line.rstrip(b"\r\n")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE + 1)
        yield None


def _installed_shapes() -> tuple[Any, ...]:
    """The secrets of every installed platform: without a tenant nothing says which one a value came from."""
    from importlib.metadata import entry_points

    return tuple(
        entry.load() for entry in sorted(entry_points(group="placet.secret_shapes"), key=lambda one: one.name)
    )


def _error(number: int, problem: str) -> bytes:
    # The line itself is not repeated: it may hold what must not be shown.
    return _encoded({"error": f"line {number}: {problem}", "line": number})


def _encoded(value: dict[str, Any]) -> bytes:
    """JSON with integers of any size, which msgspec does not write."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
