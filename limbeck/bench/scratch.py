"""Servers of its own for a measurement, in temporary folders, gone afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from limbeck.bench.folders import scratch_folder, undisturbed
from limbeck.services.account import server_account
from limbeck.services.binaries import copy_programs, valkey_server
from limbeck.services.postgres import APPLICATION, OWNER, Postgres
from limbeck.services.valkey import Valkey
from schema import migrate
from schema.database import Database


def _passable(folder: Path) -> None:
    """Make ``folder``, which the servers' account may pass through whatever this process's mask is."""
    folder.mkdir()
    folder.chmod(0o711)


@contextmanager
def scratch_server() -> Iterator[Postgres]:
    """Start a fresh server; yield it migrated; stop and remove it at the end, whatever happens."""
    with scratch_folder() as place:
        programs, _ = copy_programs(place / "programs")
        _passable(place / "run")
        postgres = Postgres(
            place / "postgres",
            place / "run" / "pg",
            place / "postgres.log",
            programs=programs,
            account=server_account(),
        )
        try:
            postgres.init()
            postgres.start()
            postgres.make_database()
            migrate.upgrade(postgres.url(OWNER))
            yield postgres
        finally:
            with undisturbed():
                postgres.stop()


@contextmanager
def scratch_database() -> Iterator[Database]:
    """The same, opened as the application role."""
    with scratch_server() as postgres:
        database = Database(postgres.url(APPLICATION))
        try:
            yield database
        finally:
            database.close()


@contextmanager
def scratch_queue() -> Iterator[Valkey]:
    """Start a fresh queue server; stop and remove it at the end, whatever happens."""
    with scratch_folder() as place:
        program = Path(shutil.copy2(valkey_server(), place))
        program.chmod(0o755)
        _passable(place / "run")
        valkey = Valkey(
            place / "queue",
            place / "run" / "vk" / "s",
            place / "queue.log",
            program=program,
            account=server_account(),
        )
        try:
            valkey.start()
            yield valkey
        finally:
            with undisturbed():
                valkey.stop()
