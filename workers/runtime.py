"""What a worker process holds open: one database pool and one Redis client, made after the fork."""

from __future__ import annotations

from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from redis import Redis

if TYPE_CHECKING:
    from backlog.classify.boundary import Classifier
    from distill.boundary import Distiller
    from recall.embedding.embedder import Embedder

from schema.database import Database
from workers.settings import WorkerSettings
from workers.stream import Stream, connect


class Runtime:
    """Lazily connected, so that a parent process never shares a connection with its children."""

    def __init__(self, settings: WorkerSettings) -> None:
        """Nothing is connected yet."""
        self.settings = settings

    @cached_property
    def database(self) -> Database:
        """The application role's pool."""
        return Database(self.settings.database_url)

    @cached_property
    def redis(self) -> Redis:
        """The queue's server."""
        return connect(self.settings.redis_url)

    @cached_property
    def distiller(self) -> Distiller:
        """The one that the settings name; a model only with a key."""
        settings = self.settings
        if settings.distiller == "anthropic" and settings.anthropic_key:
            from distill.anthropic.distiller import build
            from distill.spend import caps

            return build(
                self.database,
                settings.anthropic_key,
                model=settings.model,
                caps=caps(settings.daily_usd, settings.session_usd),
                at_cap=settings.at_cap,
                base_url=settings.anthropic_url,
            )
        from distill.offline.distiller import OfflineDistiller

        return OfflineDistiller()

    @cached_property
    def classifier(self) -> Classifier:
        """The one that goes with the distiller."""
        from workers.classifier import chosen

        return chosen(self.settings, self.database)

    @cached_property
    def embedder(self) -> Embedder | None:
        """The one that the settings name; None where meaning is not searched."""
        from recall.embedding.choose import chosen

        return chosen(self.settings.embeddings)

    @property
    def quiet_after(self) -> timedelta:
        """How long a session must be silent before a new start may take its place."""
        return timedelta(seconds=self.settings.quiet_after)

    @property
    def idle_after(self) -> timedelta:
        """How long a session must be silent before it counts as ended."""
        return timedelta(seconds=self.settings.idle_after)

    def stream(self, client: str) -> Stream:
        """The stream of one client."""
        return Stream(self.redis, client)

    def forget_connections(self) -> None:
        """Drop what was inherited over a fork."""
        if "database" in self.__dict__:
            self.database.engine.dispose(close=False)
        self.__dict__.pop("database", None)
        self.__dict__.pop("redis", None)
