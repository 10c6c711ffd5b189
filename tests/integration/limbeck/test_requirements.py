"""Servers that do not fit are refused in one sentence that names them, without their passwords."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import socket
from pathlib import Path

import psycopg
import pytest
import redis

from limbeck.errors import (
    DatabaseRefused,
    DatabaseUnfit,
    DatabaseUnreachable,
    MigrationFailed,
    QueueRefused,
    QueueUnfit,
    QueueUnreachable,
)
from limbeck.services import requirements
from limbeck.services.account import server_account
from limbeck.services.binaries import copy_programs, prune_programs
from limbeck.services.postgres import Loopback, Postgres
from limbeck.services.prepare import migrated
from limbeck.services.requirements import check_postgres, check_redis
from schema.errors import SchemaTooNew
from tests.servers import open_folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def without_pgvector():
    """A Postgres on loopback with a password, whose pgvector was taken away."""
    with open_folder() as folder:
        programs, _ = copy_programs(folder / "programs")
        for path in (programs.parent / "share").rglob("vector*"):
            path.unlink()
        loopback = Loopback(free_port(), secrets.token_urlsafe(12))
        server = Postgres(
            folder / "pg",
            folder / "run" / "pg",
            folder / "pg.log",
            programs=programs,
            account=server_account(),
            loopback=loopback,
        )
        try:
            server.init()
            server.start()
            yield server
        finally:
            server.stop()


def test_fit_servers_pass(services, redis_url):
    check_postgres(services.postgres.url(database="postgres"))
    assert check_redis(redis_url) == []


def test_nobody_at_the_databases_address():
    with pytest.raises(DatabaseUnreachable, match=r"127\.0\.0\.1:1/x: .*refused.*LIMBECK_DATABASE_URL"):
        check_postgres("postgresql+psycopg://me:pw@127.0.0.1:1/x")


def test_a_host_that_does_not_exist():
    with pytest.raises(DatabaseUnreachable, match=r"nowhere\.invalid/x"):
        check_postgres("postgresql://me@nowhere.invalid/x")


def test_a_database_url_that_cannot_be_read():
    with pytest.raises(DatabaseUnreachable, match="port"):
        check_postgres("postgresql://me@127.0.0.1:five/x")


def test_a_database_that_does_not_exist(services):
    with pytest.raises(DatabaseRefused, match='"nonesuch" does not exist'):
        check_postgres(services.postgres.url(database="nonesuch"))


def test_a_wrong_password_is_refused_and_not_repeated(without_pgvector):
    wrong = secrets.token_urlsafe(12)
    url = f"postgresql://limbeck:{wrong}@127.0.0.1:{without_pgvector._loopback.port}/postgres"
    with pytest.raises(DatabaseRefused) as refused:
        check_postgres(url)
    assert "password authentication failed" in str(refused.value)
    assert wrong not in str(refused.value)


def test_a_database_without_pgvector(without_pgvector):
    with pytest.raises(DatabaseUnfit, match="pgvector is not installed"):
        check_postgres(without_pgvector.url(database="postgres"))


def test_the_loopback_server_keeps_its_password_in_no_file(without_pgvector):
    secret = without_pgvector._loopback.password.encode()
    files = [path for path in Path(without_pgvector.data).parent.rglob("*") if path.is_file()]
    kept = [path for path in files if "programs" not in path.parts and secret in path.read_bytes()]
    assert kept == []


def test_versions_that_are_too_old(services, redis_url, monkeypatch):
    monkeypatch.setattr(requirements, "PGVECTOR", (99, 0))
    with pytest.raises(DatabaseUnfit, match=r"its pgvector is 0\.8\.\d+ and"):
        check_postgres(services.postgres.url(database="postgres"))
    monkeypatch.setattr(requirements, "POSTGRES", 99)
    with pytest.raises(DatabaseUnfit, match="it is version 18 and 99 or later"):
        check_postgres(services.postgres.url(database="postgres"))
    monkeypatch.setattr(requirements, "VALKEY", (99,))
    with pytest.raises(QueueUnfit, match=r"it is Valkey 9.* and 99 or later"):
        check_redis(redis_url)


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1", "unix:///nowhere/queue", "redis://nowhere.invalid"])
def test_nobody_at_the_queues_address(url):
    with pytest.raises(QueueUnreachable, match="LIMBECK_REDIS_URL"):
        check_redis(url)


def test_a_queue_url_that_cannot_be_read():
    with pytest.raises(QueueUnreachable):
        check_redis("redis://127.0.0.1:five")


@contextlib.contextmanager
def configured(path: Path, **settings: str):
    with redis.Redis(unix_socket_path=str(path), decode_responses=True) as connection:
        before = {name: connection.config_get(name)[name] for name in settings}
        for name, value in settings.items():
            connection.config_set(name, value)
        try:
            yield
        finally:
            for name, value in before.items():
                connection.config_set(name, value)


def test_a_queue_that_wants_a_password(redis_socket):
    secret = secrets.token_hex(8)
    with configured(redis_socket, requirepass=secret):
        with pytest.raises(QueueRefused, match="LIMBECK_REDIS_URL"):
            check_redis(f"unix://{redis_socket}")
        with pytest.raises(QueueRefused) as refused:
            check_redis(f"unix://:{secret}x@{redis_socket}")
        assert secret not in str(refused.value)
        assert check_redis(f"unix://:{secret}@{redis_socket}") == []


def test_a_queue_that_evicts_is_refused(redis_url, redis_socket):
    policy = {"maxmemory-policy": "allkeys-lru"}
    with configured(redis_socket, **policy), pytest.raises(QueueUnfit, match="noeviction"):
        check_redis(redis_url)


def test_a_queue_without_an_append_only_file_is_a_warning(redis_url, redis_socket):
    with configured(redis_socket, appendonly="no"):
        (warning,) = check_redis(redis_url)
    assert "append-only" in warning


def test_a_newer_schema_is_refused_and_left_alone(database):
    plain = database.owner_url.replace("+psycopg", "")
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999_from_the_future'")
    with pytest.raises(SchemaTooNew):
        migrated(database.owner_url)
    with psycopg.connect(plain) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (
            "9999_from_the_future",
        )


def test_an_empty_database_is_migrated_once(empty_database):
    assert migrated(empty_database.owner_url) == "empty"
    assert migrated(empty_database.owner_url) == "current"


def test_a_migration_that_fails_leaves_the_database_as_it_was(empty_database):
    plain = empty_database.owner_url.replace("+psycopg", "")
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute("CREATE TABLE sessions (in_the_way int)")
    with pytest.raises(MigrationFailed, match="sessions"):
        migrated(empty_database.owner_url)
    with psycopg.connect(plain) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert tables == [("sessions",)]


def test_a_role_that_may_not_make_the_schema_is_told(services, empty_database):
    with services.admin() as connection:
        connection.execute("CREATE ROLE powerless LOGIN")
    url = services.postgres.url("powerless", empty_database.name)
    try:
        with pytest.raises(MigrationFailed, match="not the schema's owner; give LIMBECK_DATABASE_OWNER_URL"):
            migrated(url)
    finally:
        with services.admin() as connection:
            connection.execute("DROP ROLE powerless")


def test_programs_are_copied_once(tmp_path):
    first = copy_programs(tmp_path)
    stamp = first[1].stat().st_ino
    assert copy_programs(tmp_path)[1].stat().st_ino == stamp
    assert (first[0] / "postgres").stat().st_mode & 0o777 == 0o755
    (tmp_path / "older" / "bin").mkdir(parents=True)
    prune_programs(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [first[1].parent.name]
    shutil.rmtree(tmp_path)
