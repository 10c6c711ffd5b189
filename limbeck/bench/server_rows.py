"""A client's memory of a hundred thousand records, made up in the database itself; the search index is generated's."""

from __future__ import annotations

from sqlalchemy import Connection, text

from limbeck.bench.generated import CLIENT, directions
from recall.embedding.minilm import DIMENSION, MODEL
from recall.shelves import NOWHERE
from recall.vectors import literal
from schema.database import Database
from server.memory.reindex import index_all

SESSIONS = 2_000
# How many rows, and how each is made of its number ``n`` and moment ``t``; together they are a hundred thousand.
_MADE = """
    FROM (SELECT n, timestamptz '2026-01-01 00:00+00' + n * interval '1 minute' AS t
          FROM generate_series(1, :count) n) made
"""
_ROWS = (
    (
        SESSIONS,
        """
        INSERT INTO sessions (client, session, project, agent, agent_session, state, origin, started_at, last_at,
                              seen_at, ended_at, distilled_at)
        SELECT :client, md5('s' || n)::uuid, :project, 'claude', 's-' || n, 'distilled', 'hook', t,
               t + interval '1 hour', t, t + interval '1 hour', t + interval '2 hours'
        """,
    ),
    (
        SESSIONS,
        """
        INSERT INTO session_summaries (client, session, id, project, title, text, distiller, started_at, at,
                                       distilled_at, evidence, files)
        SELECT :client, md5('s' || n)::uuid, md5('m' || n)::uuid, :project, 'Session ' || n,
               'What session ' || n || ' came to.', 'offline', t, t, t, '[]', ARRAY['src/file' || n % 300 || '.py']
        """,
    ),
    (
        15 * SESSIONS,
        """
        INSERT INTO exchanges (client, id, received_at, project, session, event_id, origin, at, agent, role, text,
                               chars, cut)
        SELECT :client, md5('x' || n)::uuid, now(), :project, md5('s' || 1 + n % 2000)::uuid, md5('ex' || n)::uuid,
               'hook', t, 'claude', CASE WHEN n % 2 = 0 THEN 'person' ELSE 'reply' END,
               'Words of exchange ' || n || ' about the orders and their database.', 60, false
        """,
    ),
    (
        22 * SESSIONS,
        """
        INSERT INTO observations (client, id, received_at, project, session, event_id, origin, at, agent, tool, target,
                                  outcome, files, count, last_at)
        SELECT :client, md5('o' || n)::uuid, now(), :project, md5('s' || 1 + n % 2000)::uuid, md5('eo' || n)::uuid,
               'hook', t, 'claude', 'Edit', 'src/file' || n % 300 || '.py', 'ok',
               ARRAY['src/file' || n % 300 || '.py'], 1, t
        """,
    ),
    (
        5 * SESSIONS,
        """
        INSERT INTO events (client, id, project, session, key, kind, title, text, at, recorded_at, evidence, files,
                            origin)
        SELECT :client, md5('v' || n)::uuid, :project, md5('s' || 1 + n % 2000)::uuid, 'k' || n, 'decision',
               'Decision ' || n, 'Why decision ' || n || ' was taken.', t, t, '[]', '{}', 'session'
        """,
    ),
    (
        6_000,
        """
        INSERT INTO fact_versions (client, version, fact, project, subject, attribute, scope, cardinality, kind, value,
                                   value_key, statement, standing, valid_from, recorded_at, reason, pinned, evidence,
                                   files)
        SELECT :client, md5('fv' || n)::uuid, md5('f' || n)::uuid, :project, 'subject ' || n, 'choice', '', 'one',
               'convention', 'value ' || n, 'value ' || n, 'Subject ' || n || ' uses value ' || n || '.', 'person', t,
               t, '', false, '[]', '{}'
        """,
    ),
    (
        6_000,
        """
        INSERT INTO memories (client, id, owner, content, source, scope, created_at, updated_at)
        SELECT :client, md5('mem' || n)::uuid, :user, 'Memory ' || n || ' of a decision.', 'chat', 'user', t, t
        """,
    ),
)
_UNITS = text(
    "SELECT unit, kind FROM search_units WHERE client = :client AND project = :nowhere AND model IS NULL"
)
_VECTORS = text("""
    INSERT INTO search_vectors (client, project, model, kind, unit, dimension, embedding)
    VALUES (:client, :nowhere, :model, :kind, :unit, :dimension, CAST(:embedding AS halfvec))
""")
_MARK = text("UPDATE search_units SET model = :model WHERE client = :client AND project = :nowhere")
_IDS = text("""
    SELECT md5('f7')::uuid::text AS fact, md5('s7')::uuid::text AS session, md5('v7')::uuid::text AS event,
           md5('x7')::uuid::text AS evidence, md5('v8')::uuid::text AS trace
""")


def fill(database: Database, project: str, user: str) -> dict[str, str]:
    """Write the rows into ``project``, the memories as ``user``'s, and return ids to ask for, by what they are of.

    The memories are indexed and have vectors, since they are searched by both.
    """
    with database.tenant(CLIENT, user) as connection:
        for count, statement in _ROWS:
            _add(connection, statement, {"client": CLIENT, "project": project, "user": user, "count": count})
        ids = dict(connection.execute(_IDS).mappings().one())
    index_all(database, CLIENT)
    with database.everyone(CLIENT) as connection:
        _vectors(connection)
    return ids


def _vectors(connection: Connection) -> None:
    """Give the memories vectors: made-up ones, since it is not measured whether the right ones are found."""
    where = {"client": CLIENT, "nowhere": NOWHERE, "model": MODEL, "dimension": DIMENSION}
    units = connection.execute(_UNITS, where).all()
    made = directions(len(units), seed=len(units))
    rows = [
        where | {"unit": row.unit, "kind": row.kind, "embedding": literal(vector)}
        for row, vector in zip(units, made, strict=True)
    ]
    connection.execute(_VECTORS, rows)
    connection.execute(_MARK, where)


def _add(connection: Connection, statement: str, values: dict[str, object]) -> None:
    connection.execute(text(statement + _MADE), values)
