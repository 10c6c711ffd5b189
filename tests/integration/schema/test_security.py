"""The wall between clients holds in the database itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import ProgrammingError

from schema.database import Database
from schema.tables import metadata

NO_CLIENT = {"alembic_version"}


@pytest.fixture
def database_(app_url: str) -> Iterator[Database]:
    database = Database(app_url)
    for client in ("alice", "bob"):
        database.add_client(client)
    yield database
    database.close()


def owner_rows(owner_url: str, statement: str) -> list[tuple]:
    engine = create_engine(owner_url)
    try:
        with engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(statement))]
    finally:
        engine.dispose()


def test_every_table_forces_row_security_and_has_a_policy(owner_url):
    rows = owner_rows(
        owner_url,
        """
        SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity,
               (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid)
        FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
          AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        """,
    )
    tables = {name: rest for name, *rest in rows if name not in NO_CLIENT}
    assert len(tables) >= 18
    assert {
        name for name, (enabled, forced, policies) in tables.items() if not (enabled and forced and policies)
    } == set()


def test_partitions_are_granted_to_nobody(owner_url):
    rows = owner_rows(
        owner_url,
        """
        SELECT c.relname FROM pg_class c WHERE c.relispartition AND c.relkind = 'r'
          AND (has_table_privilege('limbeck_app', c.oid, 'SELECT') OR
               has_table_privilege('limbeck_app', c.oid, 'INSERT') OR
               has_table_privilege('limbeck_app', c.oid, 'UPDATE') OR
               has_table_privilege('limbeck_app', c.oid, 'DELETE'))
        """,
    )
    assert rows == []


def test_every_policy_goes_by_the_client(owner_url):
    rows = owner_rows(
        owner_url,
        """
        SELECT c.relname, p.polname, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
        FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid WHERE p.polpermissive
        """,
    )
    open_ones = {
        (table, name)
        for table, name, *said in rows
        if not any("limbeck.client" in (one or "") for one in said)
    }
    # Which clients there are may be known; the workers ask.
    assert open_ones == {("clients", "known")}


def test_nobody_but_the_owner_may_empty_a_table_or_hang_something_on_it(owner_url):
    rows = owner_rows(
        owner_url,
        """
        SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
          AND (has_table_privilege('limbeck_app', c.oid, 'TRUNCATE') OR
               has_table_privilege('limbeck_app', c.oid, 'TRIGGER') OR
               has_table_privilege('limbeck_app', c.oid, 'REFERENCES'))
        """,
    )
    assert rows == []


def test_the_application_role_owns_nothing_and_bypasses_nothing(owner_url):
    owned = owner_rows(owner_url, "SELECT relname FROM pg_class WHERE relowner = 'limbeck_app'::regrole")
    flags = owner_rows(
        owner_url,
        "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = 'limbeck_app'",
    )
    assert owned == []
    assert flags == [(False, False, False, False)]


def test_a_query_without_where_sees_its_own_client_only(database_):
    for client in ("alice", "bob"):
        with database_.tenant(client) as connection:
            connection.execute(
                text("INSERT INTO projects (client, project, name) VALUES (:c, gen_random_uuid(), :c)"),
                {"c": client},
            )
    with database_.tenant("alice") as connection:
        assert list(connection.scalars(text("SELECT name FROM projects"))) == ["alice"]
        assert connection.execute(text("UPDATE projects SET name = 'taken'")).rowcount == 1
        assert connection.execute(text("DELETE FROM projects WHERE client = 'bob'")).rowcount == 0
    with database_.tenant("bob") as connection:
        assert list(connection.scalars(text("SELECT name FROM projects"))) == ["bob"]


def test_no_client_means_no_rows_also_on_a_pooled_connection_and_after_rollback(database_):
    with database_.tenant("alice") as connection:
        connection.execute(
            text("INSERT INTO projects (client, project, name) VALUES ('alice', gen_random_uuid(), 'x')")
        )
    with pytest.raises(RuntimeError), database_.tenant("alice") as connection:
        raise RuntimeError
    with database_.engine.begin() as connection:
        assert list(connection.execute(text("SELECT * FROM projects"))) == []
        with pytest.raises(ProgrammingError), connection.begin_nested():
            connection.execute(
                text("INSERT INTO projects (client, project, name) VALUES ('alice', gen_random_uuid(), 'y')")
            )


def test_rows_of_another_client_are_refused_on_write(database_):
    with pytest.raises(ProgrammingError, match="row-level security"), database_.tenant("alice") as connection:
        connection.execute(
            text("INSERT INTO projects (client, project, name) VALUES ('bob', gen_random_uuid(), 'x')")
        )


def test_a_fact_version_cannot_be_rewritten(database_):
    with pytest.raises(ProgrammingError, match="permission denied"), database_.tenant("alice") as connection:
        connection.execute(text("UPDATE fact_versions SET value = 'other'"))


def test_a_url_of_the_owner_is_no_way_around(owner_url):
    database = Database(owner_url)
    try:
        database.add_client("alice")
        with database.tenant("alice") as connection:
            assert connection.scalar(text("SELECT current_user")) == "limbeck_app"
            assert list(connection.execute(text("SELECT * FROM projects WHERE client = 'bob'"))) == []
    finally:
        database.close()


def test_typed_tables_and_migrations_agree(owner_url):
    rows = owner_rows(
        owner_url,
        """
        SELECT table_name, column_name, is_nullable = 'YES' FROM information_schema.columns
        WHERE table_schema = 'public'
        """,
    )
    made: dict[str, dict[str, bool]] = {}
    for table, column, nullable in rows:
        made.setdefault(table, {})[column] = nullable
    for table in metadata.sorted_tables:
        declared = {column.name: bool(column.nullable) for column in table.columns}
        assert declared == made[table.name], table.name
