"""Commits as units of recall, whether or not a session made them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, text

from recall import index
from recall.units import spoken_date
from schema.database import Database
from schema.evidence import load_commits
from schema.records import Commit, Evidence, Unit

KIND = "commit"
AT_ONCE = 200

# A session's commits are found in the session's project, like all that it came to.
_HOMES = text("""
    SELECT c.id::text AS id, c.session::text AS session, coalesce(s.project, c.project)::text AS project
    FROM commits c LEFT JOIN sessions s ON s.client = c.client AND s.session = c.session
    WHERE c.client = :client AND c.id = ANY(CAST(:ids AS uuid[]))
""")
_OF_PROJECT = text("""
    SELECT id::text FROM commits WHERE client = :client AND project = :project AND read_at IS NOT NULL ORDER BY id
""")


def put_commits(conn: Connection, client: str, identifiers: Sequence[str]) -> int:
    """Make commits (ids of rows) findable in the caller's transaction; return how many were written anew.

    One that was rewritten, or is gone, is taken out.
    """
    homes = {row.id: row for row in conn.execute(_HOMES, {"client": client, "ids": list(identifiers)})}
    commits = load_commits(conn, client, identifiers)
    index.remove(conn, client, KIND, sorted({*identifiers} - {commit.id for commit in commits}))
    return index.put(
        conn,
        client,
        [commit_unit(homes[commit.id].project, homes[commit.id].session, commit) for commit in commits],
    )


def index_commits(database: Database, client: str, project: str) -> int:
    """Make a project's commits findable as they read now; return how many were written anew."""
    with database.tenant(client) as conn:
        known = list(conn.scalars(_OF_PROJECT, {"client": client, "project": project}))
    written = 0
    for first in range(0, len(known), AT_ONCE):
        with database.tenant(client) as conn:
            written += put_commits(conn, client, known[first : first + AT_ONCE])
    return written


def commit_unit(project: str, session: str | None, commit: Commit) -> Unit:
    """A commit's subject and body; its hash, branch and date help finding it."""
    subject, _, body = commit.message.partition("\n")
    return Unit(
        kind=KIND,
        ref=commit.id,
        project=project,
        title=subject.strip(),
        text=body.strip(),
        at=commit.at,
        session=session,
        context=f"{commit.sha} {commit.sha[:7]} {commit.branch or ''} {spoken_date(commit.at)}",
        files=tuple(file.path for file in commit.files),
        evidence=(Evidence(kind="commit", id=commit.id, at=commit.at, session=session, commit=commit.sha),),
    )
