"""A project with a backlog in a fresh database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from backlog import items, work
from backlog.delivery import Delivered, deliver
from backlog.items import Change
from backlog.lifecycle import State
from schema.backlog import Backlog, HistoryEntry, Item, WorkEntry, backlog, history
from schema.database import Database
from schema.ids import new_id
from schema.records import Commit
from tests.integration.distill.conftest import Shelf
from tests.unit.distill.scripts import START

ANN = "ann"


class Board(Shelf):
    """One client's project; every method is a transaction of its own."""

    def make(self, kind: str, title: str, under: str | None = None, **more: Any) -> Item:
        with self.database.tenant(self.client) as c:
            return items.create(
                c,
                self.client,
                self.project,
                kind=kind,
                title=title,
                use_case=under,
                by=ANN,
                now=START,
                **more,
            )

    def set(self, number: str, *, at: datetime = START, expected: int | None = None, **fields: Any) -> Item:
        if "state" in fields:
            fields["state"] = State(fields["state"])
        with self.database.tenant(self.client) as c:
            return items.change(
                c, self.client, self.project, number, Change(**fields), by=ANN, now=at, expected=expected
            )

    def done(self, number: str) -> Item:
        with self.database.tenant(self.client) as c:
            return items.done(c, self.client, self.project, number, by=ANN, now=START)

    def log(
        self, number: str, *, origin: str = "agent", by: str = ANN, **told: Any
    ) -> tuple[WorkEntry, bool]:
        with self.database.tenant(self.client) as c:
            return work.add(
                c, self.client, self.project, number, work.Work(**told), by=by, origin=origin, now=START
            )

    def commit(self, sha: str, message: str, *, at: datetime = START) -> Commit:
        """Write a commit into the mirror and return it."""
        identifier = new_id()
        self._do(
            """INSERT INTO commits (client, id, received_at, project, event_id, origin, at, sha, parents, message,
                   author, files, manifests, languages, languages_before)
               VALUES (:client, :id, now(), :project, :id, 'hook', :at, :sha, '{}', :message, 'Bo', '[]', '[]',
                   '{}', '{}')""",
            id=identifier,
            project=self.project,
            at=at,
            sha=sha,
            message=message,
        )
        return Commit(id=identifier, sha=sha, message=message, at=at, author="Bo")

    def deliver(self, commit: Commit) -> Delivered:
        with self.database.tenant(self.client) as c:
            return deliver(c, self.client, self.project, commit, now=START)

    def rewrite(self, old: str, new: str) -> None:
        self._do(
            "INSERT INTO rewrites (client, project, old, new) VALUES (:client, :project, :old, :new)",
            project=self.project,
            old=old,
            new=new,
        )

    def item(self, number: str) -> Item:
        everything = self.backlog(archived=True)
        listed = [*everything.loose, *(i for u in everything.use_cases for i in (u.item, *u.children))]
        return next(one for one in listed if one.number == number)

    def backlog(self, **options: Any) -> Backlog:
        with self.database.tenant(self.client) as c:
            return backlog(c, self.client, self.project, **options)

    def work(self, use_case: str) -> list[WorkEntry]:
        return list(next(u for u in self.backlog().use_cases if u.item.number == use_case).work)

    def history(self, number: str) -> list[HistoryEntry]:
        with self.database.tenant(self.client) as c:
            return history(c, self.client, self.item(number).id)

    def second_project(self) -> Board:
        """Another project of the same client."""
        other = object.__new__(Board)
        other.database, other.client, other.project = self.database, self.client, new_id()
        other._do(
            "INSERT INTO projects (client, project, name) VALUES (:client, :project, 'other')",
            project=other.project,
        )
        return other


@pytest.fixture
def board(app_url: str) -> Iterator[Board]:
    database = Database(app_url)
    yield Board(database)
    database.close()


def sha(number: int) -> str:
    return f"{number:040x}"


__all__ = ["ANN", "START", "Board", "sha"]
