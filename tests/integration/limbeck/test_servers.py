"""The two embedded servers: they start, answer, survive a kill and never let a stranger's pid fool them."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import psycopg
import redis


def test_postgres_runs_with_pgvector_and_synchronous_commits(services: Any) -> None:
    with services.admin() as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        assert connection.execute("SELECT '[1,2,3]'::vector <=> '[1,2,3]'").fetchone() == (0.0,)
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


def test_valkey_refuses_rather_than_evicts(services: Any) -> None:
    with redis.Redis.from_url(services.valkey.url(), decode_responses=True) as connection:
        assert connection.config_get("maxmemory*")["maxmemory-policy"] == "noeviction"
        assert int(connection.config_get("maxmemory")["maxmemory"]) == 256 * 1024 * 1024
        assert connection.config_get("appendfsync")["appendfsync"] == "no"


def test_servers_files_are_private(services: Any) -> None:
    for folder in (services.postgres.data, services.postgres.sockets, services.valkey.data):
        assert folder.stat().st_mode & 0o077 == 0
    for path in Path(services.valkey.socket.parent).iterdir():
        assert path.stat().st_mode & 0o077 == 0


def test_an_empty_database_has_no_schema(services: Any, empty_database: Any) -> None:
    with psycopg.connect(empty_database.owner_url.replace("+psycopg", "")) as connection:
        assert connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        ).fetchone() == (0,)


def test_killed_valkey_has_every_answered_append(services: Any, redis_socket: Path) -> None:
    with redis.Redis(unix_socket_path=str(redis_socket)) as connection:
        for number in range(200):
            connection.xadd("s", {"e": str(number)})
        os.kill(services.valkey.running().pid, signal.SIGKILL)
    services.valkey.stop()
    services.valkey.start()
    with redis.Redis(unix_socket_path=str(redis_socket)) as connection:
        assert connection.xlen("s") == 200


def test_killed_postgres_has_every_committed_row(services: Any, empty_database: Any) -> None:
    url = empty_database.owner_url.replace("+psycopg", "")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE t (n int)")
        for number in range(50):
            connection.execute("INSERT INTO t VALUES (%s)", (number,))
        os.kill(services.postgres.running().pid, signal.SIGKILL)
    services.postgres.stop()
    services.postgres.start()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (50,)
