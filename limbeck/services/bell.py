"""A bell that a signal handler may ring.

``threading.Event`` is not for that: its lock is not reentrant, so a handler that sets it while the same thread is
just beginning to wait stands still for ever.
"""

from __future__ import annotations

import contextlib
import os
import select


class Bell:
    """Rings once and stays rung."""

    def __init__(self) -> None:
        """A pipe that nothing has been written to yet."""
        self._ear, self._rope = os.pipe()
        os.set_blocking(self._rope, False)

    def ring(self) -> None:
        """Ring; safe in a signal handler, any number of times."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._rope, b"!")

    def heard(self, seconds: float) -> bool:
        """Wait up to ``seconds``; True once it was rung, at once where it was rung before."""
        return bool(select.select([self._ear], [], [], seconds)[0])
