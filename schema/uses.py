"""What memory was of use: injected into a session, opened by somebody, cited in a reply; counted for each thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, text

from schema.scope import Scope

KINDS = ("fact", "event", "summary", "memory", "item", "session")
INJECTED, OPENED, CITED = "injected", "opened", "cited"
# An id as an agent repeats it from what it was given: whole, as UUID, as TypeID or as an item's number.
_CITED = re.compile(
    r"\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|mem_[0-9a-z]{26}|(?:US|FE|BU|TA|PO|RE)\d{4,9})\b"
)
MOST_CITED = 50
KEPT_FOR = timedelta(days=30)

_COUNT = """
    INSERT INTO memory_uses AS known (client, owner, kind, ref, {what}, used_at)
    SELECT :client, CASE kind WHEN 'memory' THEN :user ELSE '' END, kind, ref, count, :at FROM unnest(
        CAST(:kinds AS text[]), CAST(:refs AS text[]), CAST(:counts AS bigint[])) AS used (kind, ref, count)
    ORDER BY kind, ref
    ON CONFLICT (client, owner, kind, ref) DO UPDATE
    SET {what} = known.{what} + excluded.{what}, used_at = greatest(known.used_at, excluded.used_at)
"""
_CITABLE = text("""
    SELECT kind, ref FROM search_units WHERE client = :client AND ref = ANY(:refs) AND strpos(kind, ':') = 0
      AND kind IN ('fact', 'event', 'summary', 'memory', 'item')
""")
_KEPT = text("""
    INSERT INTO briefs AS known (client, ident, project, refs, made_at)
    VALUES (:client, :ident, :project, :refs, :at)
    ON CONFLICT (client, ident) DO UPDATE SET made_at = excluded.made_at
""")
_OLD = text("DELETE FROM briefs WHERE client = :client AND made_at < :before")
_GIVEN = text("SELECT ident, refs FROM briefs WHERE client = :client AND ident = ANY(:idents)")
_STAMPS = """
    WITH recent AS (
        SELECT p.project, p.name FROM projects p
        LEFT JOIN LATERAL (SELECT max(s.last_at) AS last_at FROM sessions s
                           WHERE s.client = p.client AND s.project = p.project) s ON true
        WHERE {scope} ORDER BY s.last_at DESC NULLS LAST, p.project LIMIT :limit
    )
    SELECT r.project::text AS project, r.name,
           (coalesce(c.marks, 0) + (SELECT count(*) FROM bundle_marks m
               WHERE m.client = :client AND m.project = r.project))::text AS stamp,
           ARRAY(SELECT k.key FROM project_keys k WHERE k.client = :client AND k.project = r.project
                 ORDER BY k.key) AS keys
    FROM recent r LEFT JOIN mark_counts c ON c.client = :client AND c.project = r.project
"""


def count(
    connection: Connection,
    client: str,
    what: str,
    used: Mapping[tuple[str, str], int],
    at: datetime,
    user: str = "",
) -> None:
    """Add to how often each (kind, ref) was INJECTED, OPENED or CITED; a memory counts for its ``user`` alone."""
    if not used:
        return
    if what not in (INJECTED, OPENED, CITED):
        raise ValueError(what)
    pairs = list(used)
    values = {
        "client": client,
        "kinds": [kind for kind, _ in pairs],
        "refs": [ref for _, ref in pairs],
        "counts": [used[pair] for pair in pairs],
        "at": at,
        "user": user,
    }
    connection.execute(text(_COUNT.format(what=what)), values)


def used(connection: Connection, scope: Scope, kind: str | None, limit: int) -> list[dict[str, Any]]:
    """What was of use most often: ``kind``, ``ref``, the three counts, ``used_at``; of personal rows the user's own."""
    statement = text("""
        SELECT kind, ref, injected, opened, cited, used_at FROM memory_uses
        WHERE client = :client AND owner IN ('', :user) AND (CAST(:kind AS text) IS NULL OR kind = :kind)
        ORDER BY cited DESC, opened DESC, injected DESC, kind, ref LIMIT :limit
    """)
    values = {"client": scope.client, "user": scope.user, "kind": kind, "limit": limit}
    return [dict(row) for row in connection.execute(statement, values).mappings()]


def cite(connection: Connection, client: str, replies: Iterable[str], at: datetime) -> None:
    """Count what ``replies`` name by its id; an id that is none of ours counts nothing."""
    named: Counter[str] = Counter()
    for reply in replies:
        named.update(sorted(set(_CITED.findall(reply)))[:MOST_CITED])
    if named:
        found = connection.execute(_CITABLE, {"client": client, "refs": list(named)}).all()
        count(connection, client, CITED, {(kind, ref): named[ref] for kind, ref in found}, at)


def keep(
    connection: Connection, client: str, project: str, ident: str, refs: Sequence[str], at: datetime
) -> None:
    """Note what the brief ``ident`` of a project tells of (``kind:id`` each); those of long ago go."""
    values = {"client": client, "project": project, "ident": ident, "refs": list(refs), "at": at}
    connection.execute(_KEPT, values)
    connection.execute(_OLD, {"client": client, "before": at - KEPT_FOR})


def given(connection: Connection, client: str, idents: Sequence[str], at: datetime) -> None:
    """Count what sessions were given that began with the briefs ``idents``, one for each session."""
    if not idents:
        return
    times = Counter(idents)
    used: Counter[tuple[str, str]] = Counter()
    for ident, refs in connection.execute(_GIVEN, {"client": client, "idents": list(times)}).all():
        for ref in refs:
            kind, _, its_id = ref.partition(":")
            used[kind, its_id] += times[ident]
    count(connection, client, INJECTED, used, at)


def stamps(connection: Connection, scope: Scope, limit: int = 50) -> list[dict[str, Any]]:
    """The projects worked on most lately: ``project``, ``name``, its ``keys``, and a ``stamp``.

    The stamp counts every change there ever was of what a brief shows: it only grows, whatever is swept meanwhile.
    """
    statement = text(_STAMPS.format(scope=scope.where("p")))
    return [dict(row) for row in connection.execute(statement, scope.values | {"limit": limit}).mappings()]
