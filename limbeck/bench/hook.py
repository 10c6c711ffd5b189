"""What a hook costs: interleaved runs of real processes, as ratios to starting the same Python at all."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from limbeck.bench.hook_world import CUES, World, hostile_payload, prompt_payload, read_payload, world

FLOOR = "python -I -S -c pass"
KIB, MIB = 1024, 1024 * 1024
TOGETHER = 8
WIDTH = 110

_LAUNCH = """
import posix, sys
out = posix.open("/dev/null", 1)
inn = posix.open(sys.argv[1], 0)
pid = posix.posix_spawn(sys.argv[2], sys.argv[2:], posix.environ, file_actions=[
    (posix.POSIX_SPAWN_DUP2, inn, 0), (posix.POSIX_SPAWN_DUP2, out, 1)])
print(posix.wait4(pid, 0)[2].ru_maxrss)
"""


@dataclass(frozen=True, slots=True)
class Case:
    """Something to time: a command, what it reads, how many run at once, and every how many rounds it runs."""

    name: str
    command: Sequence[str]
    payload: bytes = b""
    at_once: int = 1
    every: int = 1
    target: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: milliseconds, ratios to the floor's p50 and p95, and memory in MiB."""

    name: str
    runs: int
    p50_ms: float
    p95_ms: float
    p50_ratio: float
    p95_ratio: float
    memory_mib: float | None
    target: str


def run(runs: int, as_json: bool) -> int:
    """Measure and print the table, or JSON; returns 0. ``runs`` is the number of rounds."""
    found = measure(runs, tell=None if as_json else Console(stderr=True).print)
    if as_json:
        print(json.dumps(found, indent=2))  # noqa: T201 - what a script reads
    else:
        _show(found)
    return 0


def _show(found: dict[str, object]) -> None:
    table = Table("case", "runs", "p50 ms", "p95 ms", "p50 x", "p95 x", "MiB", "target", box=None)
    for column in table.columns:
        column.no_wrap = True
    rows = found["rows"]
    for row in rows if isinstance(rows, list) else ():
        table.add_row(*("" if value is None else str(value) for value in row.values()))
    console = Console()
    console.width = max(console.width, WIDTH)
    console.print(table)
    told = ("interpreter", "processors", "load_before", "load_after")
    console.print(", ".join(f"{key.replace('_', ' ')} {found[key]}" for key in told))


def measure(
    runs: int, interpreter: Path | None = None, tell: Callable[[str], None] | None = None
) -> dict[str, object]:
    """Time every case ``runs`` times (the slow ones less often) and return the rows with their surroundings.

    ``interpreter`` is what the hook runs with, by default the real binary of this one. ``tell`` hears progress.
    """
    python = interpreter or Path(os.path.realpath(sys.executable))
    load = os.getloadavg()[0]
    with world(python) as ready:
        cases = _cases(ready, [str(python), "-I", "-S", "-c", "pass"])
        times: dict[str, list[float]] = {case.name: [] for case in cases}
        for number in range(runs):
            for case in cases:
                if number % case.every == 0:
                    times[case.name].append(_timed(case))
            if tell and number % 50 == 49:
                tell(f"{number + 1} of {runs} rounds")
        memory = {case.name: _memory(ready, python, case) for case in cases if case.at_once == 1}
    floor = sorted(times[FLOOR])
    rows = [_row(case, sorted(times[case.name]), floor, memory.get(case.name)) for case in cases]
    return {
        "interpreter": f"{platform.python_implementation()} {platform.python_version()}",
        "processors": os.cpu_count(),
        "load_before": round(load, 2),
        "load_after": round(os.getloadavg()[0], 2),
        "rows": [asdict(row) for row in rows],
    }


def _cases(ready: World, floor: list[str]) -> list[Case]:
    small = read_payload(ready.project, 2 * KIB)
    return [
        Case(FLOOR, floor),
        Case("/bin/true", ["/bin/true"]),
        Case("2 KB, queue up", ready.up, small, target="p50 1.5 (aim 1.35), p95 1.8; 14 MiB"),
        Case("2 KB prompt", ready.up, prompt_payload(ready.project, 2 * KIB), target="p50 1.5 (aim 1.35)"),
        Case("2 KB prompt, all cues", ready.up, prompt_payload(ready.project, 2 * KIB, CUES)),
        Case("2 KB, queue down", ready.down, small, target="0.3 above queue up"),
        Case("2 KB, queue silent", ready.silent, small, target="0.3 above queue up"),
        Case("2 KB, spool only", ready.spooled, small),
        Case("2 KB, spool with fsync", ready.synced, small, every=3),
        Case("2 KB, plain modules", ready.plain, small, every=5),
        Case("200 KB, queue up", ready.up, read_payload(ready.project, 200 * KIB), every=3),
        Case("1 MB, queue up", ready.up, read_payload(ready.project, MIB), every=3, target="p50 2.0; 14 MiB"),
        Case("5 MB, queue up", ready.up, read_payload(ready.project, 5 * MIB), every=10),
        Case(
            "1 MB hostile prompt",
            ready.up,
            hostile_payload(ready.project),
            every=10,
            target="deadline + 10 ms",
        ),
        Case("2 KB, eight at once", ready.up, small, at_once=TOGETHER, every=5),
    ]


def _timed(case: Case) -> float:
    """Seconds from the first start to the last end."""
    start = time.perf_counter()
    running = [_started(case) for _ in range(case.at_once)]
    for process in running:
        if process.stdin is not None:
            process.stdin.write(case.payload)
            process.stdin.close()
    for process in running:
        process.wait()
    return time.perf_counter() - start


def _started(case: Case) -> subprocess.Popen[bytes]:
    given = subprocess.PIPE if case.payload else subprocess.DEVNULL
    return subprocess.Popen(case.command, stdin=given, stdout=subprocess.DEVNULL, bufsize=0)


def _memory(ready: World, python: Path, case: Case) -> float | None:
    """Peak memory, started from a small process: a child's peak counts what its parent was before it."""
    given = ready.folder / "payload"
    given.write_bytes(case.payload)
    command = [str(python), "-I", "-S", "-c", _LAUNCH, str(given), *case.command]
    answer = subprocess.run(command, capture_output=True, check=False).stdout
    kib = int(answer) if answer.strip().isdigit() else None
    return None if kib is None else round(kib / (1024 if sys.platform != "darwin" else MIB), 1)


def _row(case: Case, times: list[float], floor: list[float], memory: float | None) -> Row:
    p50, p95 = _at(times, 0.5), _at(times, 0.95)
    return Row(
        case.name,
        len(times),
        round(p50 * 1e3, 2),
        round(p95 * 1e3, 2),
        round(p50 / _at(floor, 0.5), 2),
        round(p95 / _at(floor, 0.95), 2),
        memory,
        case.target,
    )


def _at(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
