"""What the database knows of a project, as a state: bounded reads, in an order that the same rows always have."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, text

from projection.okf.prose import day
from projection.okf.state import (
    MOST_DAYS,
    MOST_EVENTS,
    MOST_SESSIONS,
    MOST_VERSIONS,
    Check,
    Day,
    EventNote,
    SessionNote,
    State,
    Totals,
)
from schema.backlog import backlog
from schema.errors import NotFound
from schema.evidence import pointers
from schema.facts import SELECT_FACTS, fact_of
from schema.outdated import ended
from schema.records import Fact, Freshness

ASKED = "Asked:"  # begins a summary's line that is a person's words, not what came of them
_PROJECT = text("SELECT name, remote FROM projects WHERE client = :client AND project = :project")
# What holds now comes first where there is no room for all.
_VERSIONS = text(f"""{SELECT_FACTS}
    WHERE client = :client AND project = :project
    ORDER BY retired_at IS NULL AND valid_to IS NULL DESC, recorded_at DESC, version DESC LIMIT :versions
""")
_CHECKS = text("""
    SELECT c.fact::text, c.freshness, c.sha, c.checked_at FROM fact_checks c
    WHERE c.client = :client AND c.project = :project ORDER BY c.fact
""")
_SESSIONS = text("""
    SELECT m.session::text, s.agent, m.title, m.text, m.started_at, m.at, m.distilled_at, m.distiller, m.evidence,
           m.files, ARRAY(SELECT title FROM events e WHERE e.client = m.client AND e.session = m.session) AS told
    FROM session_summaries m JOIN sessions s ON s.client = m.client AND s.session = m.session
    WHERE m.client = :client AND m.project = :project ORDER BY m.at DESC, m.session LIMIT :sessions
""")
_EVENTS = text("""
    SELECT id::text, kind, title, text, at, session::text, files FROM events
    WHERE client = :client AND project = :project ORDER BY at DESC, id LIMIT :events
""")
_DAYS = text("""
    SELECT day, sum(sessions)::int AS sessions, sum(recorded)::int AS recorded, sum(closed)::int AS closed,
           sum(events)::int AS events, sum(deliveries)::int AS deliveries
    FROM (
        SELECT (distilled_at AT TIME ZONE 'UTC')::date AS day, 1 AS sessions, 0 AS recorded, 0 AS closed,
               0 AS events, 0 AS deliveries
        FROM session_summaries WHERE client = :client AND project = :project
        UNION ALL
        SELECT (min(recorded_at) AT TIME ZONE 'UTC')::date, 0, 1, 0, 0, 0
        FROM fact_versions WHERE client = :client AND project = :project GROUP BY fact
        UNION ALL
        SELECT (recorded_at AT TIME ZONE 'UTC')::date, 0, 0, 1, 0, 0 FROM fact_versions
        WHERE client = :client AND project = :project AND retired_at IS NULL AND valid_to IS NOT NULL
        UNION ALL
        SELECT (recorded_at AT TIME ZONE 'UTC')::date, 0, 0, 0, 1, 0
        FROM events WHERE client = :client AND project = :project
        UNION ALL
        SELECT (recorded_at AT TIME ZONE 'UTC')::date, 0, 0, 0, 0, 1
        FROM work_log WHERE client = :client AND project = :project
    ) known GROUP BY day ORDER BY day DESC LIMIT :days
""")
_TOTALS = text("""
    SELECT count(*) FILTER (WHERE valid_to IS NULL) AS facts, count(*) FILTER (WHERE valid_to IS NOT NULL) AS past,
           (SELECT count(*) FROM fact_versions WHERE client = :client AND project = :project) AS versions,
           (SELECT count(*) FROM session_summaries WHERE client = :client AND project = :project) AS sessions,
           (SELECT count(*) FROM events WHERE client = :client AND project = :project) AS events
    FROM fact_versions WHERE client = :client AND project = :project AND retired_at IS NULL
""")


def load(connection: Connection, client: str, project: str) -> State:
    """Return the state of ``project`` as it is stored. Raises NotFound where the client has no such project."""
    values: dict[str, Any] = {
        "client": client,
        "project": project,
        "versions": MOST_VERSIONS,
        "sessions": MOST_SESSIONS,
        "events": MOST_EVENTS,
        "days": MOST_DAYS,
    }
    row = connection.execute(_PROJECT, values).first()
    if row is None:
        raise NotFound(what="project", name=project)

    def rows(statement: Any) -> list[RowMapping]:
        return list(connection.execute(statement, values).mappings())

    versions = sorted((fact_of(one) for one in rows(_VERSIONS)), key=_since)
    known = {one.id for one in versions}
    past = ended(connection, client, project)
    return State(
        project=row.name,
        remote=row.remote,
        facts=tuple(one for one in versions if one.current),
        versions=tuple(versions),
        checks=tuple(_check(one) for one in rows(_CHECKS) if one["fact"] in known),
        sessions=tuple(_session(one) for one in rows(_SESSIONS)),
        events=tuple(_event(one, past.get(one["id"])) for one in rows(_EVENTS)),
        backlog=backlog(connection, client, project),
        days=tuple(Day(**one) for one in rows(_DAYS)),
        totals=Totals(**rows(_TOTALS)[0]),
    )


def _since(one: Fact) -> tuple[Any, str]:
    return one.recorded_at, one.version


def _check(row: RowMapping) -> Check:
    return Check(row["fact"], Freshness(row["freshness"]), row["sha"], row["checked_at"])


def _session(row: RowMapping) -> SessionNote:
    """A session's note. Lines that repeat what was asked are left out, and so is a title that is a request's words."""
    lines = row["text"].split("\n")
    kept = [line for line in lines if not line.startswith(ASKED)]
    title = row["title"].strip()
    if not title or (len(kept) < len(lines) and title not in row["told"]):
        title = f"Session of {day(row['at'])}"
    commits = dict.fromkeys(one.commit for one in pointers(row["evidence"]) if one.commit)
    return SessionNote(
        id=row["session"],
        agent=row["agent"],
        title=title,
        text="\n".join(kept),
        started_at=row["started_at"],
        at=row["at"],
        distilled_at=row["distilled_at"],
        by=row["distiller"],
        commits=tuple(commits),
        files=tuple(row["files"]),
    )


def _event(row: RowMapping, valid_to: datetime | None) -> EventNote:
    title = row["title"].strip() or row["kind"].replace("_", " ")
    return EventNote(**{**row, "title": title, "files": tuple(row["files"])}, valid_to=valid_to)
