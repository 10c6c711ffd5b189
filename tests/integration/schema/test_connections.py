"""Pooled connections that the other side ended are replaced unseen, and given back where nobody needs them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, text

from schema.database import Database
from schema.errors import DatabaseConflict, DatabaseUnavailable

WHO = text(
    "SELECT current_setting('limbeck.client', true), current_setting('limbeck.user', true), current_user"
)
BACKEND = text("SELECT pg_backend_pid()")


@pytest.fixture
def made(app_url: str) -> Iterator[Database]:
    database = Database(app_url, pool_size=2, overflow=2)
    database.add_client("alice")
    yield database
    database.close()


def backend(database: Database) -> int:
    with database.tenant("alice") as connection:
        return int(connection.scalar(BACKEND) or 0)


def end(owner_url: str, *backends: int) -> None:
    engine = create_engine(owner_url)
    try:
        with engine.connect() as connection:
            for one in backends:
                connection.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": one})
    finally:
        engine.dispose()


def test_a_connection_is_kept_and_used_again(made):
    assert backend(made) == backend(made)


def test_one_that_was_ended_meanwhile_is_replaced(made, owner_url):
    old = backend(made)
    end(owner_url, old)
    with made.tenant("alice", "anna") as connection:
        assert connection.execute(WHO).one() == ("alice", "anna", "limbeck_app")
    assert backend(made) != old


def all_ended(database: Database, owner_url: str) -> None:
    with database.tenant("alice") as one, database.tenant("alice") as other:
        backends = [int(connection.scalar(BACKEND) or 0) for connection in (one, other)]
    end(owner_url, *backends)


def test_every_pooled_one_may_have_been_ended_and_every_way_in_copes(made, owner_url):
    all_ended(made, owner_url)
    assert "alice" in made.clients()
    all_ended(made, owner_url)
    with made.alone("alice", "work") as taken:
        assert taken
    all_ended(made, owner_url)
    with made.everyone("alice") as connection:
        assert connection.execute(WHO).one()[:2] == ("alice", "*")


def test_one_that_ends_in_the_middle_is_told_and_nothing_is_done_twice(made, owner_url):
    with pytest.raises(DatabaseUnavailable), made.tenant("alice") as connection:  # noqa: PT012
        end(owner_url, int(connection.scalar(BACKEND) or 0))
        connection.execute(WHO)
    assert backend(made)


def test_an_error_rolls_back_and_the_settings_go_with_the_transaction(made):
    with pytest.raises(DatabaseConflict), made.tenant("alice") as connection:
        connection.execute(text("INSERT INTO clients (client) VALUES ('alice')"))
    with made.engine.begin() as connection:
        assert connection.execute(WHO).one()[:2] == ("", "")


def test_what_nobody_needed_since_the_last_look_is_given_back(made):
    with made.tenant("alice"), made.tenant("alice"):
        pass
    assert made.engine.pool.checkedin() == 2
    assert not made.rest()
    one = backend(made)  # two were needed at once, and one is now
    assert made.rest()
    assert made.engine.pool.checkedin() == 0
    other = backend(made)
    assert other != one
    assert not made.rest()  # as many as are needed
    assert made.rest()
    assert not made.rest()


def test_what_is_in_use_is_left_alone(made):
    with made.tenant("alice") as connection:
        with made.tenant("alice"):
            pass
        assert not made.rest()
        assert not made.rest()
        assert connection.execute(WHO).one()[0] == "alice"
    assert made.rest()  # two are open, one was enough


def test_one_that_the_other_side_ended_is_given_back_like_any_other(made, owner_url):
    end(owner_url, backend(made))
    assert not made.rest()
    assert made.rest()
    assert backend(made)
