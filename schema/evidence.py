"""Evidence: the pointers that memory keeps of mirror rows, and all that the mirror holds of one session."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.errors import NotFound
from schema.records import (
    ChangedFile,
    Commit,
    Evidence,
    Exchange,
    Manifest,
    Observation,
    Outcome,
    Role,
    SessionEvidence,
)

COMMIT = "id::text, sha, message, at, author, branch, parents, files, manifests, languages, languages_before"
LIMIT = 20_000  # rows of one kind; a session beyond it keeps its latest


def pointers(stored: Iterable[Mapping[str, Any]] | None) -> tuple[Evidence, ...]:
    """Return the pointers in a stored JSON list."""
    return tuple(
        Evidence(
            kind=one["kind"],
            id=one["id"],
            at=datetime.fromisoformat(one["at"]),
            session=one.get("session"),
            commit=one.get("commit"),
        )
        for one in stored or ()
    )


def pointers_json(evidence: Iterable[Evidence]) -> str:
    """Return pointers as the JSON text that is stored: the same wherever one is kept."""
    return json.dumps([pointer(one) for one in evidence])


def pointer(evidence: Evidence) -> dict[str, str]:
    """Return one pointer as it is stored; what it has not is left out."""
    stored = {"kind": evidence.kind, "id": evidence.id, "at": evidence.at.isoformat()}
    if evidence.session:
        stored["session"] = evidence.session
    if evidence.commit:
        stored["commit"] = evidence.commit
    return stored


def load_session(connection: Connection, client: str, session: str) -> SessionEvidence:
    """Return the evidence of ``session``. Raises NotFound where the client has no such session."""
    values = {"client": client, "session": session, "limit": LIMIT}
    row = (
        connection.execute(
            text("""
                SELECT project::text, agent, started_at, last_at, evidence_dropped_at FROM sessions
                WHERE client = :client AND session = :session
            """),
            values,
        )
        .mappings()
        .first()
    )
    if row is None:
        raise NotFound(what="session", name=session)
    return SessionEvidence(
        client=client,
        project=row["project"],
        session=session,
        agent=row["agent"],
        started_at=row["started_at"],
        last_at=row["last_at"],
        exchanges=_exchanges(connection, values),
        observations=_observations(connection, values),
        commits=_commits(connection, values),
        dropped_at=row["evidence_dropped_at"],
    )


def _exchanges(connection: Connection, values: dict[str, Any]) -> tuple[Exchange, ...]:
    rows = connection.execute(
        text("""
            SELECT * FROM (
                SELECT id::text, role, text, at, turn, chars, cut FROM exchanges
                WHERE client = :client AND session = :session ORDER BY at DESC, id DESC LIMIT :limit
            ) latest ORDER BY at, id
        """),
        values,
    ).mappings()
    return tuple(Exchange(**{**row, "role": Role(row["role"])}) for row in rows)


def _observations(connection: Connection, values: dict[str, Any]) -> tuple[Observation, ...]:
    rows = connection.execute(
        text("""
            SELECT * FROM (
                SELECT id::text, tool, target, shape, outcome, at, turn, exit_code, count, files FROM observations
                WHERE client = :client AND session = :session ORDER BY at DESC, id DESC LIMIT :limit
            ) latest ORDER BY at, id
        """),
        values,
    ).mappings()
    return tuple(
        Observation(**{**row, "outcome": Outcome(row["outcome"]), "files": tuple(row["files"])})
        for row in rows
    )


def load_commit(connection: Connection, client: str, identifier: str) -> tuple[str, Commit] | None:
    """Return the project and the evidence of one commit row; None where it is gone or was rewritten."""
    row = (
        connection.execute(
            text(f"""
                SELECT project::text, {COMMIT} FROM commits
                WHERE client = :client AND id = :id AND rewritten_to IS NULL
            """),  # noqa: S608 - a constant of ours
            {"client": client, "id": identifier},
        )
        .mappings()
        .first()
    )
    if row is None:
        return None
    return row["project"], _commit({name: row[name] for name in row if name != "project"})


def load_commits(connection: Connection, client: str, identifiers: Sequence[str]) -> tuple[Commit, ...]:
    """Return the evidence of several commit rows in order of time, without those that were rewritten."""
    rows = connection.execute(
        text(f"""
            SELECT {COMMIT} FROM commits
            WHERE client = :client AND id = ANY(CAST(:ids AS uuid[])) AND rewritten_to IS NULL ORDER BY at, id
        """),  # noqa: S608 - a constant of ours
        {"client": client, "ids": list(identifiers)},
    ).mappings()
    return tuple(_commit(dict(row)) for row in rows)


def _commits(connection: Connection, values: dict[str, Any]) -> tuple[Commit, ...]:
    rows = connection.execute(
        text(f"""
            SELECT {COMMIT} FROM (
                SELECT * FROM commits
                WHERE client = :client AND session = :session AND rewritten_to IS NULL
                ORDER BY at DESC, id DESC LIMIT :limit
            ) latest ORDER BY at, id
        """),  # noqa: S608 - a constant of ours
        values,
    ).mappings()
    return tuple(_commit(dict(row)) for row in rows)


def _commit(row: dict[str, Any]) -> Commit:
    files = tuple(ChangedFile(file["path"], file.get("added"), file.get("deleted")) for file in row["files"])
    manifests = tuple(
        Manifest(file["path"], file.get("text"), bool(file.get("cut"))) for file in row["manifests"]
    )
    return Commit(**{**row, "parents": tuple(row["parents"]), "files": files, "manifests": manifests})
