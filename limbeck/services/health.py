"""Health that tells the truth: what became of every event, how old the oldest waiting thing is, who works.

``measure`` reads the stores; ``problems`` judges, and is pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from limbeck.errors import QueueUnreachable
from limbeck.services.addresses import Addresses
from limbeck.services.requirements import place
from limbeck.services.signs import SCHEDULES, SILENT_AFTER_S, WORKERS, silences
from limbeck.services.waiting import events
from limbeck.ship import files
from schema.database import Database
from schema.health import caught, undistilled
from schema.reading import dispositions
from workers.stream import Stream, connect

# Seconds after which something that waits stands still: a drain is woken several times a second, a session
# is distilled at once, and a worker beats every five seconds.
EVENT_WAITS_TOO_LONG = 60.0
SESSION_WAITS_TOO_LONG = 900.0
# A name that has been silent for so long is of one that is gone, and is not shown any more.
GONE_AFTER = 300.0
# The numbers are read one after the other while events flow, so they are read again until they agree.
READINGS = 5


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the events. received = stored + merged + redelivered + quarantined + pending."""

    received: int = 0
    stored: int = 0
    merged: int = 0
    redelivered: int = 0
    quarantined: int = 0
    pending: int = 0
    spooled: int = 0
    refused: int = 0

    @property
    def agree(self) -> bool:
        """Whether every received event is accounted for."""
        ended = self.stored + self.merged + self.redelivered + self.quarantined
        return self.received == ended + self.pending


@dataclass(frozen=True, slots=True)
class Health:
    """One look. Ages are in seconds, None where nothing waits; ``workers`` and ``schedules`` give each
    one's silence in seconds."""

    client: str
    counts: Counts = Counts()
    oldest_pending: float | None = None
    oldest_spooled: float | None = None
    oldest_undistilled: float | None = None
    undistilled: int = 0
    workers: dict[str, float] = field(default_factory=dict)
    schedules: dict[str, float] = field(default_factory=dict)
    secrets: dict[str, int] = field(default_factory=dict)


def problems(health: Health, *, young: bool = False) -> list[str]:
    """What stands still, one sentence each; empty where all is well.

    ``young`` says that all was started so lately that the schedule's first sign may be under way.
    """
    found = []
    if health.oldest_pending is not None and health.oldest_pending > EVENT_WAITS_TOO_LONG:
        found.append(f"The oldest event has waited {health.oldest_pending:.0f} s; see the worker's log.")
    if health.oldest_spooled is not None and health.oldest_spooled > EVENT_WAITS_TOO_LONG:
        found.append(
            f"The spool has waited {health.oldest_spooled:.0f} s to be sent; see the supervisor's log."
        )
    if health.oldest_undistilled is not None and health.oldest_undistilled > SESSION_WAITS_TOO_LONG:
        found.append(f"A session has waited {health.oldest_undistilled:.0f} s to be distilled.")
    if not any(silence < SILENT_AFTER_S for silence in health.workers.values()):
        found.append("No worker gives a sign of life; run `limbeck up`.")
    if not young and not any(silence < SILENT_AFTER_S for silence in health.schedules.values()):
        found.append(
            "No schedule gives a sign of life; run `limbeck up` (or, in a team, `limbeck schedule`)."
        )
    return found


def measure(client: str, at: Addresses, spool_folder: Path) -> Health:
    """Look at the queue, the database and the spool. Raises QueueUnreachable and DatabaseUnavailable."""
    now = datetime.now(UTC)
    waiting = files.backlog(spool_folder, now.timestamp())
    database = Database(at.database_url, pooled=False)
    redis = connect(at.redis_url)
    try:
        stream = Stream(redis, client)
        for _ in range(READINGS):
            pending = stream.waiting()
            with database.tenant(client) as connection:
                ended = dispositions(connection, client)
            received, spooled = stream.received(), events(spool_folder)
            counts = Counts(received, pending=pending, spooled=spooled, refused=waiting.refused, **ended)
            if counts.agree:
                break
        oldest = stream.oldest_ms()
        workers, schedules = _seen(redis, WORKERS), _seen(redis, SCHEDULES)
        with database.tenant(client) as connection:
            waiting_sessions, since = undistilled(connection, client)
            secrets = caught(connection, client)
    except RedisError as error:
        raise QueueUnreachable(where=place(at.redis_url), why=error) from error
    finally:
        redis.close()
        database.close()
    return Health(
        client=client,
        counts=counts,
        oldest_pending=None if oldest is None else max(0.0, now.timestamp() - oldest / 1000),
        oldest_spooled=waiting.oldest_seconds,
        oldest_undistilled=None if since is None else max(0.0, (now - since).total_seconds()),
        undistilled=waiting_sessions,
        workers=workers,
        schedules=schedules,
        secrets=secrets,
    )


def _seen(redis: Redis, key: str) -> dict[str, float]:
    return {name: silence for name, silence in silences(redis, key).items() if silence < GONE_AFTER}
