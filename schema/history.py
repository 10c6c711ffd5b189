"""What happened, newest first: commits, events, and all of it in one stream."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.errors import NotFound
from schema.scope import Scope

After = tuple[datetime, str] | None

_COMMITS = """
    SELECT c.id::text, c.sha, c.message, c.author, c.at, c.branch, c.link, c.session::text, p.name AS project,
           c.exchange::text AS prompt, jsonb_array_length(c.files) AS files_total,
           (SELECT coalesce(jsonb_agg(f), '[]') FROM (
                SELECT f FROM jsonb_array_elements(c.files) AS f LIMIT 50) AS first) AS files
    FROM commits c JOIN projects p ON p.client = c.client AND p.project = c.project
    WHERE {scope} AND c.rewritten_to IS NULL
      AND (cast(:since AS timestamptz) IS NULL OR c.at >= :since)
      AND (cast(:until AS timestamptz) IS NULL OR c.at < :until)
      AND (cast(:author AS text) IS NULL OR strpos(lower(c.author), lower(:author)) > 0)
      AND (cast(:session AS uuid) IS NULL OR c.session = :session)
      AND (cast(:file AS text) IS NULL OR c.id IN (SELECT o.commit FROM code_observations o
                                                   WHERE {touching} AND o.path = :file))
      AND (cast(:after_at AS timestamptz) IS NULL OR (c.at, c.id) < (:after_at, cast(:after_id AS uuid)))
    ORDER BY c.at DESC, c.id DESC LIMIT :limit
"""

_EVENT = """
    SELECT e.id::text, e.kind, e.title, e.text, e.at, e.recorded_at, e.session::text, e.files, e.origin, e.author,
           e.answered_by::text, e.evidence, p.name AS project, e.project::text AS project_id
    FROM events e JOIN projects p ON p.client = e.client AND p.project = e.project
    WHERE {scope}
"""
_EVENTS = (
    _EVENT
    + """
      AND (cast(:kind AS text) IS NULL OR e.kind = :kind)
      AND (NOT cast(:open AS boolean) OR (e.kind = 'question' AND e.answered_by IS NULL))
      AND (cast(:session AS uuid) IS NULL OR e.session = :session)
      AND (cast(:file AS text) IS NULL OR :file = ANY(e.files))
      AND (cast(:since AS timestamptz) IS NULL OR e.at >= :since)
      AND (cast(:until AS timestamptz) IS NULL OR e.at < :until)
      AND (cast(:after_at AS timestamptz) IS NULL OR (e.at, e.id) < (:after_at, cast(:after_id AS uuid)))
    ORDER BY e.at DESC, e.id DESC LIMIT :limit
"""
)

# Each part brings its own latest, so that an index by time serves it however long the history is.
_RECENT = """
    SELECT happened.kind, happened.id::text, happened.at, happened.title, happened.text, happened.session::text,
           happened.files, happened.author, p.name AS project
    FROM (
        (SELECT 'session' AS kind, m.session AS id, m.at, m.title, left(m.text, 600) AS text, m.session, m.project
                AS project_id, m.files[1:10] AS files, NULL AS author
         FROM session_summaries m WHERE {scope_m} {since_m} {after_m} ORDER BY m.at DESC, m.session DESC LIMIT :limit)
        UNION ALL
        (SELECT e.kind, e.id, e.at, e.title, left(e.text, 600), e.session, e.project, e.files[1:10], e.author
         FROM events e WHERE {scope_e} {since_e} {after_e} ORDER BY e.at DESC, e.id DESC LIMIT :limit)
        UNION ALL
        (SELECT 'commit', c.id, c.at, split_part(c.message, chr(10), 1), left(c.sha, 12), c.session, c.project,
                ARRAY(SELECT f ->> 'path' FROM jsonb_array_elements(c.files) AS f LIMIT 10), c.author
         FROM commits c WHERE {scope_c} AND c.rewritten_to IS NULL {since_c} {after_c}
         ORDER BY c.at DESC, c.id DESC LIMIT :limit)
    ) AS happened
    JOIN projects p ON p.client = :client AND p.project = happened.project_id
    ORDER BY happened.at DESC, happened.id DESC LIMIT :limit
"""


def commits(
    connection: Connection,
    scope: Scope,
    *,
    file: str | None = None,
    author: str | None = None,
    session: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    after: After = None,
    limit: int = 20,
) -> list[dict[str, Any]]:
    """Commits, the latest first; what an amend or a rebase replaced is left out.

    ``file`` is a path of the repository, ``author`` a part of the name; of each commit fifty files are told.
    ``after`` is the (at, id) of the page before.
    """
    statement = text(_COMMITS.format(scope=scope.where("c"), touching=scope.where("o")))
    values = {
        "file": file,
        "author": author,
        "session": session,
        "since": since,
        "until": until,
        "limit": limit,
    }
    return _rows(connection, statement, scope.values | values | _place(after))


def events(
    connection: Connection,
    scope: Scope,
    *,
    kind: str | None = None,
    file: str | None = None,
    session: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    open_questions: bool = False,
    after: After = None,
    limit: int = 20,
) -> list[dict[str, Any]]:
    """Decisions, conventions, components, fixes, dead ends and questions, the latest first.

    ``open_questions`` keeps to questions that nothing recorded answers. ``after`` is the (at, id) of the page before.
    """
    values = {
        "kind": kind,
        "file": file,
        "session": session,
        "since": since,
        "until": until,
        "open": open_questions,
        "limit": limit,
    }
    return _rows(
        connection, text(_EVENTS.format(scope=scope.where("e"))), scope.values | values | _place(after)
    )


def event(connection: Connection, scope: Scope, identifier: str) -> dict[str, Any]:
    """One event as ``events`` has it, by its whole id. Raises NotFound."""
    statement = text(_EVENT.format(scope=scope.where("e")) + " AND e.id = :id")
    rows = _rows(connection, statement, scope.values | {"id": identifier})
    if not rows:
        raise NotFound(what="event", name=identifier)
    return rows[0]


def recent(
    connection: Connection,
    scope: Scope,
    *,
    since: datetime | None = None,
    after: After = None,
    limit: int = 20,
) -> list[dict[str, Any]]:
    """What happened last, in one stream: what sessions came to, their events, and commits.

    ``after`` is the (at, id) of the page before.
    """
    parts = {}
    for alias, own in (("m", "session"), ("e", "id"), ("c", "id")):
        parts[f"scope_{alias}"] = scope.where(alias)
        parts[f"since_{alias}"] = f"AND {alias}.at >= :since" if since else ""
        place = f"AND ({alias}.at, {alias}.{own}) < (cast(:after_at AS timestamptz), cast(:after_id AS uuid))"
        parts[f"after_{alias}"] = place if after else ""
    values = {"since": since, "limit": limit}
    return _rows(connection, text(_RECENT.format(**parts)), scope.values | values | _place(after))


def _place(after: After) -> dict[str, Any]:
    return {"after_at": after[0] if after else None, "after_id": after[1] if after else None}


def _rows(connection: Connection, statement: Any, values: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(statement, values).mappings()]
