"""Whose turn it is to supervise a home: one process holds ``run/lock``, and others leave once they know who."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from filelock import FileLock, Timeout

from limbeck.services import state as states
from limbeck.services.home import Home
from limbeck.services.state import Phase

LOOK_EVERY = 0.1  # seconds
log = logging.getLogger("limbeck.supervisor")


def take(home: Home, pause: Callable[[float], object] = time.sleep) -> FileLock | None:
    """Return the lock once it is ours, or None once its holder has said that it starts or runs everything.

    A lock alone says nothing of its holder: it may not have written its first word yet, be on its way out, or be a
    `limbeck down` that clears up. Such a one is waited for, and whoever comes after it is us or another that tells.
    """
    lock = FileLock(home.run / "lock", mode=0o600)
    waits = False
    while True:
        try:
            lock.acquire(timeout=0)
            return lock
        except Timeout:
            found = states.read(home.run)
            if found is not None and found.phase in (Phase.STARTING, Phase.READY) and found.alive:
                return None
        if not waits:
            log.info("another process holds %s; its word or its end is waited for", lock.lock_file)
            waits = True
        pause(LOOK_EVERY)
