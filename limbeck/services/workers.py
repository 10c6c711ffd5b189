"""What a worker is told of the settings, and the classifier that goes with them wherever drafts are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from limbeck.embeddings import embeddings_of
from limbeck.errors import BadSetting
from limbeck.services.addresses import Addresses, addresses
from limbeck.settings import Settings
from workers.settings import WorkerSettings

if TYPE_CHECKING:
    from backlog.classify.boundary import Classifier
    from schema.database import Database


def worker_settings(settings: Settings, at: Addresses) -> WorkerSettings:
    """Return what a worker is told of the settings. Raises BadSetting where the distiller lacks its key."""
    distiller = settings.distiller
    if distiller == "auto":
        distiller = "anthropic" if settings.anthropic_api_key else "offline"
    if distiller == "anthropic" and not settings.anthropic_api_key:
        raise BadSetting(name="LIMBECK_DISTILLER", why="anthropic needs LIMBECK_ANTHROPIC_API_KEY (or _FILE)")
    return WorkerSettings(
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
        classify_tokens=settings.classify_tokens,
        embeddings=embeddings_of(settings),
        owner_url=at.owner_url,
        retain_days=settings.retain_days,
        retain_audit_days=settings.retain_audit_days,
    )


def classifying(settings: Settings) -> Callable[[Database], Classifier]:
    """Return what makes the classifier of the settings for a database; nothing is read or connected before."""

    def make(database: Database) -> Classifier:
        from workers.classifier import chosen

        return chosen(worker_settings(settings, addresses(settings)), database)

    return make
