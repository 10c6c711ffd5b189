"""A decision whose fact has ended is not answered as current; history shows it as outdated."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from projection.okf.load import load
from projection.okf.render import render
from recall.answer import Scope
from recall.fence import label
from recall.run import index_facts, index_session
from recall.search import recall
from schema.database import Database
from tests.integration.distill.conftest import CLIENT, Shelf, day

QUESTION = "which database do we use"


@pytest.fixture
def shelf(app_url: str) -> Iterator[Shelf]:
    """A project in a fresh database."""
    database = Database(app_url)
    yield Shelf(database)
    database.close()


def told(shelf: Shelf, number: int, *lines: str) -> str:
    session = shelf.tell(lines, start=day(number))
    shelf.distil(session)
    index_session(shelf.database, CLIENT, session)
    return session


def events(shelf: Shelf, *, history: bool = False) -> list[tuple[str, bool]]:
    answer = recall(
        shelf.database, Scope(CLIENT, (shelf.project,)), QUESTION, kinds=["event"], history=history
    )
    return [(hit.title, hit.current) for hit in answer.hits]


POSTGRES = "We decided to use Postgres instead of SQLite for the database because two machines write."
SQLITE = "We decided to use SQLite instead of Postgres for the database because one machine is enough."


def test_the_event_of_a_replaced_fact_is_outdated(shelf: Shelf) -> None:
    first = told(shelf, 0, f"P: {POSTGRES}")
    assert events(shelf) == [(POSTGRES.rstrip("."), True)]
    told(shelf, 1, f"P: {SQLITE}")
    assert events(shelf) == [(SQLITE.rstrip("."), True)]
    assert dict(events(shelf, history=True)) == {POSTGRES.rstrip("."): False, SQLITE.rstrip("."): True}
    index_session(shelf.database, CLIENT, first)  # the same again changes nothing
    assert events(shelf) == [(SQLITE.rstrip("."), True)]
    answer = recall(shelf.database, Scope(CLIENT, (shelf.project,)), QUESTION, kinds=["event"], history=True)
    labels = {hit.title: label(hit) for hit in answer.hits}
    assert "outdated since" in labels[POSTGRES.rstrip(".")]


def test_an_event_is_current_again_with_its_fact(shelf: Shelf) -> None:
    told(shelf, 0, f"P: {POSTGRES}")
    told(shelf, 1, f"P: {SQLITE}")
    with shelf.database.tenant(CLIENT) as connection:
        connection.execute(
            text("UPDATE fact_versions SET retired_at = now() WHERE value = 'Postgres'"),
        )
    index_facts(shelf.database, CLIENT, shelf.project)
    assert (POSTGRES.rstrip("."), True) in events(shelf)


def test_what_ended_a_fact_is_not_outdated_with_it(shelf: Shelf) -> None:
    told(shelf, 0, "P: Use Redis for the cache.")
    told(shelf, 1, "P: We decided that we no longer use Redis for the cache.")
    found = recall(shelf.database, Scope(CLIENT, (shelf.project,)), "cache", kinds=["event"], history=True)
    current = {hit.title: hit.current for hit in found.hits}
    assert current["Use Redis for the cache"] is False
    assert all(holds for title, holds in current.items() if "no longer" in title)


def test_a_decision_without_a_fact_stays(shelf: Shelf) -> None:
    told(shelf, 0, "P: Decision: invoices of the database team go out on Fridays.")
    told(shelf, 1, f"P: {SQLITE}")
    assert len(events(shelf)) == 2


def test_the_bundle_says_it_too(shelf: Shelf) -> None:
    told(shelf, 0, f"P: {POSTGRES}")
    told(shelf, 1, f"P: {SQLITE}")
    with shelf.database.tenant(CLIENT) as connection:
        files = render(load(connection, CLIENT, shelf.project))
    lines = files["events/recent.md"].decode().splitlines()
    past = [line for line in lines if "holds no longer since" in line]
    assert [POSTGRES.rstrip(".") in line for line in past] == [True]
