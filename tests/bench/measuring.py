"""Running things side by side: rounds in which everybody runs once, medians, and a table of ratios.

Noise of the machine hits all contenders of a round alike, so ratios are taken round by round.
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

PEAK = """
import atexit, re, sys
@atexit.register
def peak():
    with open("/proc/self/status") as status:
        print("peak_kb", re.search(r"VmHWM:\\s*(\\d+)", status.read())[1], file=sys.stderr)
"""
"""Prefix of a program that prints its own peak of memory when it ends (Linux)."""

Contender = Callable[[], float]
"""Runs once and says how many seconds that took."""


class Failed(Exception):
    """A measurement could not be made; the message says why."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; a goal of None is a number without one."""

    what: str
    value: str
    goal: str = ""
    met: bool | None = None


def at_most(what: str, value: float, goal: float, *, unit: str = "x") -> Row:
    """A row whose value shall not be larger than its goal."""
    shown = "{:.0f} {}" if unit != "x" else "{:.3f} {}"
    return Row(what, shown.format(value, unit), f"<= {goal:g} {unit}", value <= goal)


def interleaved(contenders: Mapping[str, Contender], rounds: int) -> dict[str, list[float]]:
    """Seconds of each contender, round by round; the order turns, and a first round is not counted."""
    names = list(contenders)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds + 1):
        turned = names[number % len(names) :] + names[: number % len(names)]
        for name in turned:
            took = contenders[name]()
            if number:
                seconds[name].append(took)
    return seconds


def ratio(of: Sequence[float], to: Sequence[float]) -> float:
    """The median of the rounds' ratios."""
    return median(one / other for one, other in zip(of, to, strict=True))


def summed(parts: Iterable[Sequence[float]]) -> list[float]:
    """Round by round, the sum of several contenders."""
    return [sum(one) for one in zip(*parts, strict=True)]


def run(command: Sequence[str], folder: Path, *, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a process that must succeed, with bytecode caches on as in an ordinary install.

    Args:
        path: A folder to put first on PATH.
    Raises:
        Failed: its exit code is not 0.
    """
    unwanted = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH"}
    environment = {key: value for key, value in os.environ.items() if key not in unwanted}
    if path is not None:
        environment["PATH"] = os.pathsep.join([path, environment.get("PATH", "")])
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(
            f"{' '.join(command[:4])} ended with {done.returncode}: {(done.stderr or done.stdout)[-500:]}"
        )
    return done


def timed(command: Sequence[str], folder: Path, *, path: str | None = None) -> float:
    """Seconds of a whole process, from its start to its end."""
    start = time.perf_counter()
    run(command, folder, path=path)
    return time.perf_counter() - start


def peak_mb(python: str, program: str, folder: Path) -> float:
    """Peak memory in MB of a fresh Python that runs `program`."""
    done = run([python, "-c", f"{PEAK}{program}"], folder)
    return int(done.stderr.rpartition("peak_kb")[2]) / 1024


def table(rows: Sequence[Row]) -> str:
    """The rows as aligned text."""
    cells = [
        ("what", "measured", "goal", ""),
        *((one.what, one.value, one.goal, _verdict(one)) for one in rows),
    ]
    widths = [max(len(line[column]) for line in cells) for column in range(3)]
    return "\n".join(
        "  ".join(
            [line[0].ljust(widths[0]), line[1].rjust(widths[1]), line[2].ljust(widths[2]), line[3]]
        ).rstrip()
        for line in cells
    )


def _verdict(row: Row) -> str:
    return "" if row.met is None else "ok" if row.met else "MISSED"
