"""Postgres and Valkey for tests that need them, started from the wheels in a folder of their own."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from limbeck.services.account import server_account
from limbeck.services.binaries import copy_programs
from limbeck.services.postgres import APPLICATION, OWNER, Loopback, Postgres
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


@contextmanager
def open_folder() -> Iterator[Path]:
    """A temporary folder with a short path, which the servers' account can pass through."""
    folder = Path(tempfile.mkdtemp(prefix="limbeck-test-", dir="/tmp"))
    (folder / "run").mkdir()
    folder.chmod(0o711)
    (folder / "run").chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def running_services(loopback: Loopback | None = None) -> Iterator[Services]:
    """Both servers; Postgres on ``loopback`` where it is given."""
    account = server_account()
    with open_folder() as folder:
        programs, valkey_program = copy_programs(folder / "programs")
        postgres = Postgres(
            folder / "postgres",
            folder / "run" / "pg",
            folder / "postgres.log",
            programs=programs,
            account=account,
            loopback=loopback,
        )
        valkey = Valkey(
            folder / "valkey",
            folder / "run" / "vk" / "s",
            folder / "valkey.log",
            program=valkey_program,
            account=account,
        )
        try:
            postgres.init()
            postgres.start()
            valkey.start()
            yield Services(postgres, valkey)
        finally:
            valkey.stop()
            postgres.stop()
