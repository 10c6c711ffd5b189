"""Folders that hold a project's bundle, brought up to date in a short-lived child once there is a new generation."""

from __future__ import annotations

import contextlib
import logging
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from capture.queue import bundles_key
from limbeck import keeping
from limbeck.services.home import Home
from limbeck.services.program import python_command
from limbeck.services.resp import call
from limbeck.settings import Settings

# A signal may be lost (a worker died after its commit); without a local queue there is none.
LOOK_AGAIN = 600.0
LOOK_AGAIN_BLIND = 60.0
LONGEST = 600.0
ENDS_WITHIN = 10.0
log = logging.getLogger("limbeck.supervisor")


class Bundles:
    """Runs ``limbeck okf sync --kept`` where a worker counted a new generation; nothing where no folder is kept."""

    def __init__(
        self,
        settings: Settings,
        home: Home,
        redis_url: str,
        environment: Mapping[str, str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing runs yet; the first look brings every kept folder up to date."""
        parts = urlsplit(redis_url)
        self._socket = Path(unquote(parts.path)) if parts.scheme == "unix" else None
        self._key, self._home = bundles_key(settings.client), home
        self._environment, self._clock = dict(environment), clock
        self._seen: object = None
        self._due = clock()
        self._child: subprocess.Popen[bytes] | None = None
        self._begun = 0.0

    def look(self) -> None:
        """Start a child where there is something new; end one that does not come to an end."""
        if self._child is not None and self._running(self._child):
            return
        folders = keeping.kept(self._home.path)
        if not folders:
            return
        counted: object = self._seen
        if self._socket is not None:
            with contextlib.suppress(OSError):
                counted = call(self._socket, "GET", self._key)
        if counted == self._seen and self._clock() < self._due:
            return
        self._seen = counted
        self._begun = self._clock()
        self._due = self._begun + (LOOK_AGAIN if self._socket is not None else LOOK_AGAIN_BLIND)
        self._child = self._start()

    def stop(self) -> None:
        """End a child that is at work: what it left half-done, the next one repairs."""
        if self._child is not None and self._child.poll() is None:
            self._child.terminate()
            try:
                self._child.wait(ENDS_WITHIN)
            except subprocess.TimeoutExpired:
                log.warning(
                    "what writes the kept bundles did not end within %.0f s and is killed", ENDS_WITHIN
                )
                self._child.kill()
                self._child.wait()
        self._child = None

    def _running(self, child: subprocess.Popen[bytes]) -> bool:
        code = child.poll()
        if code is None:
            if self._clock() - self._begun > LONGEST:
                child.kill()
            return True
        if code != 0:
            log.warning("not every kept bundle could be written; see %s", self._home.logs / "bundles.log")
            self._due = min(self._due, self._clock() + LOOK_AGAIN_BLIND)
        self._child = None
        return False

    def _start(self) -> subprocess.Popen[bytes]:
        with (self._home.logs / "bundles.log").open("ab") as told:
            return subprocess.Popen(
                python_command("limbeck.main", "okf", "sync", "--kept"),
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=told,
                env=self._environment,
                cwd="/",
            )
