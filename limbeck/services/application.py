"""The Celery application as the settings want it; the worker and the schedule both run it."""

from __future__ import annotations

from pathlib import Path

from celery import Celery

from limbeck.embeddings import embeddings_of
from limbeck.errors import BadSetting
from limbeck.services.addresses import addresses
from limbeck.services.heartbeat import BeatingSchedule, Heartbeat
from limbeck.services.home import Home
from limbeck.services.requirements import check_redis
from limbeck.settings import Settings
from schema.migrate import require_current
from workers.app import create_app
from workers.settings import WorkerSettings


def application(settings: Settings, home: Home) -> Celery:
    """Make the application once the queue answers and the database has this version's schema.

    Raises the errors of ``check_redis`` and ``require_current``.
    """
    at = addresses(settings, home)
    check_redis(at.redis_url)
    require_current(at.database_url)
    distiller = settings.distiller
    if distiller == "auto":
        distiller = "anthropic" if settings.anthropic_api_key else "offline"
    if distiller == "anthropic" and not settings.anthropic_api_key:
        raise BadSetting(name="LIMBECK_DISTILLER", why="anthropic needs LIMBECK_ANTHROPIC_API_KEY (or _FILE)")
    app = create_app(
        WorkerSettings(
            database_url=at.database_url,
            redis_url=at.redis_url,
            idle_after=settings.idle_minutes * 60.0,
            distiller=distiller,
            anthropic_key=settings.anthropic_api_key,
            anthropic_url=settings.anthropic_url,
            model=settings.model,
            daily_usd=settings.daily_usd,
            session_usd=settings.session_usd,
            at_cap="wait" if settings.at_cap == "wait" else "offline",
            embeddings=embeddings_of(settings),
        )
    )
    app.steps["consumer"].add(Heartbeat)
    app.conf.beat_scheduler = BeatingSchedule
    return app


def schedule_file(home: Home) -> Path:
    """Where the schedule keeps when each periodic task last ran."""
    return home.run / "schedule"
