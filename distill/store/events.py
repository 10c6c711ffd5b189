"""Events that somebody recorded on purpose, beside those that sessions gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from distill.identity import short_key
from schema.errors import NotFound
from schema.evidence import pointers_json
from schema.ids import new_id, whole_id
from schema.records import EventKind, Evidence, NewEvent
from schema.scope import Scope

ORIGIN = "api"


@dataclass(frozen=True, slots=True)
class Recorded:
    """The event that stands for what was recorded; ``new`` is False where the same words stood there already."""

    id: str
    new: bool


_INSERT = text("""
    INSERT INTO events (client, id, project, session, key, kind, title, text, at, recorded_at, evidence, files, origin,
        author)
    VALUES (:client, :id, :project, :session, :key, :kind, :title, :text, :at, :now, cast(:evidence AS jsonb), :files,
        'api', :author)
    ON CONFLICT (client, project, key) WHERE origin = 'api' DO NOTHING
    RETURNING id::text
""")
_SAME = text(
    "SELECT id::text FROM events WHERE client = :client AND project = :project AND key = :key AND origin = 'api'"
)
_WITHDRAW = text("""
    DELETE FROM events
    WHERE client = :client AND project = :project AND origin = 'api' AND session IS NULL
      AND evidence -> 0 ->> 'kind' = 'commit' AND evidence -> 0 ->> 'id' = ANY(:sources)
    RETURNING id::text
""")
_ANSWER = """
    UPDATE events SET answered_by = :answer
    WHERE {scope} AND id = :question AND kind = 'question' AND answered_by IS NULL
    RETURNING id::text
"""


def record(
    connection: Connection,
    client: str,
    project: str,
    kind: EventKind,
    title: str,
    words: str,
    *,
    at: datetime,
    now: datetime,
    author: str,
    session: str | None = None,
    files: tuple[str, ...] = (),
) -> Recorded:
    """Keep an event (already redacted) once: the same kind and words in the same project are the same event."""
    key = short_key("recorded", kind.value, _plain(title), _plain(words))
    identifier = new_id()
    values = {
        "client": client,
        "id": identifier,
        "project": project,
        "session": session,
        "key": key,
        "kind": kind.value,
        "title": title,
        "text": words,
        "at": at,
        "now": now,
        "evidence": pointers_json([Evidence("recorded", identifier, now, session)]),
        "files": list(files),
        "author": author,
    }
    if (made := connection.scalar(_INSERT, values)) is not None:
        return Recorded(str(made), new=True)
    return Recorded(str(connection.scalar(_SAME, values)), new=False)


def keep(
    connection: Connection, client: str, project: str, event: NewEvent, session: str | None, now: datetime
) -> str:
    """Keep an event that a message or note gave, by its key; return the id of the one that stands for it."""
    values = {
        "client": client,
        "id": new_id(),
        "project": project,
        "session": session,
        "key": event.key,
        "kind": event.kind.value,
        "title": event.title,
        "text": event.text,
        "at": event.at,
        "now": now,
        "evidence": pointers_json(event.evidence),
        "files": list(event.files),
        "author": None,
    }
    made = connection.scalar(_INSERT, values)
    return str(made if made is not None else connection.scalar(_SAME, values))


def withdraw(connection: Connection, client: str, project: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Remove the events that commits (``sources``, ids of rows) gave by themselves; return the ids of those."""
    values = {"client": client, "project": project, "sources": list(sources)}
    return tuple(connection.scalars(_WITHDRAW, values))


def answer(connection: Connection, scope: Scope, question: str, by: str) -> None:
    """Let the event ``by`` answer an open question. Raises NotFound where there is no open question of that id."""
    values = scope.values | {"question": whole_id(question), "answer": by}
    if question == by or connection.scalar(text(_ANSWER.format(scope=scope.where())), values) is None:
        raise NotFound(what="open question", name=question)


def _plain(words: str) -> str:
    return " ".join(words.lower().split())
