"""Alice and Bob of one client, a stranger of another, and a way to run an operation as each."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import BaseModel
from sqlalchemy import text

from schema.database import Database
from server.operation import Call, Operation
from server.principal import Principal, Right

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@dataclass
class Person:
    """Somebody with a token; every call is a second after the one before."""

    database: Database
    principal: Principal
    options: Mapping[str, Any] = field(default_factory=dict)
    now: datetime = NOON

    def run(self, operation: Operation[Any, Any], **given: Any) -> BaseModel:
        """Run ``operation`` with what a rendering would pass."""
        self.now += timedelta(seconds=1)
        return operation.run(self.call(), operation.input.model_validate(given))

    def call(self) -> Call:
        return Call(self.principal, self.database, self.now, lambda: None, self.options)

    def as_agent(self, agent: str | None, *projects: str) -> Person:
        """The same user with another agent, and with some projects only."""
        narrowed = replace(self.principal, agent=agent, projects=projects or self.principal.projects)
        return Person(self.database, narrowed, self.options, self.now)


@pytest.fixture
def tenants(app_url: str) -> Iterator[Database]:
    database = Database(app_url)
    for client in ("acme", "other"):
        database.add_client(client)
    yield database
    database.close()


@pytest.fixture
def alice(tenants: Database) -> Person:
    return Person(tenants, Principal("acme", "alice", "claude", None, Right.ADMIN))


@pytest.fixture
def bob(tenants: Database) -> Person:
    return Person(tenants, Principal("acme", "bob", "claude", None, Right.ADMIN))


@pytest.fixture
def stranger(tenants: Database) -> Person:
    return Person(tenants, Principal("other", "alice", "claude", None, Right.ADMIN))


@pytest.fixture
def new_project(tenants: Database) -> Callable[..., str]:
    """Make a project and return its id."""

    def make(name: str = "shop", client: str = "acme") -> str:
        project = str(uuid.uuid4())
        with tenants.tenant(client) as connection:
            connection.execute(
                text("INSERT INTO projects (client, project, name) VALUES (:client, :project, :name)"),
                {"client": client, "project": project, "name": name},
            )
        return project

    return make
