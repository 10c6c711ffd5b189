"""The shipper as threads of the supervisor: a slow disk or a queue that is down holds up nothing else."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from limbeck.ship import briefs, loop
from schema.failures import told

RETRY_AFTER = 5.0  # seconds
log = logging.getLogger("limbeck.supervisor")


class Shipper:
    """Empties the spool of one home into the queue, and keeps the briefs that sessions begin with, until stopped."""

    def __init__(self, home: Path, redis_url: str, where: briefs.Where | None = None) -> None:
        """Nothing runs yet. ``redis_url`` may be remote or behind TLS, where hooks always spool.

        ``where`` tells the server's address and a token for it; without it no briefs are kept.
        """
        self._home, self._redis_url, self._where = home, redis_url, where
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="shipper", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()
        if self._where is not None:
            briefs.beside(self._home, self._stop, self._where)

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
                log.warning("the shipper: %s", told(error))
                self._stop.wait(RETRY_AFTER)
