"""A project is found by its id, else its remote, else its name; and what cannot be sent to the database is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from schema import frame
from schema.board import board
from schema.database import Database, owner
from schema.errors import DatabaseRefused, NotFound
from schema.ids import new_id
from schema.projects import known_by, named
from schema.scope import Scope

REMOTE = "github.com/acme/shop"


@pytest.fixture(scope="module")
def made(module_database) -> Iterator[Database]:
    database = Database(module_database.app_url)
    yield database
    database.close()


def project(connection, name: str, remote: str | None = None, client: str = "acme") -> str:
    own = new_id()
    connection.execute(
        text("INSERT INTO projects (client, project, name, remote) VALUES (:client, :own, :name, :remote)"),
        {"client": client, "own": own, "name": name, "remote": remote},
    )
    return own


@pytest.fixture
def connection(made):
    """What a test writes goes with it."""
    made.add_client("acme")
    with made.tenant("acme") as connection, connection.begin_nested() as nested:
        yield connection
        nested.rollback()


def test_a_name_never_stands_in_the_way_of_a_remote_or_an_id(connection):
    shop = project(connection, "shop", REMOTE)
    named_like_a_remote = project(connection, REMOTE)
    named_like_an_id = project(connection, shop)
    assert named(connection, "acme", REMOTE) == shop
    assert named(connection, "acme", shop) == shop
    assert named(connection, "acme", named_like_a_remote) == named_like_a_remote
    assert named(connection, "acme", named_like_an_id) == named_like_an_id
    assert known_by(connection, Scope("acme"), REMOTE) == shop
    assert known_by(connection, Scope("acme"), "shop") is None


def test_what_is_beyond_reach_is_in_nobodys_way(connection):
    ours, theirs = project(connection, "shop"), project(connection, "shop", REMOTE)
    with pytest.raises(NotFound, match="there are 2"):
        named(connection, "acme", "shop")
    assert named(connection, "acme", "shop", [ours]) == ours
    for name in (REMOTE, theirs):
        with pytest.raises(NotFound):
            named(connection, "acme", name, [ours])
    assert known_by(connection, Scope("acme", (ours,)), REMOTE) is None


def test_a_list_of_names_says_how_many_it_leaves_out(connection):
    for name in "cab":
        project(connection, name)
    found, more = frame.names(connection, Scope("acme"), most=2)
    assert ([name for _, name, _ in found], more) == (["a", "b"], 1)
    assert frame.names(connection, Scope("acme"), most=4)[1] == 0


def test_a_board_says_how_many_use_cases_there_are(connection):
    own = project(connection, "shop")
    for serial in (1001, 1002, 1003):
        connection.execute(
            text("""
                INSERT INTO items (client, id, project, type, serial, title, state, position)
                VALUES ('acme', :id, :project, 'US', :serial, 'a title', 'open', :serial)
            """),
            {"id": new_id(), "project": own, "serial": serial},
        )
    found = board(connection, "acme", own, most_cases=2)
    assert ([case["number"] for case in found.cases], found.of_cases) == (["US1001", "US1002"], 3)


def test_half_a_character_in_a_value_is_refused_by_its_sentence(made, module_database):
    value = {"x": "\ud800"}
    with pytest.raises(DatabaseRefused, match="half of a surrogate pair"), made.tenant("acme") as connection:
        connection.execute(text("SELECT cast(:x AS text)"), value)
    with (
        pytest.raises(DatabaseRefused, match="half of a surrogate pair"),
        owner(module_database.owner_url) as engine,
        engine.connect() as connection,
    ):
        connection.execute(text("SELECT cast(:x AS text)"), value)


def test_an_error_like_it_that_is_not_the_databases_stays_what_it_is(made):
    with pytest.raises(UnicodeEncodeError), made.tenant("acme"):
        "\ud800".encode()
