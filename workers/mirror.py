"""The mirror's SQL: what is known already, and the writing of a batch. Runs inside one client's transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import md5

from sqlalchemy import Connection, text

from workers.rows import Batch
from workers.window import LENGTH, Window, Windows


@dataclass(slots=True)
class Merged:
    """How many more calls fell into the window of a stored observation, the latest of them at ``last_at``."""

    window: Window
    more: int
    last_at: datetime


def serialise(connection: Connection, client: str) -> None:
    """Let one ingest transaction of a client write at a time: decisions are made once, constraints only guard."""
    connection.execute(
        text("SELECT pg_advisory_xact_lock(hashtextextended('limbeck ingest ' || :client, 0))"),
        {"client": client},
    )


def known_entries(connection: Connection, client: str, entries: Sequence[str]) -> set[str]:
    """Stream entries whose effect is committed already (the acknowledgement was lost)."""
    statement = text("SELECT entry FROM ledger WHERE client = :client AND entry = ANY(:entries)")
    return set(connection.scalars(statement, {"client": client, "entries": list(entries)}))


def known_keys(connection: Connection, client: str, keys: Sequence[str]) -> dict[str, str | None]:
    """Identities that are stored or merged already, with their mirror row."""
    statement = text("""
        SELECT key, mirror::text FROM ledger
        WHERE client = :client AND identity = ANY(cast(:identities AS uuid[])) AND disposition IN ('stored', 'merged')
    """)
    rows = connection.execute(statement, {"client": client, "identities": [identity(key) for key in keys]})
    return dict(rows.all())


def identity(key: str) -> str:
    """A key in the sixteen bytes that the ledger's index holds; two keys of one identity are refused, not merged."""
    return md5(key.encode(), usedforsecurity=False).hexdigest()


def known_twins(
    connection: Connection, client: str, digests: Sequence[bytes]
) -> dict[bytes, list[tuple[datetime, str | None]]]:
    """Times (and mirror rows) at which events with these digests are stored."""
    statement = text("""
        SELECT digest, event_at, mirror::text FROM ledger
        WHERE client = :client AND digest = ANY(:digests) AND disposition IN ('stored', 'merged')
    """)
    found: dict[bytes, list[tuple[datetime, str | None]]] = {}
    for digest, at, mirror in connection.execute(statement, {"client": client, "digests": list(digests)}):
        found.setdefault(bytes(digest), []).append((at, mirror))
    return found


def windows(
    connection: Connection, client: str, fingerprints: Sequence[str], since: datetime, until: datetime
) -> dict[str, Windows]:
    """The windows of ``fingerprints`` that matter to events between ``since`` and ``until``."""
    statement = text("""
        SELECT f.fingerprint, w.* FROM unnest(cast(:fingerprints AS uuid[])) AS f (fingerprint)
        CROSS JOIN LATERAL (
            SELECT lower(span), upper(span), observation::text, received_at FROM windows
            WHERE client = :client AND fingerprint = f.fingerprint AND upper(span) > :since AND lower(span) < :until
            OFFSET 0  -- one look a fingerprint, whatever the statistics of a young table suggest
        ) w ORDER BY 2
    """)
    found: dict[str, Windows] = {}
    values = {
        "client": client,
        "fingerprints": list(fingerprints),
        "since": since - LENGTH,
        "until": until + LENGTH,
    }
    for fingerprint, *window in connection.execute(statement, values):
        found.setdefault(fingerprint.hex, Windows()).held.append(Window(*window))
    return found


