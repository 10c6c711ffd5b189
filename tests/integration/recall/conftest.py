"""A client with a project, and units made by a line."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from recall.answer import Scope
from schema.database import Database
from schema.records import Unit

CLIENT = "local"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def tenants(app_url: str) -> Iterator[Database]:
    """The database as the application role, with two clients."""
    database = Database(app_url)
    for client in (CLIENT, "stranger"):
        database.add_client(client)
    yield database
    database.close()


@pytest.fixture
def new_project(tenants: Database) -> Callable[..., str]:
    """Make a project of a client and return its id."""

    def make(client: str = CLIENT, name: str = "shop") -> str:
        project = str(uuid.uuid4())
        with tenants.tenant(client) as connection:
            connection.execute(
                text("INSERT INTO projects (client, project, name) VALUES (:client, :project, :name)"),
                {"client": client, "project": project, "name": name},
            )
        return project

    return make


@pytest.fixture
def project(new_project: Callable[..., str]) -> str:
    """A project of the first client."""
    return new_project()


@pytest.fixture
def scope(project: str) -> Scope:
    """The first client's view of that project."""
    return Scope(CLIENT, (project,))


@pytest.fixture
def unit(project: str) -> Callable[..., Unit]:
    """Make a unit: ``unit("text", session="one", hours=3)``; hours count from noon of 2 March 2026."""

    def make(words: str, *, kind: str = "turn", hours: float = 0, **fields: Any) -> Unit:
        given = {"ref": str(uuid.uuid4()), "project": project, "title": "", **fields}
        return Unit(kind=kind, text=words, at=NOON + timedelta(hours=hours), **given)

    return make
