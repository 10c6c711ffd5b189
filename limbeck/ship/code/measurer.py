"""The shipper's side of measuring: one process at a time, asked, looked at, ended where it takes too long."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue

from capture.policy import Policy
from limbeck.services.program import python_command
from limbeck.ship.errors import NotMeasured

MODULE = "limbeck.ship.code.process"
PATIENCE_S = 45.0

Envelope = dict[str, object]


class Measurer:
    """Measures commits in a process of its own, which is started for the first and ends with ``close``."""

    def __init__(
        self, module: str = MODULE, clock: Callable[[], float] = time.monotonic, at_once: bool = False
    ) -> None:
        """Nothing runs yet. ``at_once``: somebody waits, so it works with the priority of whoever asks."""
        self._module, self._clock = module, clock
        self._arguments = ("at-once",) if at_once else ()
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._until = 0.0

    def begin(self, envelope: Envelope, policy: Policy) -> None:
        """Ask for one commit; ``answer`` tells what came of it, and only then may the next be asked for."""
        if self._process is None:
            self._start()
        self._until = self._clock() + PATIENCE_S
        with suppress(OSError):  # it is dead, and so says its answer
            if self._process is not None and self._process.stdin is not None:
                request = {"envelope": envelope, "paths": policy.paths}
                self._process.stdin.write(json.dumps(request).encode() + b"\n")
                self._process.stdin.flush()

    def answer(self, wait: float) -> tuple[Envelope | None] | None:
        """Return the measured envelope (None where nothing was to measure) in a tuple, None where it is not ready.

        Waits at most ``wait`` seconds. Raises NotMeasured where the process failed, died or took too long.
        """
        try:
            line = self._answers.get(timeout=wait) if wait else self._answers.get_nowait()
        except Empty:
            if self._clock() < self._until:
                return None
            self.close()
            raise NotMeasured(why="it took too long") from None
        if not line:
            self.close()
            raise NotMeasured(why="its process ended")
        told = json.loads(line)
        if "error" in told:
            raise NotMeasured(why=told["error"])
        return (told["envelope"],)

    def wait(self) -> Envelope | None:
        """Return what came of the commit that was asked for, once it did. Raises NotMeasured."""
        while True:
            found = self.answer(max(0.01, self._until - self._clock()))
            if found is not None:
                return found[0]

    def close(self) -> None:
        """End the process, whatever it is doing."""
        process, self._process = self._process, None
        self._answers = SimpleQueue()
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            python_command(self._module, *self._arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=_read, args=(self._process, self._answers), daemon=True).start()


def _read(process: subprocess.Popen[bytes], answers: SimpleQueue[bytes]) -> None:
    """Pass on each line, and an empty one at the end."""
    with suppress(OSError, ValueError):
        for line in process.stdout or ():
            answers.put(line)
    answers.put(b"")
