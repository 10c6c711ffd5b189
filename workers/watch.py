"""A consumer step of the worker: a few times a second, look for entries and wake a drain. No task waits for one."""

from __future__ import annotations

import logging
from typing import Any

from celery import bootsteps
from redis.exceptions import RedisError

from schema.errors import LimbeckError
from workers.lease import held, wanted
from workers.stream import Stream, connect

EVERY_S = 0.25
RELOAD_CLIENTS_EVERY = 40
log = logging.getLogger(__name__)


class StreamWatch(bootsteps.StartStopStep):
    """Runs in the worker's own loop (its timer), not in a thread and not in a pool process."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Any, **options: Any) -> None:
        """``parent`` is the consumer."""
        super().__init__(parent, **options)
        self.enabled = "ingest" in {queue.name for queue in parent.app.amqp.queues.consume_from.values()}
        self.ticks = 0
        self.streams: list[Stream] = []
        self.entry: Any = None

    def start(self, parent: Any) -> None:
        """Begin to look."""
        self.app = parent.app
        self.redis = connect(self.app.runtime.settings.redis_url, timeout=1.0)
        self.entry = parent.timer.call_repeatedly(EVERY_S, self.look)

    def stop(self, _parent: Any) -> None:
        """Stop looking."""
        if self.entry is not None:
            self.entry.cancel()

    def look(self) -> None:
        """Wake a drain for every stream that has more entries than drains to take them."""
        try:
            if self.ticks % RELOAD_CLIENTS_EVERY == 0:
                self._reload()
            self.ticks += 1
            for stream in self.streams:
                for _ in range(wanted(stream.waiting(), held(stream))):
                    self.app.send_task("ingest.drain", (stream.client,), expires=30)
        except (RedisError, LimbeckError) as error:
            self.ticks = 0
            log.warning("cannot look at the streams: %s", type(error).__name__)

    def _reload(self) -> None:
        database = self.app.runtime.database
        try:
            self.streams = [Stream(self.redis, client) for client in database.clients()]
        finally:
            database.close()
        for stream in self.streams:
            stream.prepare()
