"""What a session came to: one summary, its events, its drafts. A second distillation replaces the first."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, text

from schema.evidence import pointers_json
from schema.ids import new_id
from schema.records import Distillate, Evidence, SessionEvidence

MOST_FILES = 40

_SUMMARY = """
    INSERT INTO session_summaries AS known (client, session, id, project, title, text, distiller, started_at, at,
        distilled_at, evidence, files)
    VALUES (:client, :session, :id, :project, :title, :text, :distiller, :started_at, :at, :now,
        cast(:evidence AS jsonb), :files)
    ON CONFLICT (client, session) {again}
    RETURNING id::text
"""
_SUMMARY_AGAIN = """
    DO UPDATE SET title = excluded.title, text = excluded.text, distiller = excluded.distiller, at = excluded.at,
        started_at = excluded.started_at, distilled_at = excluded.distilled_at, evidence = excluded.evidence,
        files = excluded.files
"""
_SUMMARY_KEPT = "DO UPDATE SET at = greatest(known.at, excluded.at), distilled_at = excluded.distilled_at"
_GONE_EVENTS = text("""
    DELETE FROM events WHERE client = :client AND project = :project AND session = :session
      AND origin = 'session' AND key <> ALL(:keys)
""")
_EVENT = """
    INSERT INTO events (client, id, project, session, key, kind, title, text, at, recorded_at, evidence, files)
    VALUES (:client, :id, :project, :session, :key, :kind, :title, :text, :at, :now, cast(:evidence AS jsonb),
        :files)
    ON CONFLICT (client, project, session, key) {again}
"""
_EVENT_AGAIN = """
    DO UPDATE SET kind = excluded.kind, title = excluded.title, text = excluded.text, at = excluded.at,
        evidence = excluded.evidence, files = excluded.files
"""


def save(
    connection: Connection, evidence: SessionEvidence, distillate: Distillate, distiller: str, now: datetime
) -> str:
    """Write summary, events and drafts; return the summary's id, the same one every time.

    Where retention took a part of the evidence, what the session came to before stays as it is, and only what is new
    is added.
    """
    summary = _summary(connection, evidence, distillate, distiller, now)
    _events(connection, evidence, distillate, now)
    _drafts(connection, evidence, distillate, now)
    return summary


def _summary(
    connection: Connection, evidence: SessionEvidence, distillate: Distillate, distiller: str, now: datetime
) -> str:
    files = list(dict.fromkeys(path for event in distillate.events for path in event.files))[:MOST_FILES]
    commits = tuple(Evidence("commit", c.id, c.at, evidence.session, c.sha) for c in evidence.commits[:20])
    again = _SUMMARY_AGAIN if evidence.dropped_at is None else _SUMMARY_KEPT
    statement = text(_SUMMARY.replace("{again}", again))
    values = {
        "client": evidence.client,
        "session": evidence.session,
        "id": new_id(),
        "project": evidence.project,
        "title": distillate.title,
        "text": distillate.summary,
        "distiller": distiller,
        "started_at": evidence.started_at,
        "at": evidence.last_at,
        "now": now,
        "evidence": pointers_json(commits),
        "files": files,
    }
    return str(connection.execute(statement, values).scalar_one())


def _events(connection: Connection, evidence: SessionEvidence, distillate: Distillate, now: datetime) -> None:
    names = {"client": evidence.client, "project": evidence.project, "session": evidence.session}
    if evidence.dropped_at is None:
        connection.execute(_GONE_EVENTS, {**names, "keys": [event.key for event in distillate.events]})
    again = _EVENT_AGAIN if evidence.dropped_at is None else "DO NOTHING"
    statement = text(_EVENT.replace("{again}", again))
    for event in distillate.events:
        values = {
            **names,
            "id": new_id(),
            "key": event.key,
            "kind": event.kind.value,
            "title": event.title,
            "text": event.text,
            "at": event.at,
            "now": now,
            "evidence": pointers_json(event.evidence),
            "files": list(event.files),
        }
        connection.execute(statement, values)


def _drafts(connection: Connection, evidence: SessionEvidence, distillate: Distillate, now: datetime) -> None:
    """A draft is kept once per project, whatever was decided about it."""
    statement = text("""
        INSERT INTO drafts (client, id, project, session, key, type, title, text, created_at, evidence)
        VALUES (:client, :id, :project, :session, :key, :type, :title, :text, :now, cast(:evidence AS jsonb))
        ON CONFLICT (client, project, key) DO NOTHING
    """)
    for draft in distillate.drafts:
        values = {
            "client": evidence.client,
            "id": new_id(),
            "project": evidence.project,
            "session": evidence.session,
            "key": draft.key,
            "type": draft.type,
            "title": draft.title,
            "text": draft.text,
            "now": now,
            "evidence": pointers_json(draft.evidence),
        }
        connection.execute(statement, values)
