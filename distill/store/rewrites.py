"""Which commits of a project were rewritten, and what took the place of those that facts rest on."""

from __future__ import annotations

from sqlalchemy import Connection, text

from schema.evidence import load_commit
from schema.records import Commit


def successors(connection: Connection, client: str, project: str) -> dict[str, Commit]:
    """Return, by the hash of a rewritten commit, the commit that took its place, where that has arrived."""
    values = {"client": client, "project": project}
    told = text("SELECT old, new FROM rewrites WHERE client = :client AND project = :project")
    following: dict[str, str] = dict(connection.execute(told, values).all())
    if not following:
        return {}
    used = text("""
        SELECT DISTINCT e ->> 'commit' FROM fact_versions, jsonb_array_elements(evidence) AS e
        WHERE client = :client AND project = :project AND retired_at IS NULL AND e ->> 'commit' = ANY(:old)
          AND valid_to IS DISTINCT FROM valid_from
    """)
    last = {
        old: _last(old, following)
        for old in connection.scalars(used, values | {"old": list(following)})
        if old
    }
    arrived = text("""
        SELECT sha, max(id::text) FROM commits
        WHERE client = :client AND project = :project AND sha = ANY(:new) AND rewritten_to IS NULL GROUP BY sha
    """)
    rows: dict[str, str] = dict(connection.execute(arrived, values | {"new": list(last.values())}).all())
    loaded = {sha: found[1] for sha, row in rows.items() if (found := load_commit(connection, client, row))}
    return {old: loaded[new] for old, new in last.items() if new in loaded}


def _last(commit: str, following: dict[str, str]) -> str:
    seen = {commit}
    while (new := following.get(commit)) is not None and new not in seen:
        seen.add(new)
        commit = new
    return commit
