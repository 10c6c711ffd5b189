"""The relationship signal: units and sessions that share touched files, a rare file counting more than a common one."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, text

from schema.scope import narrowed, values

MOST_OWNERS = 2000  # a file that more sessions touched than this says nothing

# An owner is a session, or a unit of no session (a fact): what is counted once however often it touched the file.
_SHARING = """
    WITH touched AS (
        SELECT DISTINCT path, owner FROM search_files
        WHERE client = :client AND (path = ANY(:paths) OR name = ANY(:names)) {projects}
    ),
    weighed AS (
        SELECT path, owner, ln(1 + :owners / (count(*) OVER (PARTITION BY path))::float8) AS weight,
               count(*) OVER (PARTITION BY path) AS common
        FROM touched
    )
    SELECT owner, sum(weight)::float8 AS score, array_agg(path ORDER BY weight DESC) AS paths FROM weighed
    WHERE common <= :most GROUP BY owner ORDER BY score DESC, owner LIMIT :limit
"""

_OWNERS = """
    SELECT count(DISTINCT owner) FROM (
        SELECT owner FROM search_files WHERE client = :client {projects} LIMIT 50000
    ) AS counted
"""


def sharing(
    conn: Connection, client: str, *, files: Sequence[str], projects: Sequence[str] | None, limit: int
) -> dict[str, float]:
    """Return the owners (session ids, or ``kind:ref``) that touched any of ``files``, with what they share weighed.

    A bare file name matches that name in any folder.
    """
    if not files:
        return {}
    narrow, scope = narrowed(projects), values(client, projects)
    owners = conn.scalar(text(_OWNERS.format(projects=narrow)), scope) or 0
    if not owners:
        return {}
    rows = conn.execute(
        text(_SHARING.format(projects=narrow)),
        scope
        | {
            "paths": [path for path in files if "/" in path] or [""],
            "names": [path for path in files if "/" not in path],
            "owners": float(owners),
            "most": MOST_OWNERS,
            "limit": limit,
        },
    )
    return {row.owner: float(row.score) for row in rows}
