"""Sessions as people look at them: listed, one by its name, in the order it went, and asked to be distilled again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.errors import ManyMeant, NotFound, Refused
from schema.ids import FEWEST, reach, whole_id
from schema.scope import Scope

After = tuple[datetime, str] | None

_LISTED = """
    SELECT s.session::text, s.project::text AS project_id, p.name AS project, s.agent, s.agent_session, s.state,
           s.started_at, s.last_at, s.ended_at, s.end_reason, s.distilled_at, s.distil_error, s.model, m.title,
           m.text AS summary, m.distiller, coalesce(m.files, '{{}}') AS files,
           (SELECT count(*) FROM exchanges e WHERE e.client = s.client AND e.session = s.session) AS exchanges,
           (SELECT coalesce(sum(o.count), 0) FROM observations o
            WHERE o.client = s.client AND o.session = s.session)::bigint AS calls,
           (SELECT count(*) FROM commits c WHERE c.client = s.client AND c.session = s.session
            AND c.rewritten_to IS NULL) AS commits,
           (SELECT count(*) FROM events v WHERE v.client = s.client AND v.session = s.session) AS events,
           (SELECT count(*) FROM fact_versions f WHERE f.client = s.client AND f.session = s.session
            AND f.project = s.project AND f.retired_at IS NULL AND f.valid_to IS DISTINCT FROM f.valid_from) AS facts
    FROM sessions s
    JOIN projects p ON p.client = s.client AND p.project = s.project
    LEFT JOIN session_summaries m ON m.client = s.client AND m.session = s.session
    WHERE {scope} {more}
    ORDER BY s.last_at DESC, s.session DESC LIMIT :limit
"""
_FILTERS = """
      AND (cast(:agent AS text) IS NULL OR s.agent = :agent)
      AND (cast(:state AS text) IS NULL OR s.state = :state)
      AND (cast(:since AS timestamptz) IS NULL OR s.last_at >= :since)
      AND (cast(:until AS timestamptz) IS NULL OR s.last_at < :until)
      AND (cast(:after_at AS timestamptz) IS NULL OR (s.last_at, s.session) < (:after_at, cast(:after_id AS uuid)))
"""

_TIMELINE = """
    SELECT * FROM (
        (SELECT 'exchange' AS kind, id::text AS id, at, turn, role, left(text, :chars) AS text,
                greatest(chars, length(text)) AS chars, NULL AS tool, NULL AS target, NULL AS shape, NULL AS outcome,
                NULL::integer AS exit_code, NULL::integer AS ms, 1 AS count, '{{}}'::text[] AS files, NULL AS sha,
                subagent_type
         FROM exchanges WHERE {scope} AND session = :session {after} ORDER BY at, id LIMIT :limit)
        UNION ALL
        (SELECT 'observation', id::text, at, turn, NULL, '', 0, tool, target, shape, outcome, exit_code, ms, count,
                files[1:50], NULL, subagent_type
         FROM observations WHERE {scope} AND session = :session {after} ORDER BY at, id LIMIT :limit)
        UNION ALL
        (SELECT 'commit', id::text, at, NULL, NULL, left(message, :chars), length(message), NULL, NULL, NULL, NULL,
                NULL, NULL, 1, ARRAY(SELECT f ->> 'path' FROM jsonb_array_elements(files) AS f LIMIT 50), sha, NULL
         FROM commits WHERE {scope} AND session = :session AND rewritten_to IS NULL {after}
         ORDER BY at, id LIMIT :limit)
    ) AS told ORDER BY at, id::uuid LIMIT :limit
"""
_AFTER = "AND (at, id) > (cast(:after_at AS timestamptz), cast(:after_id AS uuid))"


_OWN = "SELECT session::text FROM sessions WHERE {scope} AND session = :own"
_AGENTS = """
    SELECT session::text FROM sessions
    WHERE {scope} AND (agent_session = :name OR starts_with(agent_session, cast(:name AS text) || '~'))
    ORDER BY agent_session = :name DESC, last_at DESC LIMIT 1
"""
_BEGINNINGS = """
    SELECT session::text FROM sessions
    WHERE {scope} AND (session BETWEEN cast(:low AS uuid) AND cast(:high AS uuid) OR starts_with(agent_session, :name))
    ORDER BY session LIMIT 4
