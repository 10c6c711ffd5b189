"""The end of the stream as people watch it: what was just stored, and what was merged into something stored."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, text

from schema.scope import Scope

LOOKED_AT = 1_500  # of the newest events, where a filter may leave few
CHARS = 600

_NEWEST = "AND entry >= :since ORDER BY entry"
# What makes a row; all else in the ledger is passed over before it counts as looked at.
_SHOWN = """
    mirror IS NOT NULL AND disposition IN ('stored', 'merged')
    AND kind IN ('prompt', 'reply', 'subagent', 'compaction', 'tool', 'commit', 'message')
"""
# An event's kind tells its table, so that only that one is looked into.
_LAST = "ORDER BY entry DESC"
_END = "SELECT coalesce(max(entry), '0') FROM ledger WHERE client = :client"
_REACHED = f"""
    SELECT entry FROM ledger WHERE client = :client AND {_SHOWN} AND entry >= :since ORDER BY entry
    OFFSET :looked - 1 LIMIT 1
"""  # noqa: S608 - a constant of ours
_TAIL = """
    WITH told AS MATERIALIZED (
        SELECT entry, disposition, mirror, kind FROM ledger
        WHERE client = :client AND {shown} {part} LIMIT :looked
    )
    SELECT t.entry, t.disposition, f.kind, f.id::text, f.at, f.session::text, f.project::text AS project_id,
           p.name AS project, s.agent, s.agent_session, f.who, f.what, f.chars, f.outcome, f.exit_code, f.ms, f.count,
           f.subagent_type
    FROM told t
    CROSS JOIN LATERAL (
        SELECT e.role AS kind, e.id, e.at, e.session, e.project, e.agent AS who, left(e.text, :chars) AS what, e.chars,
               NULL::text AS outcome, NULL::integer AS exit_code, NULL::integer AS ms, 1 AS count, e.subagent_type
        FROM exchanges e WHERE t.kind IN ('prompt', 'reply', 'subagent', 'compaction') AND {e} AND e.id = t.mirror
        UNION ALL
        SELECT 'call', o.id, o.at, o.session, o.project, o.tool,
               coalesce(o.target, o.shape, array_to_string(o.files[1:3], ' ')), 0, o.outcome, o.exit_code, o.ms,
               o.count, o.subagent_type
        FROM observations o WHERE t.kind = 'tool' AND {o} AND o.id = t.mirror
        UNION ALL
        SELECT 'commit', c.id, c.at, c.session, c.project, left(c.sha, 10), split_part(c.message, chr(10), 1), 0, NULL,
               NULL, NULL, 1, NULL
        FROM commits c WHERE t.kind = 'commit' AND {c} AND c.id = t.mirror
        UNION ALL
        SELECT m.kind, m.id, m.at, m.session, m.project, m.title, left(m.text, :chars), length(m.text), NULL, NULL,
               NULL, 1, NULL
        FROM messages m WHERE t.kind = 'message' AND {m} AND m.id = t.mirror
    ) AS f
    JOIN projects p ON p.client = :client AND p.project = f.project
    LEFT JOIN sessions s ON s.client = :client AND s.session = f.session
    ORDER BY t.entry
"""


def end(connection: Connection, client: str) -> str:
    """The newest entry of the client's ledger; "0" where there is none."""
    return str(connection.scalar(text(_END), {"client": client}))


def since(connection: Connection, scope: Scope, entry: str, *, limit: int = 1_000) -> list[dict[str, Any]]:
    """What arrived from ``entry`` on, in the order of arrival.

    Entries of one millisecond are not in order as texts, so those of ``entry``'s own are told again.
    """
    values = {"since": entry.split("-", 1)[0], "looked": limit}
    return _rows(connection, scope, _NEWEST, values)


def reached(connection: Connection, client: str, entry: str, *, limit: int = 1_000) -> str:
    """The last entry that ``since`` looks at: the newest of the ledger, also one that makes no row.

    Where more than ``limit`` rows wait, the one to go on from. Ask before ``since``, so that nothing falls between.
    """
    values = {"client": client, "since": entry.split("-", 1)[0], "looked": limit}
    full = connection.scalar(text(_REACHED), values)
    return str(full) if full is not None else end(connection, client)


def last(connection: Connection, scope: Scope, *, looked: int = 200) -> list[dict[str, Any]]:
    """What is among the newest ``looked`` entries, in the order of arrival."""
    return _rows(connection, scope, _LAST, {"looked": min(looked, LOOKED_AT)})


def _rows(connection: Connection, scope: Scope, part: str, values: dict[str, Any]) -> list[dict[str, Any]]:
    parts = {alias: scope.where(alias) for alias in ("e", "o", "c", "m")}
    statement = text(_TAIL.format(part=part, shown=_SHOWN, **parts))
    rows = connection.execute(statement, scope.values | values | {"chars": CHARS}).mappings()
    return [dict(row) for row in rows]
