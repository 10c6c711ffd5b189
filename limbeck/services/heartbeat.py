"""A worker's sign of life: ``limbeck:workers`` in Redis, a sorted set of worker names by their last beat.

It is written by the worker's own loop, so a worker that hangs falls silent as one that is gone.
"""

from __future__ import annotations

import contextlib
import time
from typing import Any

from celery import bootsteps
from redis.exceptions import RedisError

from workers.stream import connect

KEY = "limbeck:workers"
BEAT_EVERY_S = 5.0
FORGOTTEN_AFTER_S = 3600.0


class Heartbeat(bootsteps.StartStopStep):
    """A consumer step: beats on the worker's timer, and signs off at an orderly end."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Any, **options: Any) -> None:
        """``parent`` is the consumer."""
        super().__init__(parent, **options)
        self.name = parent.hostname
        self.entry: Any = None

    def start(self, parent: Any) -> None:
        """Begin to beat."""
        self.redis = connect(parent.app.runtime.settings.redis_url, timeout=1.0)
        self.beat()
        self.entry = parent.timer.call_repeatedly(BEAT_EVERY_S, self.beat)

    def stop(self, _parent: Any) -> None:
        """Sign off."""
        if self.entry is not None:
            self.entry.cancel()
            with contextlib.suppress(RedisError):
                self.redis.zrem(KEY, self.name)

    def beat(self) -> None:
        """Say that this worker lives, and forget those that have been silent for an hour."""
        now = time.time()
        with contextlib.suppress(RedisError), self.redis.pipeline(transaction=False) as pipe:
            pipe.zadd(KEY, {self.name: now})
            pipe.zremrangebyscore(KEY, "-inf", now - FORGOTTEN_AFTER_S)
            pipe.execute()
