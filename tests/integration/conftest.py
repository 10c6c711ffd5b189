"""Postgres and Valkey for the integration tests: one of each a session, a fresh database a test.

They are started here from the wheels. Where that fails, the tests fail; they never skip.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.servers import Database, Services, running_services


@pytest.fixture(scope="session")
def services() -> Iterator[Services]:
    """Both servers."""
    with running_services() as running:
        yield running


@pytest.fixture
def database(services: Services) -> Iterator[Database]:
    """A fresh migrated database for this test."""
    with services.fresh_database() as fresh:
        yield fresh


@pytest.fixture(scope="module")
def module_database(services: Services) -> Iterator[Database]:
    """A fresh migrated database shared by one module's tests."""
    with services.fresh_database() as fresh:
        yield fresh


@pytest.fixture
def empty_database(services: Services) -> Iterator[Database]:
    """A database without our schema."""
    with services.fresh_database(migrated=False) as fresh:
        yield fresh


@pytest.fixture
def owner_url(database: Database) -> str:
    """SQLAlchemy URL of this test's database as the schema's owner."""
    return database.owner_url


@pytest.fixture
def app_url(database: Database) -> str:
    """SQLAlchemy URL of this test's database as the application role."""
    return database.app_url


@pytest.fixture
def redis_socket(services: Services) -> Path:
    """The unix socket of an emptied Valkey."""
    with redis.Redis(unix_socket_path=str(services.valkey.socket)) as connection:
        connection.flushall()
    return services.valkey.socket


@pytest.fixture
def redis_url(services: Services, redis_socket: Path) -> str:
    """redis-py URL of the same Valkey, emptied."""
    return services.valkey.url()


@pytest.fixture
def broker_url(services: Services, redis_socket: Path) -> str:
    """Celery's URL of the same Valkey, emptied."""
    return services.valkey.broker_url()
