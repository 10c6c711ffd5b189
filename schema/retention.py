"""Retention: whole old partitions of the mirror go once their sessions are distilled, and what went is recorded.

The ledger keeps every event's line (``retained_until`` says when its row went), so the sums stay true, and evidence
that names a dropped row still has its id, kind, time, session and commit. A session that lost evidence is marked, so
that distilling it again only adds. The audit log goes line by line, when its owner says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, CursorResult, text

from schema.database import owner, see

EVIDENCE = ("exchanges", "observations", "commits")  # what a session is distilled from

_BOUND = re.compile(r"FROM \('([^']+)'\) TO \('([^']+)'\)")
_PARTITIONS = text("""
    SELECT child.relname AS name, parent.relname AS mirror, pg_get_expr(child.relpartbound, child.oid) AS bound
    FROM pg_inherits i JOIN pg_class child ON child.oid = i.inhrelid JOIN pg_class parent ON parent.oid = i.inhparent
    WHERE parent.relnamespace = 'public'::regnamespace AND parent.relkind = 'p' AND child.relkind = 'r'
    ORDER BY child.relname
""")


@dataclass(frozen=True, slots=True)
class Partition:
    """One month of one mirror table; ``why`` says what keeps it, empty where it went (or would go)."""

    name: str
    table: str
    since: datetime
    until: datetime
    rows: int = 0
    why: str = ""


def retain(owner_url: str, before: datetime, *, dry_run: bool = False) -> list[Partition]:
    """Drop every partition that ended before ``before``, as the schema's owner; return what was looked at.

    A partition with a row of a session that is not distilled is kept. Each goes in a transaction of its own.
    Raises DatabaseUnavailable, and Refused where the URL is not the owner's.
    """
    with owner(owner_url) as engine:
        with engine.begin() as connection:
            old = [one for one in _partitions(connection) if one.until <= before]
        seen = []
        for partition in old:
            with engine.begin() as connection:
                seen.append(_retire(connection, partition, dry_run))
        return seen


def retain_audit(owner_url: str, before: datetime, *, dry_run: bool = False) -> int:
    """Drop the lines of the audit log older than ``before``, as the schema's owner; return how many there were.

    The application itself can write lines and never drop one. That some went, and how many, is recorded as for a
    partition. Raises DatabaseUnavailable, and Refused where the URL is not the owner's.
    """
    went = 0
    with owner(owner_url) as engine, engine.begin() as connection:
        for client in list(connection.scalars(text("SELECT client FROM clients ORDER BY client"))):
            see(connection, client)
            values = {"client": client, "before": before}
            found = connection.execute(_OLD_LINES, values).one()
            if found.lines and not dry_run:
                connection.execute(_DROP_LINES, values)
                name = f"audit until {before.isoformat()}"
                record = {"name": name, "since": found.since, "until": before, "rows": found.lines}
                connection.execute(_RECORD, values | record)
            went += found.lines
    return went


def _partitions(connection: Connection) -> list[Partition]:
    connection.execute(text("SET LOCAL TimeZone = 'UTC'"))
    found = []
    for row in connection.execute(_PARTITIONS):
        bound = _BOUND.search(row.bound)
        if bound:
            since, until = (datetime.fromisoformat(side) for side in bound.groups())
            found.append(Partition(row.name, row.mirror, since, until))
    return found


def _retire(connection: Connection, partition: Partition, dry_run: bool) -> Partition:
    connection.execute(text("SET LOCAL lock_timeout = '30s'"))
    rows, waiting = 0, 0
    clients = list(connection.scalars(text("SELECT client FROM clients ORDER BY client")))
    for client in clients:
        see(connection, client)
        waiting += _number(connection, _UNDISTILLED, partition, client)
        rows += _number(connection, _ROWS, partition, client)
    if waiting:
        return replace(partition, rows=rows, why=f"{waiting} of its sessions are not distilled")
    if not dry_run:
        for client in clients:
            see(connection, client)
            _note(connection, partition, client)
        connection.execute(text(f"DROP TABLE {_quoted(connection, partition.name)}"))
    return replace(partition, rows=rows)


def _note(connection: Connection, partition: Partition, client: str) -> None:
    """Record for one client what goes, close the windows of observations that are no more, and mark their sessions."""
    values = {"client": client, "name": partition.name, "since": partition.since, "until": partition.until}
    statements = [_LEDGER]
    if partition.table == "observations":
        statements.append(_WINDOWS)
    if partition.table in EVIDENCE:
        statements.append(_SESSIONS)
    for statement in statements:
        _run(connection, statement, partition, client)
    rows = _number(connection, _ROWS, partition, client)
    connection.execute(_RECORD, values | {"rows": rows})


_ROWS = "SELECT count(*) FROM {leaf} p WHERE p.client = :client"
_UNDISTILLED = """
    SELECT count(DISTINCT p.session) FROM {leaf} p JOIN sessions s ON s.client = p.client AND s.session = p.session
    WHERE p.client = :client AND s.state <> 'distilled'
"""
_LEDGER = """
    UPDATE ledger l SET retained_until = now() FROM {leaf} p
    WHERE p.client = :client AND l.client = p.client AND l.mirror = p.id AND l.retained_until IS NULL
"""
_WINDOWS = """
    DELETE FROM windows w USING {leaf} p WHERE p.client = :client AND w.client = p.client AND w.observation = p.id
"""
_SESSIONS = """
    UPDATE sessions s SET evidence_dropped_at = now() FROM (SELECT DISTINCT client, session FROM {leaf}) p
    WHERE p.client = :client AND s.client = p.client AND s.session = p.session
"""
_OLD_LINES = text(
    "SELECT count(*) AS lines, min(at) AS since FROM audit WHERE client = :client AND at < :before"
)
_DROP_LINES = text("DELETE FROM audit WHERE client = :client AND at < :before")
_RECORD = text("""
    INSERT INTO retentions (client, partition, received_from, received_to, mirror_rows)
    VALUES (:client, :name, :since, :until, :rows)
    ON CONFLICT (client, partition) DO UPDATE SET mirror_rows = excluded.mirror_rows, dropped_at = excluded.dropped_at
""")


def _number(connection: Connection, statement: str, partition: Partition, client: str) -> int:
    return int(_run(connection, statement, partition, client).scalar_one())


def _run(connection: Connection, statement: str, partition: Partition, client: str) -> CursorResult[Any]:
    leaf = _quoted(connection, partition.name)
    return connection.execute(text(statement.replace("{leaf}", leaf)), {"client": client})


def _quoted(connection: Connection, name: str) -> str:
    return connection.dialect.identifier_preparer.quote(name)
