"""A client of whom every table holds something, and a look into all of them."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import ARRAY, Text, create_engine, insert, text
from sqlalchemy.dialects.postgresql import JSONB, UUID

from schema.database import Database
from schema.tables import metadata
from server.forget.places import OURS
from server.operation import Call
from server.operations.forget import OPERATIONS
from server.principal import Principal, Right

CLIENT = "acme"
NOW = datetime.now(UTC)
# Of columns that are not anybody's words: what the tables allow.
PLAIN: dict[str, Any] = {
    "client": CLIENT,
    "agent": "claude",
    "origin": "hook",
    "clock": None,
    "role": "person",
    "outcome": "ok",
    "link": None,
    "change": "added",
    "disposition": "stored",
    "cardinality": "many",
    "standing": "model",
    "freshness": "fresh",
    "type": "TA",
    "format": "markdown",
    "valid_to": None,
    "retired_at": None,
    "forgotten_at": None,
    "retained_until": None,
    "evidence_dropped_at": None,
    "distilled_at": None,
    "twins": None,
    "score": None,
    "digest": None,
    "parent": None,
    "use_case": None,
    "item": None,
    "merged_into": None,
    "answered_by": None,
}


REFERENCES = """
    SELECT c.conrelid::regclass::text, a.attname, c.confrelid::regclass::text, f.attname
    FROM pg_constraint c CROSS JOIN LATERAL unnest(c.conkey, c.confkey) AS k(own, other)
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.own
    JOIN pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = k.other
    WHERE c.contype = 'f' AND c.conparentid = 0 AND a.attname <> 'client'
"""


IDS_ALONE = {"alembic_version", "briefs"}


class Shelf:
    """Writes rows, and finds words anywhere in the database."""

    def __init__(self, database: Database, owner_url: str, admin_url: str, options: dict[str, Any]) -> None:
        self.database, self.owner_url, self.admin_url = database, owner_url, admin_url
        self.options = options
        self.numbers = itertools.count(1)
        self.generated = self.asked(
            "SELECT table_name, column_name FROM information_schema.columns WHERE is_generated = 'ALWAYS'"
        )
        self.principal = Principal(CLIENT, "admin", None, None, Right.ADMIN)

        self.references = {
            (table, column): (other, key)
            for table, column, other, key in self.asked(REFERENCES)
            if table in metadata.tables and not metadata.tables[table].c[column].nullable
        }

    def asked(self, query: str) -> set[tuple[Any, ...]]:
        """What ``query`` finds, past every wall."""
        engine = create_engine(self.admin_url)
        with engine.connect() as connection:
            found = {tuple(row) for row in connection.execute(text(query))}
        engine.dispose()
        return found

    def add(self, table: str, words: str, **given: Any) -> dict[str, Any]:
        """Write a row of ``table`` with ``words`` in every column of text that is not told otherwise."""
        made: dict[str, Any] = {}
        given = {"entry": f"{next(self.numbers)}-0"} | given
        for column in metadata.tables[table].columns:
            name, kind = column.name, column.type
            if (table, name) in self.generated:
                continue
            if name in given:
                made[name] = given[name]
            elif name in PLAIN and (PLAIN[name] is not None or column.nullable):
                made[name] = PLAIN[name]
            elif isinstance(kind, ARRAY):
                made[name] = [f"about {words}"] if isinstance(kind.item_type, Text) else []
            elif isinstance(kind, JSONB):
                made[name] = [] if name == "evidence" else {"said": f"a {words} thing"}
            elif isinstance(kind, Text) and name in OURS:
                made[name] = "ours"
            elif isinstance(kind, Text):
                made[name] = f"{name} {next(self.numbers)} of {words}"
            elif isinstance(kind, UUID):
                made[name] = uuid.uuid4()
            elif kind.python_type is bytes:
                made[name] = uuid.uuid4().bytes * 2
            elif kind.python_type is datetime:
                made[name] = NOW
            elif kind.python_type is bool:
                made[name] = False
            elif kind.python_type in (int, float):
                made[name] = next(self.numbers)
            else:
                raise AssertionError(f"{table}.{name}: what would one write there?")
        with self.database.everyone(CLIENT) as connection:
            connection.execute(insert(metadata.tables[table]).values(made))
        return made

    def run(self, **given: Any) -> Any:
        """Run forget_for_good as somebody with every right."""
        operation = OPERATIONS[1]
        call = Call(self.principal, self.database, NOW, lambda: None, self.options)
        return operation.run(call, operation.input.model_validate(given))

    def confirmed(self, **given: Any) -> Any:
        """Look, then forget what was counted; both counts must be equal."""
        seen = self.run(**given)
        done = self.run(**given, confirm=seen.confirm)
        assert done.done
        assert (done.removed, done.reworded, done.events, done.queue) == (
            seen.removed,
            seen.reworded,
            seen.events,
            seen.queue,
        )
        return done

    def rows(self) -> dict[str, int]:
        """How many rows each table has, the posting blocks and marks aside."""
        engine = create_engine(self.admin_url)
        with engine.connect() as connection:
            found = {
                name: connection.scalar(text(f"SELECT count(*) FROM {name}")) for name in metadata.tables
            }
        engine.dispose()
        return found

    def holding(self, words: str) -> list[str]:
        """Where ``words`` stand, in any row of any table, in any letter case."""
        engine = create_engine(self.admin_url)
        found = []
        with engine.connect() as connection:
            tables = connection.scalars(
                text(
                    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
                    " AND relkind IN ('r', 'p') AND NOT relispartition"
                )
            ).all()
            assert set(tables) - set(metadata.tables) == IDS_ALONE  # another one would not be searched
            for name in tables:
                rows = connection.scalars(text(f"SELECT t::text FROM {name} t"))
                found += [f"{name}: {row}" for row in rows if words.lower() in row.lower()]
        engine.dispose()
        return found


@pytest.fixture
def shelf(services, database, redis_url) -> Iterator[Shelf]:
    tenants = Database(database.app_url)
    tenants.add_client(CLIENT)
    admin = services.postgres.url(database=database.name)
    yield Shelf(tenants, database.owner_url, admin, {"queue_url": redis_url})
    tenants.close()


@pytest.fixture
def project(shelf) -> uuid.UUID:
    return shelf.add("projects", "plain things")["project"]


@pytest.fixture
def session(shelf, project) -> uuid.UUID:
    return shelf.add("sessions", "plain things", project=project, state="ended")["session"]
