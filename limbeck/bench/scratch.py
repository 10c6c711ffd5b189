"""Servers of its own for a measurement, in temporary folders, gone afterwards."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from limbeck.services.account import server_account
from limbeck.services.binaries import copy_programs, valkey_server
from limbeck.services.postgres import APPLICATION, OWNER, Postgres
from limbeck.services.valkey import Valkey
from schema import migrate
from schema.database import Database


@contextmanager
def scratch_server() -> Iterator[Postgres]:
    """Start a fresh server; yield it migrated; stop and remove it at the end, whatever happens."""
    account = server_account()
    folder = Path(tempfile.mkdtemp(prefix="limbeck-bench-"))
    folder.chmod(0o711)
    programs, _ = copy_programs(folder / "programs")
    (folder / "run").mkdir(mode=0o711)
    postgres = Postgres(
        folder / "postgres",
        folder / "run" / "pg",
        folder / "postgres.log",
        programs=programs,
        account=account,
    )
    try:
        postgres.init()
        postgres.start()
        postgres.make_database()
        migrate.upgrade(postgres.url(OWNER))
        yield postgres
    finally:
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


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
    folder = Path(tempfile.mkdtemp(prefix="limbeck-bench-"))
    folder.chmod(0o711)
    program = Path(shutil.copy2(valkey_server(), folder))
    program.chmod(0o755)
    (folder / "run").mkdir(mode=0o711)
    valkey = Valkey(
        folder / "queue",
        folder / "run" / "vk" / "s",
        folder / "queue.log",
        program=program,
        account=server_account(),
    )
    try:
        valkey.start()
        yield valkey
    finally:
        valkey.stop()
        shutil.rmtree(folder, ignore_errors=True)
