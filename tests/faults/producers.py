"""Eight producers that remember what was accepted: six append as the hook does, two run the hook itself."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import threading
import time
from pathlib import Path

from capture.config import read
from capture.deliver import deliver
from capture.envelope import encode
from capture.errors import SpoolRefused
from capture.ids import new_id

DIRECT, THROUGH_HOOKS = 6, 2
PACE_S = 0.002
PROJECT = "/home/u/shop"


class Producers:
    """Threads that produce while there is allowance; ``accepted`` holds the call ids that were taken for sure."""

    def __init__(self, home: Path, hook: list[str], seed: int) -> None:
        self._home, self._hook = home, hook
        self._lock = threading.Lock()
        self._allowances = [threading.Semaphore(0) for _ in range(DIRECT + THROUGH_HOOKS)]
        self._over = threading.Event()
        self.accepted: set[str] = set()
        self.refused = 0
        self.uncertain: set[str] = set()
        self.running: dict[int, str] = {}
        self.errors: list[str] = []
        kinds = [self._directly] * DIRECT + [self._through_a_hook] * THROUGH_HOOKS
        self._threads = [
            threading.Thread(target=self._produce, args=(number, kind, random.Random(seed * 100 + number)))
            for number, kind in enumerate(kinds)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def allow(self, count: int) -> None:
        """Let about ``count`` more events be made, by all producers alike."""
        for allowance in self._allowances:
            allowance.release(max(1, count // len(self._allowances)))

    def finish(self) -> None:
        """Make what is still allowed, then end."""
        self._over.set()
        for thread in self._threads:
            thread.join()

    def kill_hooks(self, chance: random.Random) -> int:
        """kill -9 every hook that runs now, a moment into its work; returns how many were hit.

        Hooks are started meanwhile: on a machine with nothing else to do they are over before one looks.
        """
        hit = 0
        for _ in range(40):
            for allowance in self._allowances[DIRECT:]:
                allowance.release()
            time.sleep(chance.random() * 0.012)
            with self._lock:
                for pid, call in self.running.items():
                    with contextlib.suppress(ProcessLookupError):  # it was over a moment before
                        os.kill(pid, signal.SIGKILL)
                        self.uncertain.add(call)
                        hit += 1
            if hit:
                break
        return hit

    def _produce(self, number: int, kind, chance: random.Random) -> None:
        session = new_id()
        made = 0
        try:
            while True:
                if not self._allowances[number].acquire(timeout=0.05):
                    if self._over.is_set():
                        return
                    continue
                made += 1
                kind(session, f"toolu-p{number}-{made}-{new_id()[-6:]}", chance)
                time.sleep(PACE_S)
        except Exception as error:  # shown by the check: a producer that fell over proves nothing
            self.errors.append(repr(error))

    def _directly(self, session: str, call: str, chance: random.Random) -> None:
        body = {"tool": "Bash", "shape": f"make part{chance.randrange(400)}", "outcome": "ok"}
        line = encode(
            {
                "v": 1,
                "id": new_id(),
                "at": int(time.time() * 1000),
                "agent": "claude",
                "origin": "hook",
                "kind": "tool",
                "event": "PostToolUse",
                "session": session,
                "call": call,
                "cwd": PROJECT,
                "project": {"root": PROJECT, "remote": "git.example/team/shop"},
                "body": body,
            }
        )
        try:
            deliver(line, read(str(self._home)), errand=False)
        except SpoolRefused:
            with self._lock:
                self.refused += 1
            return
        with self._lock:
            self.accepted.add(call)

    def _through_a_hook(self, session: str, call: str, chance: random.Random) -> None:
        payload = {
            "session_id": session,
            "transcript_path": "/home/u/t.jsonl",
            "cwd": "/",
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": f"make part{chance.randrange(400)}"},
            "tool_response": {"stdout": "", "stderr": "", "interrupted": False},
            "tool_use_id": call,
        }
        process = subprocess.Popen(self._hook, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        with self._lock:
            self.running[process.pid] = call
        try:
            process.communicate(json.dumps(payload).encode())
        except BrokenPipeError:
            process.wait()
        with self._lock:
            del self.running[process.pid]
            if process.returncode == 0 and call not in self.uncertain:
                self.accepted.add(call)
            else:
                self.uncertain.add(call)
