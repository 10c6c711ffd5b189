"""What an agent waits for when a session starts: the hook's process from its start to its end, with a brief to give."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from capture import brief as briefs
from capture.config import HookConfig, Queue, write
from capture.project import find
from limbeck.bench.hook_world import CLIENT, World, world
from limbeck.bench.recall import spread

RUNS = 60


def measure(text: str, runs: int = RUNS) -> dict[str, Any]:
    """Start ``runs`` hooks that read ``text`` from its file, and as many bare interpreters in between; times in ms."""
    python = Path(os.path.realpath(sys.executable))
    with world(python) as ready:
        payload = _prepare(ready, text)
        hooks, floors = [], []
        for _ in range(runs):
            hooks.append(_timed(ready.up, payload, text))
            floors.append(_timed([str(python), "-I", "-S", "-c", "pass"], b"", ""))
    told = {
        name: {key: round(value, 1) for key, value in spread(times).items()}
        for name, times in (("hook", hooks), ("floor", floors))
    }
    return told | {"runs": runs, "ratio": round(told["hook"]["p50"] / told["floor"]["p50"], 2)}


def _prepare(ready: World, text: str) -> bytes:
    """Lay the brief where the hook looks for it, and return what an agent says at the start."""
    home, folder = ready.folder / "up", ready.folder / "up" / briefs.FOLDER
    queue = Queue(socket=str(ready.folder / "queue"))
    write(home, HookConfig(CLIENT, str(home / "spool"), queue, brief=str(folder)))
    briefs.write(str(folder), briefs.keys(find(str(ready.project)))[0], briefs.Brief("0" * 16, text))
    said = {
        "session_id": "be3f8a32-32fd-47b2-82f4-318cf680c404",
        "transcript_path": str(ready.project / "session.jsonl"),
        "cwd": str(ready.project),
        "hook_event_name": "SessionStart",
        "source": "startup",
        "model": "a-model",
    }
    return json.dumps(said).encode()


def _timed(command: list[str], payload: bytes, wanted: str) -> float:
    """Seconds of one process; what it says must hold what is ``wanted``."""
    began = time.perf_counter()
    done = subprocess.run(command, input=payload, stdout=subprocess.PIPE, check=True)
    took = time.perf_counter() - began
    given = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if wanted else ""
    if wanted.strip() not in given:
        raise RuntimeError("the hook did not give the brief, so there is nothing to measure")
    return took
