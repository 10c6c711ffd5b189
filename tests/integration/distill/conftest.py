"""A project in a fresh database, and scripted sessions written into its mirror."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from distill.offline.distiller import OfflineDistiller
from distill.run import DistilResult, distil_session
from distill.store import facts as fact_store
from schema.database import Database
from schema.ids import new_id
from schema.records import Commit, Evidence, Fact, Manifest, SessionEvidence
from tests.unit.distill.scripts import START, evidence

CLIENT = "local"


def _row(at: datetime) -> dict[str, object]:
    identifier = new_id()
    return {"id": identifier, "event": identifier, "moment": at}


class Shelf:
    """One client's project; ``tell`` writes a scripted session, ``distil`` distils it."""

    def __init__(self, database: Database, client: str = CLIENT) -> None:
        self.database, self.client, self.project = database, client, new_id()
        database.add_client(client)
        self._do(
            "INSERT INTO projects (client, project, name) VALUES (:client, :project, 'demo')",
            project=self.project,
        )

    def _do(self, statement: str, **values: object) -> None:
        with self.database.tenant(self.client) as connection:
            connection.execute(text(statement), {"client": self.client, **values})

    def tell(self, lines: Iterable[str], *, start: datetime = START, session: str | None = None) -> str:
        """Write a session (or add to one) and return its id."""
        identifier = session or new_id()
        told = evidence(lines, start=start, session="x")
        if session is None:
            self._do(
                """INSERT INTO sessions (client, session, project, agent, agent_session, state, origin, started_at,
                       last_at)
                   VALUES (:client, :session, :project, 'claude', :name, 'ended', 'hook', :start, :last)""",
                session=identifier,
                name=identifier,
                project=self.project,
                start=told.started_at,
                last=told.last_at,
            )
        self._mirror(identifier, told)
        return identifier

    def _mirror(self, session: str, told: SessionEvidence) -> None:
        common = "client, id, received_at, project, session, event_id, origin, at"
        slots = ":client, :id, now(), :project, :session, :event, 'hook', :moment"
        place = {"project": self.project, "session": session}
        for exchange in told.exchanges:
            self._do(
                f"""INSERT INTO exchanges ({common}, agent, turn, role, text, chars, cut)
                    VALUES ({slots}, 'claude', cast(:turn AS text), :role, :text,
                        length(cast(:text AS text)), false)""",
                **_row(exchange.at),
                turn=exchange.turn,
                role=exchange.role.value,
                text=exchange.text,
                **place,
            )
        for call in told.observations:
            self._do(
                f"""INSERT INTO observations ({common}, agent, turn, tool, target, shape, outcome, files, count,
                        last_at)
                    VALUES ({slots}, 'claude', cast(:turn AS text), :tool, :target, :shape, :outcome,
                        '{{}}', 1, :last)""",
                **_row(call.at),
                turn=call.turn,
                tool=call.tool,
                target=call.target,
                shape=call.shape,
                outcome=call.outcome.value,
                last=call.at,
                **place,
            )
        for commit in told.commits:
            self._do(
                f"""INSERT INTO commits ({common}, sha, parents, message, files, manifests, languages,
                        languages_before)
                    VALUES ({slots}, :sha, '{{}}', :message, cast(:files AS jsonb), '[]', '{{}}', '{{}}')""",
                **_row(commit.at),
                sha=commit.sha,
                message=commit.message,
                files=json.dumps(
                    [{"path": f.path, "added": f.added, "deleted": f.deleted} for f in commit.files]
                ),
                **place,
            )

    def key(self, name: str) -> None:
        """Let the project be known by a key."""
        self._do(
            "INSERT INTO project_keys (client, key, project) VALUES (:client, :key, :project)",
            key=name,
            project=self.project,
        )

    def distil(self, session: str) -> DistilResult:
        return distil_session(self.database, self.client, session, OfflineDistiller())

    def say(self, *lines: str, start: datetime = START) -> str:
        """Tell and distil."""
        session = self.tell(lines, start=start)
        self.distil(session)
        return session

    def facts(self, **when: Any) -> tuple[Fact, ...]:
        with self.database.tenant(self.client) as connection:
            return fact_store.view(connection, self.client, self.project, **when)

    def values(self, **when: Any) -> set[tuple[str, str]]:
        return {(fact.slot.subject, fact.value) for fact in self.facts(**when)}

    def fact(self, value: str) -> Fact:
        return next(f for f in self.facts(history=True) if f.value == value and f.valid_to != f.valid_from)

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        with self.database.tenant(self.client) as connection:
            return [tuple(row) for row in connection.execute(text(statement))]


@pytest.fixture
def shelf(app_url: str) -> Iterator[Shelf]:
    database = Database(app_url)
    yield Shelf(database)
    database.close()


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def commit(number: int, **parts: Any) -> Commit:
    sha = f"{number:040x}"
    return Commit(id=new_id(), sha=sha, message="change", at=day(number), **parts)


def manifest(path: str, content: str | None) -> Manifest:
    return Manifest(path, content)


__all__ = ["CLIENT", "Evidence", "Shelf", "commit", "day", "manifest"]
