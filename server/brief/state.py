"""What the brief is made from, read in one transaction: distilled things alone, nothing of the mirror."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from distill.store.listing import weightiest
from schema import history
from schema.backlog import items
from schema.errors import NotFound
from schema.scope import Scope
from schema.sessions import summaries

MOST_FACTS, MOST_SESSIONS, MOST_QUESTIONS, MOST_ITEMS = 60, 6, 6, 8
UNDER_WAY, WAITING = ("in-progress", "review"), ("open", "pending")


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A current fact; ``here`` where it comes from a file that was asked about, ``doubt`` what was said against it."""

    id: str
    statement: str
    kind: str
    standing: str
    since: datetime
    freshness: str | None = None
    commit: str | None = None
    pinned: bool = False
    here: bool = False
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class PastSession:
    """A session and what it came to."""

    id: str
    title: str
    summary: str
    agent: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """A question that nothing answers yet."""

    id: str
    title: str
    at: datetime


@dataclass(frozen=True, slots=True)
class WorkItem:
    """An open item of the backlog."""

    number: str
    title: str
    state: str


@dataclass(frozen=True, slots=True)
class BriefState:
    """Everything the brief may say of a project, the most important of each kind first."""

    project: str
    facts: tuple[KnownFact, ...] = ()
    sessions: tuple[PastSession, ...] = ()
    questions: tuple[Question, ...] = ()
    items: tuple[WorkItem, ...] = ()


def load(connection: Connection, scope: Scope, project: str, files: Sequence[str] = ()) -> BriefState:
    """Read what matters in ``project`` (an id in reach); ``files`` are files or folders the session is about.

    Raises NotFound.
    """
    within = Scope(scope.client, (project,), scope.user)
    statement = text("SELECT name FROM projects WHERE client = :client AND project = :project")
    name = connection.scalar(statement, {"client": scope.client, "project": project})
    if name is None:
        raise NotFound(what="project", name=project)
    facts = weightiest(connection, within, files=files, limit=MOST_FACTS)
    questions = history.events(connection, within, open_questions=True, limit=MOST_QUESTIONS)
    work = [
        item
        for states in (UNDER_WAY, WAITING)
        for item in items(connection, scope.client, project, states=states, limit=MOST_ITEMS)
    ]
    return BriefState(
        project=str(name),
        facts=tuple(
            KnownFact(
                id=row.fact.id,
                statement=row.fact.statement,
                kind=row.fact.kind.value,
                standing=row.fact.standing.value,
                since=row.fact.valid_from,
                freshness=row.freshness,
                commit=next((e.commit for e in reversed(row.fact.evidence) if e.commit), None),
                pinned=row.fact.pinned,
                here=bool(files) and touches(row.fact.files, files),
                doubt=row.doubt.told if row.doubt else "",
            )
            for row in facts
        ),
        sessions=tuple(PastSession(**row) for row in summaries(connection, within, limit=MOST_SESSIONS)),
        questions=tuple(Question(row["id"], row["title"], row["at"]) for row in questions),
        items=tuple(WorkItem(item.number, item.title, item.state) for item in work[:MOST_ITEMS]),
    )


def touches(paths: Sequence[str], asked: Sequence[str]) -> bool:
    """Whether one of ``paths`` is one of the files ``asked`` about, or lies in a folder of them."""
    return any(path == one or path.startswith(one.rstrip("/") + "/") for path in paths for one in asked)
