"""The wall around a person's rows is in the database: it holds where a query forgot its WHERE."""

from __future__ import annotations

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import ProgrammingError

from recall.search import recall
from recall.shelves import bank
from schema.errors import Refused
from schema.scope import Scope
from schema.tables import metadata
from server.operations.bank import OPERATIONS
from server.operations.remember import OPERATIONS as REMEMBERING

POST, REMEMBER = OPERATIONS[0], REMEMBERING[0]
WALLED = (
    "memories",
    "memory_contexts",
    "search_units",
    "search_postings",
    "search_stats",
    "remembered",
    "remembered_versions",
)


@pytest.fixture
def filled(alice, bob, stranger):
    for person, word in ((alice, "aardvark"), (bob, "badger"), (stranger, "civet")):
        person.run(REMEMBER, scope="global", key=f"{word} key", value=f"a {word} value")
        person.run(POST, content=f"The {word} one.", contexts=[{"snippet": f"{word} snippet"}])


def rows(connection, table):
    return " ".join(connection.scalars(text(f"SELECT t::text FROM {table} t")))


@pytest.mark.parametrize("table", WALLED)
def test_without_a_where(filled, tenants, table):
    with tenants.tenant("acme", "alice") as connection:
        seen = rows(connection, table)
        assert seen
        assert "bob" not in seen
        assert "badger" not in seen
        assert "civet" not in seen
        connection.execute(text(f"DELETE FROM {table}"))
    with tenants.tenant("acme", "bob") as connection:
        assert rows(connection, table)


@pytest.mark.parametrize("table", WALLED)
def test_nobody_named_sees_nobodys(filled, tenants, table):
    with tenants.tenant("acme") as connection:
        assert rows(connection, table) == ""
    with tenants.everyone("acme") as connection:
        seen = rows(connection, table)
        assert "other" not in seen
        assert seen


def test_a_pooled_connection_forgets_who_asked(filled, tenants):
    with tenants.everyone("acme"):
        pass
    with tenants.tenant("acme", "alice"):
        pass
    with tenants.engine.begin() as connection:
        assert rows(connection, "memories") == ""


def test_a_row_for_somebody_else_is_refused(filled, tenants):
    statement = text("UPDATE memories SET owner = 'bob'")
    with (
        pytest.raises(ProgrammingError, match="row-level security"),
        tenants.tenant("acme", "alice") as connection,
    ):
        connection.execute(statement)


def test_nobody_may_be_called_everyone(tenants):
    with pytest.raises(Refused), tenants.tenant("acme", "*"):
        pass


def test_recall_shows_memories_of_the_asker_alone(filled, tenants):
    def found(**scope):
        answer = recall(tenants, Scope("acme", **scope), "aardvark badger civet one")
        return {(hit.kind, hit.text) for hit in answer.hits}

    assert found(user="alice") == {("memory", "The aardvark one."), ("memory", "a aardvark value")}
    assert found(user="bob", projects=()) == {("memory", "The badger one."), ("memory", "a badger value")}
    assert found() == set()


def test_a_shelf_asked_for_by_name_opens_to_its_owner_alone(filled, tenants):
    answer = recall(tenants, Scope("acme", None, "bob"), "aardvark", kinds=[bank("alice")])
    assert answer.nothing


def test_every_table_with_an_owner_or_a_shelf_has_the_second_wall(owner_url):
    """A new table with personal rows and without the policy fails here."""
    engine = create_engine(owner_url)
    with engine.connect() as connection:
        walled = set(
            connection.scalars(
                text("""
                    SELECT c.relname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
                    WHERE p.polname = 'own_person' AND NOT p.polpermissive
                """)
            )
        )
    engine.dispose()
    personal = {table.name for table in metadata.sorted_tables if "owner" in table.c}
    shelves = {table.name for table in metadata.sorted_tables if table.name.startswith("search_")}
    assert len(personal) >= 6
    assert len(shelves) == 5
    assert personal | shelves <= walled
