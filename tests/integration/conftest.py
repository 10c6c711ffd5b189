"""Postgres and Valkey for the integration tests: one of each a session, a fresh database a test.

They are started here from the wheels. Where that fails, the tests fail; they never skip.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
import redis

from limbeck.services.account import server_account
from limbeck.services.binaries import copy_programs
from limbeck.services.postgres import APPLICATION, OWNER, Postgres
from limbeck.services.valkey import Valkey

TEMPLATE = "limbeck_template"


@dataclass(frozen=True)
class Database:
    """One migrated database: URLs as the schema's owner and as the application role."""

    name: str
    owner_url: str
    app_url: str


class Services:
    """The running servers."""

    def __init__(self, postgres: Postgres, valkey: Valkey) -> None:
        self.postgres, self.valkey = postgres, valkey
        self._numbers = itertools.count(1)
        self._template_made = False

    def admin(self) -> psycopg.Connection:
        """An autocommit connection as the superuser."""
        url = self.postgres.url(database="postgres").replace("+psycopg", "")
        return psycopg.connect(url, autocommit=True)

    @contextmanager
    def fresh_database(self, migrated: bool = True) -> Iterator[Database]:
        """A database made from the migrated template (or an empty one), dropped afterwards."""
        name = f"t{next(self._numbers)}"
        with self.admin() as connection:
            if migrated and not self._template_made:
                self._make_template(connection)
            template = TEMPLATE if migrated else "template0"
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        try:
            yield Database(name, self.postgres.url(OWNER, name), self.postgres.url(APPLICATION, name))
        finally:
            with self.admin() as connection:
                connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    def _make_template(self, connection: psycopg.Connection) -> None:
        from schema import migrate

        connection.execute(f'CREATE DATABASE "{TEMPLATE}" TEMPLATE template0')
        migrate.upgrade(self.postgres.url(OWNER, TEMPLATE))
        self._template_made = True


@pytest.fixture(scope="session")
def services() -> Iterator[Services]:
    """Both servers, in a folder that the unprivileged account can reach where the tests run as root."""
    account = server_account()
    folder = Path(tempfile.mkdtemp(prefix="limbeck-test-", dir="/tmp"))
    folder.chmod(0o711)
    programs, valkey_program = copy_programs(folder / "programs")
    postgres = Postgres(
        folder / "postgres",
        folder / "run" / "pg",
        folder / "postgres.log",
        programs=programs,
        account=account,
    )
    valkey = Valkey(
        folder / "valkey",
        folder / "run" / "vk" / "s",
        folder / "valkey.log",
        program=valkey_program,
        account=account,
    )
    (folder / "run").mkdir(mode=0o711)
    try:
        postgres.init()
        postgres.start()
        valkey.start()
        yield Services(postgres, valkey)
    finally:
        valkey.stop()
        postgres.stop()
        shutil.rmtree(folder)


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
