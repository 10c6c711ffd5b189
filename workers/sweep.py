"""What must happen although nothing arrives: sessions fall silent, work is found again, partitions are made ahead."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import text

from schema.retention import retain, retain_audit
from workers import backlog, commits, index, links, publish, sessions
from workers.distil import ATTEMPTS
from workers.runtime import Runtime

AT_ONCE = 50
MONTHS_AHEAD = 2


def client(runtime: Runtime, name: str, now: datetime) -> list[tuple[str, str]]:
    """Move the silent sessions of one client; return pairs of task and what it is about, to run."""
    with runtime.database.tenant(name) as connection:
        sessions.mark_quiet(connection, name, now, runtime.quiet_after)
        sessions.time_out(connection, name, now, runtime.idle_after)
        found = [("session.distil", one) for one in sessions.undistilled(connection, name, AT_ONCE, ATTEMPTS)]
        found += [("session.index", one) for one in sessions.unindexed(connection, name, AT_ONCE)]
        found += [("message.index", one) for one in index.unindexed(connection, name)]
        found += [("commit.prove", one) for one in links.unproved(connection, name, AT_ONCE)]
        found += [("bundle.publish", one) for one in publish.marked(connection, name)]
        found += [("commit.read", one) for one in commits.unread(connection, name)]
    return found + backlog.due(runtime, name)


def retained(runtime: Runtime, now: datetime) -> list[str]:
    """Drop what the settings keep no longer, as the schema's owner; return a line for the log on each that went.

    Raises DatabaseUnavailable, and Refused where the settings' account is not the owner.
    """
    settings = runtime.settings
    said = []
    if settings.retain_days and settings.owner_url:
        seen = retain(settings.owner_url, now - timedelta(days=settings.retain_days))
        said = [
            f"{one.name}: " + (f"kept, {one.why}" if one.why else f"{one.rows} rows dropped") for one in seen
        ]
    if settings.retain_audit_days and settings.owner_url:
        lines = retain_audit(settings.owner_url, now - timedelta(days=settings.retain_audit_days))
        said += [f"audit: {lines} lines dropped"] if lines else []
    return said


def partitions(runtime: Runtime) -> int:
    """Make the mirror's partitions ahead; returns how many were new."""
    with runtime.database.tenant("") as connection:
        made = connection.scalar(text("SELECT limbeck_make_partitions(:months)"), {"months": MONTHS_AHEAD})
    return int(made or 0)
