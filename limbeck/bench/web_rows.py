"""What the viewer looks at beside the server's rows: the ledger, commits and their files, the backlog; and arrivals."""

from __future__ import annotations

from sqlalchemy import text

from limbeck.bench.generated import CLIENT
from schema.database import Database

COMMITS, ITEMS, DRAFTS = 5_000, 400, 60
_MADE = """
    FROM (SELECT n, timestamptz '2026-01-01 00:00+00' + n * interval '5 minutes' AS t
          FROM generate_series(1, :count) n) made
"""
_COMMIT = """
    INSERT INTO commits (client, id, received_at, project, session, event_id, origin, at, sha, parents, message, author,
                         branch, files, manifests, languages, languages_before)
    SELECT :client, md5('c' || n)::uuid, now(), :project, md5('s' || 1 + n % 2000)::uuid, md5('ec' || n)::uuid, 'hook',
           t, md5('a' || n) || left(md5('b' || n), 8), '{}', 'Change ' || n || ' of the orders', 'Ada Quist', 'main',
           '[]', '[]', '{}', '{}'
"""
_CODE = """
    INSERT INTO code_observations (client, id, received_at, project, session, event_id, origin, at, sha, commit, path,
                                   added, deleted)
    SELECT :client, md5('k' || n)::uuid, now(), :project, md5('s' || 1 + (n / 3) % 2000)::uuid, md5('ek' || n)::uuid,
           'hook', t, md5('a' || 1 + n % 5000) || left(md5('b' || 1 + n % 5000), 8), md5('c' || 1 + n % 5000)::uuid,
           'src/file' || n % 300 || '.py', n % 40, n % 13
"""
_ITEM = """
    INSERT INTO items (client, id, project, type, serial, parent, title, state)
    SELECT :client, md5('i' || n)::uuid, :project, CASE WHEN n <= 20 THEN 'US' ELSE 'TA' END,
           CASE WHEN n <= 20 THEN 1000 + n ELSE 4000 + n END,
           CASE WHEN n <= 20 THEN NULL ELSE md5('i' || 1 + n % 20)::uuid END, 'Piece of work ' || n,
           (ARRAY['open', 'pending', 'in-progress', 'review', 'done'])[1 + n % 5]
"""
_DRAFT = """
    INSERT INTO drafts (client, id, project, key, type, title, text, state, created_at, evidence)
    SELECT :client, md5('d' || n)::uuid, :project, 'draft ' || n, 'TA', 'Proposal ' || n, 'What it says.',
           'draft', t, '[]'
"""
_LEDGER = """
    INSERT INTO ledger (client, entry, event_id, key, disposition, kind, mirror, event_at)
    SELECT :client, (1767225600000 + at_ms * 60000)::bigint || '-' || 0, id, id::text, 'stored', kind, id, now()
    FROM (SELECT id, 'tool' AS kind, row_number() OVER (ORDER BY at) AS at_ms FROM observations
          WHERE client = :client) AS seen
"""
_ARRIVED = text("""
    WITH made AS (
        INSERT INTO observations (client, id, received_at, project, session, event_id, origin, at, agent, tool, shape,
                                  outcome, files, count, last_at)
        SELECT :client, gen_random_uuid(), now(), :project, md5('s1')::uuid, gen_random_uuid(), 'hook', now(), 'claude',
               'Bash', 'sent ' || cast(:sent AS text), 'ok', '{}', 1, now() FROM generate_series(1, :count)
        RETURNING id
    )
    INSERT INTO ledger (client, entry, event_id, key, disposition, kind, mirror, event_at)
    SELECT :client, :ms || '-' || row_number() OVER (), id, id::text, 'stored', 'tool', id, now() FROM made
""")


def fill(database: Database, project: str) -> None:
    """Write the rows into ``project``, beside what ``server_rows`` wrote."""
    made = ((_COMMIT, COMMITS), (_CODE, 3 * COMMITS), (_ITEM, ITEMS), (_DRAFT, DRAFTS))
    with database.tenant(CLIENT) as connection:
        for statement, count in made:
            connection.execute(
                text(statement + _MADE), {"client": CLIENT, "project": project, "count": count}
            )
        connection.execute(text(_LEDGER), {"client": CLIENT})


def arrive(database: Database, project: str, count: int, sent: float, ms: int) -> None:
    """Let ``count`` calls arrive at once; each says when it was sent (Unix seconds). ``ms`` is the stream's time."""
    values = {"client": CLIENT, "project": project, "count": count, "sent": f"{sent:.6f}", "ms": str(ms)}
    with database.tenant(CLIENT) as connection:
        connection.execute(_ARRIVED, values)
