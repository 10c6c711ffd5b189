"""The schedule as a thread of the worker: a process of its own for it would cost 35 MB and sleep nearly always."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from typing import Any

from limbeck.services.sole import Sole
from schema.failures import places

AGAIN = 5.0  # seconds until a schedule that failed is begun anew, or one that another process has is asked for again
log = logging.getLogger("limbeck.schedule")

# A task process that is forked while a task is being sent would inherit locks that nobody lets go of.
_sending = threading.Lock()
if hasattr(os, "register_at_fork"):  # not on Windows, where nothing is forked
    os.register_at_fork(
        before=_sending.acquire, after_in_parent=_sending.release, after_in_child=_sending.release
    )


class Clockwork(threading.Thread):
    """Sends what is due until it is stopped; an error is logged, and the schedule begun anew.

    While another process of the home does so this one sends nothing: it takes over once that has ended.
    """

    def __init__(self, make: Callable[[], Any], sole: Sole) -> None:
        """``make`` returns the schedule, one of Celery's."""
        super().__init__(name="schedule", daemon=True)
        self._make, self._sole = make, sole
        self._ended = threading.Event()

    def run(self) -> None:
        """Serve the schedule."""
        if not self._sole.taken():
            log.warning(
                "another process sends this home's periodic tasks; this one takes over once that has ended"
            )
            while not self._sole.taken():
                if self._ended.wait(AGAIN):
                    return
        try:
            while not self._ended.is_set():
                self._begin()
        finally:
            self._sole.let_go()

    def _begin(self) -> None:
        try:
            self._serve(self._make())
        except Exception as error:
            log.error("the schedule failed and is begun anew: %s", places(error))
            self._ended.wait(AGAIN)

    def stop(self) -> None:
        """End, and wait until it has: what it knows is on disk then."""
        self._ended.set()
        self.join()

    def _serve(self, schedule: Any) -> None:
        pause = 0.0
        try:
            while not self._ended.wait(pause):
                with _sending:
                    pause = max(0.0, schedule.tick())
                    if schedule.should_sync():
                        schedule.sync()
        finally:
            schedule.close()
