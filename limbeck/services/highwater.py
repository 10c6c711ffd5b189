"""Above its high-water mark the queue gets no more from hooks: they spool until it is well below."""

from __future__ import annotations

import contextlib
from pathlib import Path
from urllib.parse import unquote, urlsplit

from capture.queue import stream_key
from capture.spool import FULL
from limbeck.services.home import Home
from limbeck.services.resp import call
from limbeck.settings import Settings

# The flag goes once the queue is well below the mark, so that it does not flutter around it.
LOW_WATER = 0.8


class HighWater:
    """The flag ``spool/full``, kept true to the queue's length; above ``high`` waiting events it is set."""

    def __init__(self, settings: Settings, home: Home, redis_url: str) -> None:
        """``redis_url`` is the queue; only one on a unix socket is watched here."""
        parts = urlsplit(redis_url)
        self._socket = Path(unquote(parts.path)) if parts.scheme == "unix" else None
        self._stream = stream_key(settings.client)
        self.high = settings.queue_high_water
        self._flag = home.spool / FULL
        self.full = self._flag.exists()

    def look(self) -> None:
        """Set or clear the flag; a queue that does not answer leaves it as it is."""
        waiting: object = None
        if self._socket is not None:
            with contextlib.suppress(OSError):
                waiting = call(self._socket, "XLEN", self._stream)
        if not isinstance(waiting, int):
            return
        self.full = waiting > self.high * (LOW_WATER if self.full else 1.0)
        if self.full:
            self._flag.touch(mode=0o600)
        else:
            self._flag.unlink(missing_ok=True)
