"""Waiting for something to become true, for a bounded time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_never = threading.Event()


def until(true: Callable[[], object], seconds: float = 20.0) -> None:
    """Return as soon as ``true()`` is; fail after ``seconds``."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come true"
        _never.wait(0.01)
