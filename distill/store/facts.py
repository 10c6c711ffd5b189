"""Fact versions: what is believed, what was, and the append that changes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from distill.errors import ManyFacts, NoSuchFact
from distill.resolve import Resolution
from distill.slots import RULE
from distill.store.rows import fact_row
from distill.values import additive_key, value_key
from schema.errors import DatabaseConflict
from schema.facts import SELECT_FACTS, fact_of
from schema.ids import reach
from schema.records import Fact, Proposal, Slot
from schema.scope import narrowed, values

LIMIT = 20_000


def hold(connection: Connection, client: str, project: str) -> None:
    """Let one transaction at a time change a project's facts; held until the end of this one.

    The unique indexes keep the promise by themselves; this spares two workers the conflict and the second
    run.
    """
    statement = text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))")
    connection.execute(statement, {"key": f"facts {client} {project}"})


def believed(connection: Connection, client: str, project: str, slots: Iterable[Slot]) -> tuple[Fact, ...]:
    """Return every version with an open recorded time in ``slots``, past ones included."""
    asked = list(slots)
    wanted = list({"\x1f".join((s.subject, s.attribute, s.scope)) for s in asked})
    statement = text(
        SELECT_FACTS
        + """
        WHERE client = :client AND project = :project AND retired_at IS NULL
          AND subject = ANY(:subjects)
          AND subject || chr(31) || attribute || chr(31) || scope = ANY(:wanted)
    """
    )
    subjects = [s.subject for s in asked]
    return _facts(connection, statement, client=client, project=project, wanted=wanted, subjects=subjects)


def around(
    connection: Connection, client: str, project: str, proposals: Sequence[Proposal]
) -> tuple[Fact, ...]:
    """Return the current facts that tell which slots ``proposals`` mean: what anything uses, the values named, and
    for sentences that name no slot whatever was said.
    """
    values = [v for p in proposals for v in (p.value, p.replaces or "") if v]
    named = {key(v) for v in values for key in (value_key, additive_key)}
    statement = text(
        SELECT_FACTS
        + """
        WHERE client = :client AND project = :project AND retired_at IS NULL AND valid_to IS NULL
          AND (attribute IN ('choice', 'language') OR value_key = ANY(:named) OR (:rules AND attribute = 'rule')
               OR (:unread AND standing <> 'code'))
        LIMIT :limit
    """
    )
    rules = any(p.slot.attribute == RULE and p.negated for p in proposals)
    unread = any(p.doubt and not p.value for p in proposals)
    asked = {"named": list(named), "rules": rules, "unread": unread, "limit": LIMIT}
    return _facts(connection, statement, client=client, project=project, **asked)


def view(
    connection: Connection,
    client: str,
    project: str | None = None,
    *,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    history: bool = False,
    limit: int = LIMIT,
) -> tuple[Fact, ...]:
    """Return facts as they were true at ``as_of`` and believed at ``known_at`` (both default to now).

    ``history`` returns every believed version, also of what is no longer true, in order of time: all of them, or
    those that had begun by ``as_of``.
    """
    statement = text(
        SELECT_FACTS
        + """
        WHERE client = :client AND (cast(:project AS uuid) IS NULL OR project = :project)
          AND CASE WHEN cast(:known_at AS timestamptz) IS NULL THEN retired_at IS NULL
                   ELSE recorded_at <= :known_at AND (retired_at IS NULL OR retired_at > :known_at) END
          AND CASE WHEN :history THEN cast(:as_of AS timestamptz) IS NULL OR valid_from <= :as_of
                   WHEN cast(:as_of AS timestamptz) IS NULL THEN valid_to IS NULL
                   ELSE valid_from <= :as_of AND (valid_to IS NULL OR valid_to > :as_of) END
        ORDER BY subject, attribute, scope, valid_from, fact LIMIT :limit
    """
    )
    values = {"as_of": as_of, "known_at": known_at, "history": history, "limit": limit}
    return _facts(connection, statement, client=client, project=project, **values)


def find(
    connection: Connection, client: str, identifier: str, projects: Sequence[str] | None = None
) -> tuple[str, Fact]:
    """Return the project and the believed version of one fact of ``projects`` (None: any), by its id or its beginning.

    Raises NoSuchFact and ManyFacts.
    """
    statement = text(
        SELECT_FACTS
        + """
        WHERE client = :client AND retired_at IS NULL AND fact BETWEEN cast(:low AS uuid) AND cast(:high AS uuid)
        """
        + f"{narrowed(projects)} LIMIT 3"
    )
    ends = reach(identifier)
    if ends is None:
        raise NoSuchFact(fact=identifier)
    known = values(client, projects) | {"low": ends[0], "high": ends[1]}
    rows = list(connection.execute(statement, known).mappings())
    if not rows:
        raise NoSuchFact(fact=identifier)
    if len(rows) > 1:
        raise ManyFacts(fact=identifier)
    return rows[0]["project"], fact_of(rows[0])


def lives(connection: Connection, client: str, fact: str) -> tuple[Fact, ...]:
    """Return every version of one fact, oldest first, also those no longer believed."""
    statement = text(
        SELECT_FACTS
        + """
        WHERE client = :client AND fact = :fact
        ORDER BY recorded_at, version
    """
    )
    return _facts(connection, statement, client=client, fact=fact)


def apply(connection: Connection, client: str, project: str, change: Resolution) -> None:
    """Close and append versions. Raises DatabaseConflict where another transaction was first: run again."""
    if change.closes:
        statement = text("""
            UPDATE fact_versions SET retired_at = greatest(:now, recorded_at)
            WHERE client = :client AND version = ANY(cast(:versions AS uuid[])) AND retired_at IS NULL
        """)
        now = max(fact.recorded_at for fact in change.appends)
        values = {"client": client, "versions": list(change.closes), "now": now}
        if connection.execute(statement, values).rowcount != len(change.closes):
            raise DatabaseConflict(why="a fact was changed by another transaction")
    if change.appends:
        connection.execute(_INSERT, [fact_row(client, project, fact) for fact in change.appends])


_INSERT = text("""
    INSERT INTO fact_versions (client, version, fact, project, subject, attribute, scope, cardinality, kind, value,
        value_key, statement, standing, valid_from, valid_to, recorded_at, superseded_by, reason, pinned, session,
        evidence, files)
    VALUES (:client, :version, :fact, :project, :subject, :attribute, :scope, :cardinality, :kind, :value,
        :value_key, :statement, :standing, :valid_from, :valid_to, :recorded_at, :superseded_by, :reason, :pinned,
        :session, cast(:evidence AS jsonb), :files)
""")


def _facts(connection: Connection, statement: Any, **values: Any) -> tuple[Fact, ...]:
    return tuple(fact_of(row) for row in connection.execute(statement, values).mappings())
