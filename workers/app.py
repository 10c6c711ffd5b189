"""The Celery application: how tasks are delivered, and when.

Delivery: late acknowledgement and rejection on a lost worker, so a task runs at least once; every task is idempotent.
``visibility_timeout`` is longer than any task may run (a drain ends itself after seconds, a distillation has its own
time-outs), since Redis hands a task out again after it. Results are off: nobody reads them.
"""

from __future__ import annotations

from typing import Any

from celery import Celery
from celery.signals import worker_process_init

from workers import tasks
from workers.runtime import Runtime
from workers.settings import WorkerSettings
from workers.watch import StreamWatch

VISIBILITY_TIMEOUT_S = 3600
TASK_LIMIT_S = 1800
SWEEP_EVERY_S = 10.0
INGEST, DISTIL = QUEUES = ("ingest", "distil")
HOUR_S = 3600.0
DAY_S = 24 * HOUR_S


def create_app(settings: WorkerSettings) -> Celery:
    """Return the application bound to ``settings``; nothing is connected until a worker starts."""
    app = Celery("limbeck", broker=settings.broker_url, set_as_current=False)
    app.conf.update(_configuration(sweep_every=max(1.0, min(SWEEP_EVERY_S, settings.idle_after / 3))))
    app.runtime = Runtime(settings)
    app.steps["consumer"].add(StreamWatch)
    tasks.register(app)
    worker_process_init.connect(_forked(app), weak=False)
    return app


def _configuration(sweep_every: float) -> dict[str, Any]:
    return {
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_ignore_result": True,
        "result_backend": None,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        "task_time_limit": TASK_LIMIT_S,
        "broker_connection_retry_on_startup": True,
        "broker_transport_options": {
            "visibility_timeout": VISIBILITY_TIMEOUT_S,
            "socket_timeout": 10.0,
            "socket_connect_timeout": 5.0,
        },
        "task_publish_retry_policy": {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.2},
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "enable_utc": True,
        "timezone": "UTC",
        "task_default_queue": INGEST,
        "task_routes": {
            name: {"queue": DISTIL}
            for name in (
                "session.*",
                "message.*",
                "commit.*",
                "backlog.*",
                "bundle.*",
                "units.*",
                "sweep.index",
                "sweep.fold",
                "sweep.retain",
            )
        },
        "beat_schedule": {
            "sweep": {"task": "sweep.all", "schedule": sweep_every, "options": {"expires": sweep_every}},
            "partitions": {"task": "sweep.partitions", "schedule": DAY_S},
            "retain": {"task": "sweep.retain", "schedule": DAY_S},
            "index": {"task": "sweep.index", "schedule": HOUR_S},
        },
    }


def _forked(app: Celery) -> Any:
    def reset(**_: object) -> None:
        app.runtime.forget_connections()

    return reset
