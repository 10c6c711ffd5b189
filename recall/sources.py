"""From the database's rows to units: what of a session, a project's facts, and a client's memory can be found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from recall.commits import commit_unit
from recall.units import of_session, spoken_date
from recall.words import words
from schema.evidence import load_session, pointers
from schema.facts import files_of
from schema.outdated import ended
from schema.records import SessionEvidence, Unit

_FACTS = text("""
    SELECT fact::text AS fact, project::text AS project, subject, attribute, scope, value, statement, standing,
           valid_from, valid_to, session::text AS session, evidence, files, kind
    FROM fact_versions
    WHERE client = :client AND project = :project AND retired_at IS NULL AND valid_to IS DISTINCT FROM valid_from
      AND (cast(:since AS timestamptz) IS NULL OR recorded_at >= :since)
    ORDER BY fact
""")

_EVENTS = """
    SELECT id::text AS id, project::text AS project, session::text AS session, kind, title, text, at, evidence, files
    FROM events WHERE client = :client AND {which} ORDER BY at, id
"""
_OF_SESSION, _ONE = text(_EVENTS.format(which="session = :session")), text(_EVENTS.format(which="id = :id"))

_SUMMARY = text("""
    SELECT id::text AS id, project::text AS project, title, text, at, evidence, files
    FROM session_summaries WHERE client = :client AND session = :session
""")


def session_units(conn: Connection, client: str, session: str) -> list[Unit]:
    """Return every unit of one session: summary, events, commits, turns and the whole. Raises NotFound."""
    evidence = load_session(conn, client, session)
    where = {"client": client, "session": session}
    summary = conn.execute(_SUMMARY, where).mappings().first()
    gone = ended(conn, client, evidence.project)
    units = [_event(row, gone.get(row["id"])) for row in conn.execute(_OF_SESSION, where).mappings()]
    if summary is not None:
        units.append(_summary(summary, session))
    units.extend(commit_unit(evidence.project, session, commit) for commit in evidence.commits)
    title = summary["title"] if summary is not None else ""
    units.extend(
        of_session(evidence.project, session, evidence.exchanges, files=touched(evidence), title=title)
    )
    return units


def fact_units(conn: Connection, client: str, project: str, since: datetime | None = None) -> list[Unit]:
    """Return a project's facts as believed now: what holds, and what holds no longer (not current).

    With ``since`` only those whose believed version was recorded at that time or after it.
    """
    rows = conn.execute(_FACTS, {"client": client, "project": project, "since": since}).mappings()
    return [
        Unit(
            kind="fact",
            ref=row["fact"],
            project=row["project"],
            title="",
            text=row["statement"],
            at=row["valid_from"],
            session=row["session"],
            context=_beside(
                row["statement"], [row[n] for n in ("subject", "attribute", "scope", "value", "kind")]
            ),
            files=files_of(row["files"]),
            standing=row["standing"],
            slot="/".join([row["subject"], row["attribute"], row["scope"]]),
            current=row["valid_to"] is None,
            valid_from=row["valid_from"],
            valid_to=row["valid_to"],
            evidence=pointers(row["evidence"]),
        )
        for row in rows
    ]


def _beside(statement: str, names: Sequence[str]) -> str:
    """What of a fact's slot and value its statement does not say: told twice, a word would count as more."""
    said = set(words(statement))
    return " ".join(name for part in names for name in part.split() if not said.issuperset(words(name)))


def touched(evidence: SessionEvidence) -> tuple[str, ...]:
    """Return every file the session's calls and commits touched, once each."""
    paths: dict[str, None] = {}
    for observation in evidence.observations:
        paths.update(dict.fromkeys(observation.files))
        if observation.target and not observation.shape:
            paths[observation.target] = None
    for commit in evidence.commits:
        paths.update((file.path, None) for file in commit.files)
    return tuple(paths)


def event_units(conn: Connection, client: str, event: str) -> list[Unit]:
    """Return the unit of one event; none where it is gone."""
    return [_event(row) for row in conn.execute(_ONE, {"client": client, "id": event}).mappings()]


def _event(row: Any, valid_to: datetime | None = None) -> Unit:
    return Unit(
        kind="event",
        ref=row["id"],
        project=row["project"],
        title=row["title"],
        text=row["text"],
        at=row["at"],
        session=row["session"],
        context=f"{row['kind']} {spoken_date(row['at'])}",
        files=tuple(row["files"]),
        current=valid_to is None,
        valid_to=valid_to,
        evidence=pointers(row["evidence"]),
    )


def _summary(row: Any, session: str) -> Unit:
    return Unit(
        kind="summary",
        ref=row["id"],
        project=row["project"],
        title=row["title"],
        text=row["text"],
        at=row["at"],
        session=session,
        context=spoken_date(row["at"]),
        files=tuple(row["files"]),
        evidence=pointers(row["evidence"]),
    )
