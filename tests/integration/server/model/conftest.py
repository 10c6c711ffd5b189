"""Two clients with projects whose sessions went through ingest, the distiller and the index; and who may ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import text

from capture.envelope import encode
from distill.offline.distiller import OfflineDistiller
from distill.run import distil_session
from limbeck.bench.facts_script import START, envelopes
from recall.run import index_session
from schema.database import Database
from server.operation import Call
from server.operations import ALL
from server.principal import Principal, Right
from workers.incoming import Incoming, read
from workers.ingest import ingest

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
BY_NAME = {operation.name: operation for operation in ALL}


class World:
    """One database; ``tell`` brings a scripted session in, ``ask`` runs an operation as somebody."""

    def __init__(self, database: Database) -> None:
        self.database, self.options, self.entries = database, dict[str, Any](), 0

    def tell(
        self,
        project: str,
        session: str,
        lines: Iterable[str],
        *,
        client: str = "local",
        start: datetime = START,
        distil: bool = True,
    ) -> str:
        """Bring a session in (and to its end) and return our id of it."""
        events = [self._read(one) for one in envelopes(lines, project=project, session=session, start=start)]
        with self.database.tenant(client) as connection:
            ingest(connection, client, events, now=NOW)
            own = connection.scalar(
                text("SELECT session::text FROM sessions WHERE agent_session = :name"), {"name": session}
            )
        if distil:
            self.distil(str(own), client)
        return str(own)

    def distil(self, session: str, client: str = "local") -> None:
        distil_session(self.database, client, session, OfflineDistiller())
        with self.database.tenant(client) as connection:
            connection.execute(
                text("UPDATE sessions SET state = 'distilled' WHERE session = :s"), {"s": session}
            )
        index_session(self.database, client, session)

    def call(self, principal: Principal) -> Call:
        return Call(principal, self.database, NOW, lambda: None, self.options)

    def ask(self, principal: Principal, name: str, **given: Any) -> Any:
        operation = BY_NAME[name]
        assert principal.right.covers(operation.right)
        return operation.run(self.call(principal), operation.input(**given))

    def project(self, name: str, client: str = "local") -> str:
        with self.database.tenant(client) as connection:
            found = connection.scalar(
                text("SELECT project::text FROM projects WHERE name = :name"), {"name": name}
            )
        return str(found)

    def rows(self, statement: str, client: str = "local", **values: Any) -> list[tuple[Any, ...]]:
        with self.database.tenant(client) as connection:
            return [tuple(row) for row in connection.execute(text(statement), values)]

    def _read(self, envelope: dict[str, Any]) -> Incoming:
        self.entries += 1
        event = read(f"{self.entries}-0", encode(envelope), NOW)
        assert isinstance(event, Incoming), event
        return event


SHOP = [
    "P: We use Postgres for the database, because several workers write at once.",
    "R: Postgres it is. The orders will move over from SQLite.",
    "O: Edit | src/orders/store.py | ok",
    "C: Move the orders to Postgres\n\nSeveral workers write. | src/orders/store.py, README.md",
    "P: Always run ruff before you commit.",
    "O: Bash | ruff check | ok",
]
LATER = [
    "P: We switched the database from Postgres to MySQL.",
    "O: Edit | src/orders/store.py | failed",
    "C: Move the orders to MySQL | src/orders/store.py",
    "P: Should the carts move too?",
]
WEB = ["P: We use Svelte for the frontend.", "C: Start the web app | web/app.svelte"]


@pytest.fixture(scope="module")
def world(module_database) -> Iterator[World]:
    database = Database(module_database.app_url)
    for client in ("local", "stranger"):
        database.add_client(client)
    yield World(database)
    database.close()


@pytest.fixture(scope="module")
def told(world: World) -> World:
    """The shop with two sessions, the web app with one, and a stranger's project."""
    world.tell("shop", "s-1", SHOP)
    world.tell("shop", "s-2", LATER, start=START.replace(month=5))
    world.tell("web", "w-1", WEB)
    world.tell("vault", "x-1", ["P: We use Oracle for the database."], client="stranger")
    return world


@pytest.fixture(scope="module")
def alice() -> Principal:
    """Alice may do everything of the client."""
    return Principal("local", "alice", right=Right.ADMIN, token="t1")


@pytest.fixture
def bob(told: World, alice: Principal) -> Principal:
    """Bob is held to the web app."""
    return replace(alice, user="bob", agent="claude", projects=(told.project("web"),), right=Right.WRITE)


@pytest.fixture(scope="module")
def stranger() -> Principal:
    """Somebody of another client."""
    return Principal("stranger", "mallory", right=Right.ADMIN, token="t2")
