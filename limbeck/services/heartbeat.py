"""How the worker and the schedule give their signs of life.

Each beats from its own loop, so one that hangs falls silent as one that is gone.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

from celery import bootsteps
from celery.beat import PersistentScheduler

from limbeck.services import signs
from limbeck.services.clockwork import Clockwork
from limbeck.services.sole import Sole
from workers.stream import connect


class Heartbeat(bootsteps.StartStopStep):
    """A consumer step of the worker: beats on its timer, and signs off at an orderly end."""

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
        self.entry = parent.timer.call_repeatedly(signs.BEAT_EVERY_S, self.beat)

    def stop(self, _parent: Any) -> None:
        """Sign off."""
        if self.entry is not None:
            self.entry.cancel()
            signs.sign_off(self.redis, signs.WORKERS, self.name)

    def beat(self) -> None:
        """Say that this worker lives."""
        signs.beat(self.redis, signs.WORKERS, self.name)


class BeatingSchedule(PersistentScheduler):
    """Celery's schedule; it beats each time it looks for what is due."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Celery makes it; ``lazy`` means that it is only described and never runs."""
        options["max_interval"] = signs.BEAT_EVERY_S
        super().__init__(*arguments, **options)
        self.name = f"schedule-{os.getpid()}@{socket.gethostname()}"
        self.redis = connect(self.app.runtime.settings.redis_url, timeout=1.0)

    def tick(self, *arguments: Any, **options: Any) -> float:
        """Send what is due; returns the seconds until the next look."""
        signs.beat(self.redis, signs.SCHEDULES, self.name)
        return float(super().tick(*arguments, **options))

    def close(self) -> None:
        """Sign off and keep on disk when each task last ran."""
        signs.sign_off(self.redis, signs.SCHEDULES, self.name)
        super().close()


class Scheduled(bootsteps.StartStopStep):
    """A step of the worker that runs the schedule beside it for as long as it takes tasks."""

    requires = ("celery.worker.components:Pool",)  # what is forked at the start has no thread beside it

    def create(self, parent: Any) -> Clockwork:
        """Return the thread; Celery starts and stops it."""
        app = parent.app
        kept = app.conf.beat_schedule_filename
        return Clockwork(lambda: BeatingSchedule(app=app, schedule_filename=kept), Sole(Path(kept)))
