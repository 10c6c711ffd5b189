"""One child that is kept running: started, watched, and started again after a growing pause."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from typing import Protocol

from limbeck.services.child import Identity, ending
from limbeck.services.state import ChildState
from schema.errors import LimbeckError

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
# A child that lived this long (seconds) has earned a quick restart again.
HEALTHY_AFTER = 60.0
# A child that is renewed may end its running tasks for so long (seconds); what is cut off is done again.
RENEWED_WITHIN = 120.0
KILLED = f"was killed: asked to end after a change of the settings, it had not after {RENEWED_WITHIN:.0f} s"


class Service(Protocol):
    """What can be kept running."""

    def start(self, *, pause: Callable[[float], object]) -> subprocess.Popen[bytes]:
        """Start, wait until it answers, return the child."""

    def stop(self) -> None:
        """Stop in order; nothing where it does not run."""


class Kept:
    """A service and its present child. Times are those of ``clock`` (seconds)."""

    def __init__(self, name: str, service: Service, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing is started yet."""
        self.name, self.service, self._clock = name, service, clock
        self.state = ChildState()
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._retry_at = 0.0
        self._pause = FIRST_PAUSE
        self._renewed = self._killed = False
        self._end_by = 0.0

    def start(self, pause: Callable[[float], object]) -> None:
        """Start it for the first time; the errors are the service's own."""
        self._process = self.service.start(pause=pause)
        self._started_at = self._clock()
        self.state.identity = Identity.of(self._process.pid)
        self.state.error = None

    def try_to_start(self, pause: Callable[[float], object]) -> None:
        """Start it for the first time; where that fails, ``state`` tells and ``watch`` tries again."""
        try:
            self.start(pause)
        except (LimbeckError, OSError) as error:
            self._fell(str(error), self._clock())

    def renew(self) -> None:
        """Ask the child to end in order, as after a change of the settings; ``watch`` starts it again right after.

        One that has not ended after RENEWED_WITHIN seconds is killed by ``watch``, which tells.
        """
        if self._process is None:
            self._retry_at = self._clock()
        elif not self._renewed:
            self._renewed, self._end_by = True, self._clock() + RENEWED_WITHIN
            self._process.terminate()

    def watch(self, pause: Callable[[float], object]) -> bool:
        """Reap it where it ended, start it again after its pause; returns whether anything changed."""
        now = self._clock()
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return (
                    self._renewed and not self._killed and now >= self._end_by and self._kill(self._process)
                )
            if now - self._started_at >= HEALTHY_AFTER:
                self._pause = FIRST_PAUSE
            killed = f"it starts again; it {KILLED}" if self._killed else "it starts again"
            self._fell(killed if self._renewed else f"it {ending(code)}", now)
            if self._renewed:
                self._retry_at, self._pause = now, FIRST_PAUSE
            return True
        if now < self._retry_at:
            return False
        before = self._started_at
        try:
            self.start(pause)
            self.state.restarts += before > 0.0 and not self._renewed
            self._renewed = self._killed = False
        except (LimbeckError, OSError) as error:
            self._fell(str(error), self._clock())
        return True

    def _kill(self, process: subprocess.Popen[bytes]) -> bool:
        """End one that does not end; what it leaves of itself, its service clears up before the next start."""
        self._killed = True
        self.state.error = f"it {KILLED}"
        process.kill()
        return True

    def _fell(self, why: str, now: float) -> None:
        self._process = None
        self.state.identity = None
        self.state.error = why
        self._retry_at = now + self._pause
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
