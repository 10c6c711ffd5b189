"""The Celery application as the settings want it; the worker and the schedule both run it."""

from __future__ import annotations

from pathlib import Path

from celery import Celery
from celery.signals import setup_logging

from limbeck.services.addresses import addresses
from limbeck.services.heartbeat import BeatingSchedule, Heartbeat
from limbeck.services.home import Home
from limbeck.services.requirements import check_redis
from limbeck.services.workers import worker_settings
from limbeck.settings import Settings
from schema.logs import quietly
from schema.migrate import require_current
from workers.app import create_app


def application(settings: Settings, home: Home) -> Celery:
    """Make the application once the queue answers and the database has this version's schema.

    Raises the errors of ``check_redis`` and ``require_current``.
    """
    at = addresses(settings, home)
    check_redis(at.redis_url)
    require_current(at.database_url)
    app = create_app(worker_settings(settings, at))
    app.steps["consumer"].add(Heartbeat)

    def log(**_: object) -> None:
        """Write the log in place of Celery, which would say an error's own words."""
        quietly(settings.log_level)

    setup_logging.connect(log, weak=False)
    app.conf.beat_scheduler = BeatingSchedule
    return app


def schedule_file(home: Home) -> Path:
    """Where the schedule keeps when each periodic task last ran."""
    return home.run / "schedule"
