"""What cannot work is refused in one sentence, exit code 1, and leaves nothing half-done."""

from __future__ import annotations

import json
import secrets
import socket

import psycopg
import pytest

from limbeck.services.postgres import Loopback
from tests.servers import running_services

from .conftest import processes_of, wait_until


@pytest.fixture(scope="module")
def external():
    """Servers that somebody else runs."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with running_services(Loopback(port, secrets.token_urlsafe(12))) as services:
        yield services


def refused(cli, *words: str) -> str:
    """The one sentence of a command that is refused."""
    code, output, errors = cli(*words)
    assert code == 1, (output, errors, cli.logs())
    assert output == ""
    (sentence,) = errors.strip().splitlines()
    assert sentence.startswith("limbeck: ")
    assert processes_of(cli.home) == []
    return sentence.removeprefix("limbeck: ")


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        (
            {"DATABASE_URL": "mysql://h/d"},
            "LIMBECK_DATABASE_URL cannot be used: it begins with postgresql://",
        ),
        ({"REDIS_URL": "localhost"}, "LIMBECK_REDIS_URL cannot be used: it begins with redis://"),
        ({"REDIS_ULR": "redis://h"}, "There is no setting LIMBECK_REDIS_ULR (the environment)."),
        (
            {"DATABASE_URL_FILE": "/nowhere"},
            "LIMBECK_DATABASE_URL_FILE cannot be used: /nowhere cannot be read",
        ),
    ],
)
def test_settings_are_refused_before_anything_is_made(cli_in, variables, says):
    cli = cli_in(**{f"LIMBECK_{name}": value for name, value in variables.items()})
    assert says in refused(cli, "up")
    assert not cli.home.path.exists()


def test_a_home_that_cannot_be_written(cli_in, tmp_path):
    (tmp_path / "file").write_text("")
    sentence = refused(cli_in(tmp_path / "file" / "home"), "up")
    assert sentence.startswith(f"The home folder {tmp_path / 'file' / 'home'} cannot be used")


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"DATABASE_URL": "postgresql://a@127.0.0.1:1/d"}, "No Postgres answers at 127.0.0.1:1/d"),
        ({"REDIS_URL": "redis://127.0.0.1:1"}, "No Redis or Valkey answers at 127.0.0.1:1"),
    ],
)
def test_a_server_that_is_not_there(cli_in, variables, says):
    cli = cli_in(**{f"LIMBECK_{name}": value for name, value in variables.items()})
    assert refused(cli, "up").startswith(says)
    code, output, _ = cli("status")
    assert code == 1
    assert says in output


def test_a_wrong_password(cli_in, external):
    wrong = secrets.token_urlsafe(12)
    right = external.postgres._loopback
    cli = cli_in(LIMBECK_DATABASE_URL=f"postgresql://limbeck:{wrong}@127.0.0.1:{right.port}/postgres")
    sentence = refused(cli, "up")
    assert "password authentication failed" in sentence
    assert wrong not in sentence + cli.logs()


def test_a_newer_schema(cli_in, external):
    with external.fresh_database() as database:
        with psycopg.connect(database.owner_url.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999_from_the_future'")
        cli = cli_in(LIMBECK_DATABASE_URL=database.owner_url, LIMBECK_REDIS_URL=external.valkey.url())
        for command in ("up", "migrate", "worker"):
            assert "made by a newer limbeck" in refused(cli, command)


def test_an_older_schema_stops_a_worker_and_is_lifted_by_migrate(cli_in, external):
    with external.fresh_database(migrated=False) as database:
        cli = cli_in(LIMBECK_DATABASE_URL=database.owner_url, LIMBECK_REDIS_URL=external.valkey.url())
        assert "Run `limbeck migrate`" in refused(cli, "worker")
        assert json.loads(cli.ok("migrate", "--json")) == {"before": "empty", "now": "current"}
        assert json.loads(cli.ok("migrate", "--json")) == {"before": "current", "now": "current"}


def test_with_servers_of_ones_own_up_runs_the_worker_alone(cli_in, external, tmp_path):
    secret_file = tmp_path / "database-url"
    with external.fresh_database() as database:
        secret_file.write_text(database.owner_url + "\n")
        cli = cli_in(LIMBECK_DATABASE_URL_FILE=str(secret_file), LIMBECK_REDIS_URL=external.valkey.url())
        cli.ok("up")
        report = cli.report()
        assert set(report["parts"]) == {"worker", "distiller", "server"}
        assert report["problems"] == []
        assert not (cli.home.state / "postgres").exists()
        password = external.postgres._loopback.password
        kept = [p for p in cli.home.path.rglob("*") if p.is_file() and password.encode() in p.read_bytes()]
        assert kept == []
        cli.ok("down")
        assert external.postgres.answers()
        assert external.valkey.answers()


def test_a_worker_in_the_foreground_ends_when_asked(cli_in, external):
    with external.fresh_database() as database:
        cli = cli_in(LIMBECK_DATABASE_URL=database.owner_url, LIMBECK_REDIS_URL=external.valkey.url())
        worker = cli.start("worker", "--processes", "1")
        wait_until(lambda: cli.report().get("workers"))
        worker.terminate()
        worker.communicate(timeout=60)
        assert worker.returncode == 0
        assert cli.report()["workers"] == {}
