"""Something the supervisor does every so often, whose failure stops nothing else."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from schema.failures import told

log = logging.getLogger("limbeck.supervisor")


class Duty:
    """``act`` every ``every`` seconds of ``clock``; an error is logged once, until it changes or goes away."""

    def __init__(
        self, name: str, every: float, act: Callable[[], object], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """It is due at once."""
        self.name, self._every, self._act, self._clock = name, every, act, clock
        self._due = clock()
        self.error: str | None = None

    def do_when_due(self) -> None:
        """Act where it is time."""
        if self._clock() < self._due:
            return
        error = None
        try:
            self._act()
        except Exception as failure:
            error = told(failure)
            if error != self.error:
                log.warning("%s: %s", self.name, error)
        self.error = error
        self._due = self._clock() + self._every
