"""The shipper as a thread of the supervisor: a slow disk or a queue that is down holds up nothing else."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from limbeck.ship import loop

RETRY_AFTER = 5.0  # seconds
log = logging.getLogger("limbeck.supervisor")


class Shipper:
    """Empties the spool of one home into the queue until stopped."""

    def __init__(self, home: Path, redis_url: str) -> None:
        """Nothing runs yet. ``redis_url`` may be remote or behind TLS, where hooks always spool."""
        self._home, self._redis_url = home, redis_url
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="shipper", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, seconds: float = 15.0) -> None:
        """End after the batch at hand; what was not answered stays in the spool."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                loop.run(self._home, self._stop, self._redis_url)
            except Exception as error:
                log.warning("the shipper: %s: %s", type(error).__name__, error)
                self._stop.wait(RETRY_AFTER)
