"""What the hook's benchmark runs against: homes, a queue that answers, one that never does, a small project."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from capture.config import HookConfig, Limits, Queue, write
from hooks.bundle import build
from limbeck.bench.folders import scratch_folder
from limbeck.services.binaries import valkey_server
from schema.errors import LimbeckError

CLIENT = "bench"
PATIENCE = 10.0


class BundleMissing(LimbeckError):
    """No bundle can be made for {interpreter} ({why}), so that there is nothing to measure."""


@dataclass(frozen=True, slots=True)
class World:
    """The commands to time, by what is different about their home."""

    folder: Path
    project: Path
    up: list[str]
    down: list[str]
    silent: list[str]
    spooled: list[str]
    synced: list[str]
    plain: list[str]


@contextlib.contextmanager
def world(interpreter: Path) -> Iterator[World]:
    """Set everything up in a temporary folder, and take it down again."""
    with scratch_folder() as folder, contextlib.ExitStack() as stack:
        queue = stack.enter_context(_queue(folder))
        silent = stack.enter_context(_silent(folder / "silent"))
        project = _project(folder / "project")
        homes = {
            "up": HookConfig(CLIENT, str(folder / "up" / "spool"), Queue(socket=str(queue))),
            "down": HookConfig(CLIENT, str(folder / "down" / "spool"), Queue(socket=str(folder / "nobody"))),
            "silent": HookConfig(CLIENT, str(folder / "silent-home" / "spool"), Queue(socket=str(silent))),
            "spooled": HookConfig(CLIENT, str(folder / "spooled" / "spool")),
            "synced": HookConfig(CLIENT, str(folder / "synced" / "spool"), limits=Limits(fsync=True)),
            "plain": HookConfig(CLIENT, str(folder / "plain" / "spool"), Queue(socket=str(queue))),
        }
        commands = {}
        for label, config in homes.items():
            home = Path(config.spool).parent
            home.mkdir(mode=0o700)
            write(home, config)
            built = build(home, interpreter)
            if not built.bundled:
                raise BundleMissing(interpreter=interpreter, why=built.why)
            commands[label] = [*built.command, "claude"]
        (folder / "plain" / "hooks" / "bundle").unlink(missing_ok=True)
        yield World(folder, project, **commands)


@contextlib.contextmanager
def _queue(folder: Path) -> Iterator[Path]:
    """A server of our own, in memory only."""
    path = folder / "queue"
    settings = [
        "--port",
        "0",
        "--unixsocket",
        str(path),
        "--save",
        "",
        "--appendonly",
        "no",
        "--dir",
        str(folder),
    ]
    process = subprocess.Popen(
        [str(valkey_server()), *settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + PATIENCE
        while not path.exists() and time.monotonic() < end and process.poll() is None:
            time.sleep(0.01)
        yield path
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def _silent(path: Path) -> Iterator[Path]:
    """A socket that takes connections and bytes, and never answers."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(1024)
        yield path


def _project(folder: Path) -> Path:
    """As much of a git repository as a hook reads."""
    git = folder / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text('[remote "origin"]\n\turl = git@example.com:team/project.git\n')
    return folder


def read_payload(project: Path, size: int) -> bytes:
    """A finished shell call whose output makes the payload ``size`` bytes long."""
    return _sized(
        {**_tool(project), "tool_response": {"stdout": "", "stderr": "", "interrupted": False}}, size
    )


def _sized(payload: dict[str, object], size: int) -> bytes:
    line = "tests/unit/test_login.py::test_case PASSED in 0.12s with 3 warnings of kind DeprecationWarning\n"
    answer = payload["tool_response"]
    bare = len(json.dumps(payload))
    if isinstance(answer, dict):
        lines = max(0, size - bare) // len(json.dumps(line)) + 1
        answer["stdout"] = (line * lines)[: max(0, size - bare - lines)]
    return json.dumps(payload).encode() + b"\n"


def _tool(project: Path) -> dict[str, object]:
    return {
        "session_id": "be3f8a32-32fd-47b2-82f4-318cf680c404",
        "transcript_path": str(project / "session.jsonl"),
        "cwd": str(project),
        "prompt_id": "8cc8e45a-2d60-464e-a972-e6328e4921bd",
        "permission_mode": "default",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "cd web && npm run build && pytest -q tests/unit 2>&1 | tail -n 20"},
        "tool_use_id": f"toolu_{os.getpid()}",
        "duration_ms": 1873,
    }


PROSE = "The export fails now and then: look at src/report/export.py and say why, then fix it.\n"
CUES = (
    "The login page at https://example.com/auth?next=/home says `Cannot read properties of undefined (reading 'token')`"
    " since 9f3c2ab. Look at src/components/UserTokenProvider.tsx and server/auth/session.py:42, check that"
    " AUTH_TOKEN_TTL=3600 is read, run `npm run build -- --mode=production`, and say what the password reset does.\n"
)


def prompt_payload(project: Path, size: int, line: str = PROSE) -> bytes:
    """A person's prompt of ``size`` bytes, ``line`` again and again, all of which is redacted and kept."""
    given = {**_tool(project), "hook_event_name": "UserPromptSubmit", "prompt": (line * size)[:size]}
    return json.dumps({key: given[key] for key in given if not key.startswith("tool")}).encode()


def hostile_payload(project: Path) -> bytes:
    """A prompt of one megabyte made of what patterns like least."""
    prompt = ("password=" * 20000 + "://" * 60000 + "eyJ" * 60000 + "token: " * 40000)[: 1024 * 1024 - 400]
    given = {**_tool(project), "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    return json.dumps({key: given[key] for key in given if not key.startswith("tool")}).encode()