def merge_into(connection: Connection, client: str, merged: Sequence[Merged]) -> None:
    """Count further identical calls on rows that exist."""
    if not merged:
        return
    connection.execute(
        text("""
            UPDATE observations o SET count = o.count + m.more, last_at = greatest(o.last_at, m.last_at)
            FROM unnest(cast(:ids AS uuid[]), cast(:received AS timestamptz[]), cast(:more AS integer[]),
                        cast(:last AS timestamptz[])) AS m (id, received_at, more, last_at)
            WHERE o.client = :client AND o.id = m.id AND o.received_at = m.received_at
        """),
        {
            "client": client,
            "ids": [one.window.observation for one in merged],
            "received": [one.window.received_at for one in merged],
            "more": [one.more for one in merged],
            "last": [one.last_at for one in merged],
        },
    )


def write(connection: Connection, batch: Batch) -> None:
    """Insert every row of ``batch``; constraints refuse what another writer was first with.

    One statement a table over a JSON array: COPY does not run under row security.
    """
    for table, rows in batch.rows.items():
        if not rows:
            continue
        columns = ", ".join(rows[0])
        connection.execute(
            text(f"""
                INSERT INTO {table} ({columns})
                SELECT {columns} FROM json_populate_recordset(NULL::{table}, cast(:rows AS json))
            """),  # noqa: S608 - tables and columns are our own constants
            {"rows": json.dumps(rows)},
        )


def count(connection: Connection, client: str, dispositions: dict[str, int]) -> None:
    """Move the running counts of dispositions in the transaction that made them true."""
    connection.execute(
        text("""
            INSERT INTO ledger_counts (client, disposition, events)
            SELECT :client, * FROM unnest(:names ::text[], :events ::bigint[])
            ON CONFLICT (client, disposition) DO UPDATE SET events = ledger_counts.events + excluded.events
        """),
        {"client": client, "names": list(dispositions), "events": list(dispositions.values())},
    )


def count_redactions(connection: Connection, client: str, net: str, hits: dict[str, int]) -> None:
    """Add to what ``net`` ('hook' or 'worker') caught today, by rule."""
    if not hits:
        return
    connection.execute(
        text("""
            INSERT INTO redactions (client, net, rule, day, hits)
            SELECT :client, :net, rule, (now() AT TIME ZONE 'UTC')::date, hits
            FROM unnest(:rules ::text[], :hits ::bigint[]) AS caught (rule, hits)
            ON CONFLICT (client, net, rule, day) DO UPDATE SET hits = redactions.hits + excluded.hits
        """),
        {"client": client, "net": net, "rules": sorted(hits), "hits": [hits[rule] for rule in sorted(hits)]},
    )


def span(start: datetime, end: datetime) -> str:
    """[start, end) as Postgres reads it."""
    return f"[{start.isoformat()},{end.isoformat()})"


def rewrite(connection: Connection, client: str, project: str, pairs: Iterable[Sequence[str]]) -> None:
    """Note that commits were replaced (amend, rebase): the old ones point to the new and count no more."""
    told = {old: new for old, new in pairs if old != new}
    if not told:
        return
    connection.execute(
        text("""
            INSERT INTO rewrites (client, project, old, new)
            SELECT :client, :project, * FROM unnest(:old ::text[], :new ::text[])
            ON CONFLICT (client, project, old) DO UPDATE SET new = excluded.new
        """),
        {"client": client, "project": project, "old": list(told), "new": list(told.values())},
    )
    _apply_rewrites(connection, "c.sha = ANY(:shas)", client=client, shas=list(told))


def catch_up(connection: Connection, client: str, commits: Sequence[str]) -> None:
    """Apply what was told of these commits (ids of rows) before they arrived: the shipper completes them later."""
    _apply_rewrites(connection, "c.id = ANY(cast(:ids AS uuid[]))", client=client, ids=list(commits))


def _apply_rewrites(connection: Connection, which: str, **values: object) -> None:
    connection.execute(
        text(f"""
            UPDATE commits c SET rewritten_to = r.new, read_at = NULL FROM rewrites r
            WHERE c.client = :client AND {which}
              AND r.client = c.client AND r.project = c.project AND r.old = c.sha
        """),  # noqa: S608 - one of the two conditions above
        values,
    )
