"""Bounded time: a timer that interrupts even a running pattern, and a clock to ask between steps.

Both count this thread's processor time, not the wall's: other work on the machine must not cost a text.
"""

import gc
from time import thread_time

from capture.redact import programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
    from types import FrameType
    from typing import Any
else:
    import _signal

_TIMER = getattr(_signal, "ITIMER_VIRTUAL", None)
_AGAIN = 0.002  # an exception raised inside a finaliser is lost, so the timer fires until it is stopped


class DeadlinePassed(Exception):
    """The time allowed for redaction has passed."""


class Deadline:
    """``seconds`` of processor time from the first ``start``; shared by every field of one event.

    On the main thread a timer raises ``DeadlinePassed`` in the middle of a match; elsewhere, and
    with an injected ``clock`` (seconds, rising), only ``check`` between steps does. Time spent compiling
    patterns is not counted, and while the timer runs nothing is collected: a large process would spend a text's time
    on that, and what is raised inside a collection is lost. In a process that does nothing else, ``from_start``
    counts what it used before the first ``start``, too, but leaves at least half of the time.
    """

    __slots__ = (
        "_armed",
        "_clock",
        "_collects",
        "_compiled",
        "_end",
        "_from_start",
        "_handler",
        "_seconds",
        "_timed",
        "_timer",
    )

    def __init__(
        self, seconds: float, clock: "Callable[[], float] | None" = None, from_start: bool = False
    ) -> None:
        """Allow ``seconds``; the count begins with the first ``start``."""
        self._seconds = seconds
        self._clock = clock or thread_time
        self._timed = clock is None and _TIMER is not None
        self._end: float | None = None
        self._from_start = from_start
        self._compiled = 0.0
        self._armed = False
        self._collects = False
        self._handler: Any = None
        self._timer = (0.0, 0.0)

    def remaining(self) -> float:
        """Seconds left, below zero once passed."""
        if self._end is None:
            return self._seconds
        return self._end + (programs.compile_seconds - self._compiled) - self._clock()

    def check(self) -> None:
        """Raise DeadlinePassed once the time is over."""
        if self.remaining() <= 0:
            raise DeadlinePassed

    def start(self) -> None:
        """Begin or resume; raises DeadlinePassed where no time is left."""
        if self._end is None:
            now, self._compiled = self._clock(), programs.compile_seconds
            used = max(now - self._compiled, 0.0) if self._from_start else 0.0
            self._end = now + max(self._seconds - used, self._seconds / 2)
        self.check()
        if self._timed and not self._armed:
            self._arm()

    def _arm(self) -> None:
        if _TIMER is None:
            return
        try:
            self._handler = _signal.signal(_signal.SIGVTALRM, self._fire)
        except ValueError:  # not the main thread: checks between steps have to do
            self._timed = False
            return
        self._armed = True
        self._collects = gc.isenabled()
        gc.disable()
        self._timer = _signal.setitimer(_TIMER, max(self.remaining(), 1e-4), _AGAIN)

    def _fire(self, _signum: int, _frame: "FrameType | None") -> None:
        if not self._armed:
            return
        left = self.remaining()
        if left > 0 and _TIMER is not None:
            _signal.setitimer(_TIMER, max(left, 1e-3), _AGAIN)
            return
        raise DeadlinePassed

    def stop(self) -> None:
        """Disarm and put back the handler and the timer found at ``start``; harmless twice."""
        if not self._armed or _TIMER is None:
            return
        self._armed = False
        _signal.setitimer(_TIMER, 0)
        _signal.signal(_signal.SIGVTALRM, self._handler if self._handler is not None else _signal.SIG_DFL)
        if self._timer[0]:
            _signal.setitimer(_TIMER, self._timer[0], self._timer[1])
        if self._collects:
            gc.enable()