"""
_SUMMARIES = """
    SELECT m.session::text AS id, m.title, left(m.text, 2000) AS summary, s.agent, m.at
    FROM session_summaries m JOIN sessions s ON s.client = m.client AND s.session = m.session
    WHERE {scope} ORDER BY m.at DESC, m.session DESC LIMIT :limit
"""
_AGAIN = """
    UPDATE sessions SET state = 'ended', distil_attempts = 0, distil_error = NULL, distil_after = NULL,
           seen_at = clock_timestamp()
    WHERE {scope} AND session = :session AND state IN ('ended', 'distilled')
"""


def listed(
    connection: Connection,
    scope: Scope,
    *,
    agent: str | None = None,
    state: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    after: After = None,
    limit: int = 20,
) -> list[dict[str, Any]]:
    """Sessions with their state, summary and counts, the latest first.

    ``since`` and ``until`` hold their last event's time; ``after`` is the (last_at, session) that the page before
    ended with.
    """
    statement = text(_LISTED.format(scope=scope.where("s"), more=_FILTERS))
    values = {"agent": agent, "state": state, "since": since, "until": until, "limit": limit}
    return _rows(connection, statement, scope.values | values | _place(after))


def named(connection: Connection, scope: Scope, name: str, *, whole: bool = False) -> str:
    """Return our id of the session called ``name``: our id or the agent's own, or unless ``whole`` a beginning of one.

    Raises NotFound and ManyMeant.
    """
    own = {"own": whole_id(name)}
    found = own["own"] and connection.scalar(text(_OWN.format(scope=scope.where())), scope.values | own)
    if found:
        return str(found)
    found = connection.scalar(text(_AGENTS.format(scope=scope.where())), scope.values | {"name": name})
    meant = [str(found)] if found else [] if whole else _beginning(connection, scope, name)
    if not meant:
        raise NotFound(what="session", name=name)
    if len(meant) > 1:
        raise ManyMeant(start=name, ids=", ".join(meant))
    return meant[0]


def _beginning(connection: Connection, scope: Scope, name: str) -> list[str]:
    """Our ids of at most four sessions of which an id begins with ``name``."""
    if len(name) < FEWEST:
        return []
    low, high = reach(name) or (None, None)
    values = scope.values | {"name": name, "low": low, "high": high}
    return list(connection.scalars(text(_BEGINNINGS.format(scope=scope.where())), values))


def one(connection: Connection, scope: Scope, session: str) -> dict[str, Any]:
    """One session as ``listed`` has it. Raises NotFound."""
    statement = text(_LISTED.format(scope=scope.where("s"), more="AND s.session = :session"))
    rows = _rows(connection, statement, scope.values | {"session": session, "limit": 1})
    if not rows:
        raise NotFound(what="session", name=session)
    return rows[0]


def timeline(
    connection: Connection,
    scope: Scope,
    session: str,
    *,
    after: After = None,
    limit: int = 50,
    chars: int = 2000,
) -> list[dict[str, Any]]:
    """What was said, called and committed in one session, in its order; of a text at most ``chars`` characters.

    ``chars`` of a row is how long its text was when it was said. ``after`` is the (at, id) of the page before.
    """
    statement = text(_TIMELINE.format(scope=scope.where(), after=_AFTER if after else ""))
    values = {"session": session, "limit": limit, "chars": chars}
    return _rows(connection, statement, scope.values | values | _place(after))


def summaries(connection: Connection, scope: Scope, *, limit: int = 5) -> list[dict[str, Any]]:
    """What the last sessions came to: ``id``, ``title``, ``summary``, ``agent`` and ``at``, the latest first."""
    statement = text(_SUMMARIES.format(scope=scope.where("m")))
    return _rows(connection, statement, scope.values | {"limit": limit})


def again(connection: Connection, scope: Scope, session: str) -> None:
    """Hand a session that has ended to the distiller once more; the sweep finds it. Raises NotFound and Refused."""
    statement = text(_AGAIN.format(scope=scope.where()))
    if connection.execute(statement, scope.values | {"session": session}).rowcount == 1:
        return
    state = one(connection, scope, session)["state"]
    raise Refused(why=f"the session is {state}; it is distilled by itself once it has ended")


def _place(after: After) -> dict[str, Any]:
    return {"after_at": after[0] if after else None, "after_id": after[1] if after else None}


def _rows(connection: Connection, statement: Any, values: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(statement, values).mappings()]
