"""What the shipper does at leisure: one commit after another is measured beside its own work, and never before it."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from pathlib import Path

from capture.config import HookConfig
from capture.envelope import encode
from limbeck.ship import errands
from limbeck.ship.code.measurer import Measurer
from limbeck.ship.errors import NotMeasured
from limbeck.ship.sender import Sender

log = logging.getLogger("limbeck.ship")


class Later:
    """The folder of what can wait in one spool; an errand in it is removed once its event was answered."""

    def __init__(self, spool: Path, measurer: Measurer | None = None) -> None:
        """Nothing is begun yet."""
        self._spool, self._measurer = spool, measurer or Measurer()
        self._current: Path | None = None
        self._listed: deque[Path] = deque()  # what waited at the last look into the folder, the oldest first

    def look(self, config: Callable[[], HookConfig], sender: Sender, wait: float = 0.0) -> int:
        """Send what was measured since the last look and begin the next; return how many events were sent.

        Waits at most ``wait`` seconds. What cannot be measured is set aside. Raises QueueUnavailable with the errand
        kept, to be measured again.
        """
        if self._current is None and not self._begin(config):
            return 0
        sent = 0
        if self._current is not None:
            try:
                found = self._measurer.answer(wait)
            except NotMeasured as error:
                self._refuse(self._current, str(error))
            else:
                if found is None:
                    return 0
                current, self._current = self._current, None
                if found[0] is not None:
                    sender.send([encode(found[0])])
                    sent = 1
                current.unlink(missing_ok=True)
        self._begin(config)
        return sent

    def finish(self, config: Callable[[], HookConfig], sender: Sender) -> int:
        """Do everything that waits now; return how many events were sent. Raises QueueUnavailable."""
        sent = 0
        while self._current is not None or self._listed or errands.waiting(self._spool, errands.LATER):
            sent += self.look(config, sender, wait=1.0)
        return sent

    def close(self) -> None:
        """Stop measuring; what is not done stays."""
        self._measurer.close()
        self._current = None
        self._listed.clear()

    def _begin(self, config: Callable[[], HookConfig]) -> bool:
        """Ask for the oldest; False where nothing waits, and then no process is kept."""
        while (path := self._next()) is not None:
            try:
                envelope = errands.without_need(errands.read(path))
            except (OSError, ValueError, RecursionError) as error:
                self._refuse(path, type(error).__name__)
                continue
            self._current = path
            self._measurer.begin(envelope, config().policy)
            return True
        self._measurer.close()
        return False

    def _next(self) -> Path | None:
        """The oldest that waits. The folder is listed anew only once what was listed is used up: it may be long."""
        if not self._listed:
            self._listed.extend(errands.waiting(self._spool, errands.LATER))
        while self._listed:
            path = self._listed.popleft()
            if path.exists():
                return path
        return None

    def _refuse(self, path: Path, why: str) -> None:
        log.warning("the errand %s is set aside: %s", path.name, why)
        errands.set_aside(path)
        self._current = None
