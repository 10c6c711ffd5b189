"""A client with projects, and facts, sessions and items in them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from distill.resolve import Resolution
from distill.store import facts as fact_store
from schema.database import Database
from schema.records import Cardinality, Evidence, Fact, FactKind, Slot, Standing

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

    def make(name: str = "shop", client: str = CLIENT) -> str:
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
def add_fact(tenants: Database, project: str) -> Callable[..., Fact]:
    """Append a fact: ``add_fact("subject", "value", hours=3)``."""

    def add(subject: str, value: str, *, hours: float = 0, **fields: Any) -> Fact:
        ident, at = str(uuid.uuid4()), NOON + timedelta(hours=hours)
        given: dict[str, Any] = {
            "id": ident,
            "version": ident,
            "slot": Slot(subject, "choice"),
            "cardinality": Cardinality.ONE,
            "kind": FactKind.DECISION,
            "value": value,
            "statement": f"The {subject} is {value}",
            "standing": Standing.PERSON,
            "valid_from": at,
            "recorded_at": at,
            "evidence": (Evidence("commit", str(uuid.uuid4()), at, None, "a" * 40),),
        }
        made = Fact(**{**given, **fields})
        with tenants.tenant(CLIENT) as connection:
            fact_store.apply(connection, CLIENT, project, Resolution((), (), (made,)))
        return made

    return add


@pytest.fixture
def add_session(tenants: Database, project: str) -> Callable[..., str]:
    """A distilled session with its summary and one event."""

    def add(title: str = "Sign in", words: str = "- chose bearer tokens", *, hours: float = 0) -> str:
        ident, at = str(uuid.uuid4()), NOON + timedelta(hours=hours)
        values = {"c": CLIENT, "s": ident, "p": project, "at": at, "title": title, "words": words}
        with tenants.tenant(CLIENT) as connection:
            connection.execute(
                text("""
                    INSERT INTO sessions (client, session, project, agent, agent_session, state, origin, started_at,
                                          last_at, seen_at)
                    VALUES (:c, :s, :p, 'claude', cast(:s AS uuid)::text, 'distilled', 'hook', :at, :at, :at)
                """),
                values,
            )
            connection.execute(
                text("""
                    INSERT INTO session_summaries (client, session, id, project, title, text, distiller, started_at, at,
                                                   distilled_at)
                    VALUES (:c, :s, gen_random_uuid(), :p, :title, :words, 'offline', :at, :at, :at)
                """),
                values,
            )
            connection.execute(
                text("""
                    INSERT INTO events (client, id, project, session, key, kind, title, text, at, recorded_at)
                    VALUES (:c, gen_random_uuid(), :p, :s, 'k', 'decision', :title, :words, :at, :at)
                """),
                values,
            )
        return ident

    return add
