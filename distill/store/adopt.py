"""Facts that were exported elsewhere become a project's own, with every version and state they had."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, text

from distill.errors import ProjectHasFacts
from distill.store.facts import hold
from distill.store.rows import fact_row
from schema.records import Fact, Freshness

AT_ONCE = 1_000
_INSERT = text("""
    INSERT INTO fact_versions (client, version, fact, project, subject, attribute, scope, cardinality, kind, value,
        value_key, statement, standing, valid_from, valid_to, recorded_at, retired_at, superseded_by, reason, pinned,
        session, evidence, files)
    VALUES (:client, :version, :fact, :project, :subject, :attribute, :scope, :cardinality, :kind, :value,
        :value_key, :statement, :standing, :valid_from, :valid_to, :recorded_at, :retired_at, :superseded_by, :reason,
        :pinned, :session, cast(:evidence AS jsonb), :files)
""")
_CHECK = text("""
    INSERT INTO fact_checks (client, fact, project, freshness, sha, checked_at)
    VALUES (:client, :fact, :project, :freshness, :sha, :at)
""")
_TAKEN = text("""
    SELECT EXISTS (SELECT 1 FROM fact_versions WHERE client = :client
                   AND (version = ANY(cast(:ids AS uuid[])) OR fact = ANY(cast(:ids AS uuid[]))))
""")


@dataclass(frozen=True, slots=True)
class Checked:
    """The last check of a fact, as it was exported."""

    fact: str
    freshness: Freshness
    sha: str | None
    at: datetime


def adopt(
    connection: Connection, client: str, project: str, versions: Sequence[Fact], checks: Iterable[Checked]
) -> int:
    """Give an empty project every version of ``versions`` and return how many there are.

    Ids stay as they are, unless the client has one of them already (the facts came from here): then all get new ones.
    Raises ProjectHasFacts, and DatabaseConflict where two versions claim to be believed at once.
    """
    hold(connection, client, project)
    values = {"client": client, "project": project}
    known = text("SELECT EXISTS (SELECT 1 FROM fact_versions WHERE client = :client AND project = :project)")
    if connection.scalar(known, values):
        raise ProjectHasFacts
    ids = {name for one in versions for name in (one.id, one.version)}
    taken = connection.scalar(_TAKEN, {"client": client, "ids": sorted(ids)})
    names = {name: _again(project, name) for name in ids} if taken else {}
    rows = [
        fact_row(client, project, one) | {"retired_at": one.retired_at} for one in _renamed(versions, names)
    ]
    for first in range(0, len(rows), AT_ONCE):
        connection.execute(_INSERT, rows[first : first + AT_ONCE])
    told = [
        {
            **values,
            "fact": names.get(c.fact, c.fact),
            "freshness": c.freshness.value,
            "sha": c.sha,
            "at": c.at,
        }
        for c in checks
    ]
    if told:
        connection.execute(_CHECK, told)
    return len(rows)


def _renamed(versions: Iterable[Fact], names: Mapping[str, str]) -> Iterable[Fact]:
    for one in versions:
        superseded_by = names.get(one.superseded_by, one.superseded_by) if one.superseded_by else None
        yield replace(
            one,
            id=names.get(one.id, one.id),
            version=names.get(one.version, one.version),
            superseded_by=superseded_by,
        )


def _again(project: str, identifier: str) -> str:
    """Another id with the same time in it: what comes of one id in one project is always the same."""
    tail = hashlib.sha256(f"{project} {identifier}".encode()).digest()[:8]
    return str(UUID(bytes=UUID(identifier).bytes[:8] + bytes([0x80 | tail[0] & 0x3F]) + tail[1:]))
