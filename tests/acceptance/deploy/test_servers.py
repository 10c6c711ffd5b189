"""The servers of compose.yaml: who may do what, what is kept, and where a password shows."""

from __future__ import annotations

import os
import subprocess

import psutil
import psycopg
import pytest
import redis

from limbeck.services.requirements import check_postgres, check_redis
from tests.composed import ROOT


def connect(team, name):
    return psycopg.connect(team.secret(name), autocommit=True)


def queue(team):
    return redis.Redis.from_url(team.secret("redis_url"), decode_responses=True)


def test_both_servers_are_fit(team):
    check_postgres(team.secret("database_url"))
    assert check_redis(team.secret("redis_url")) == []


def test_the_owner_is_no_superuser_and_the_application_owns_nothing(team):
    with connect(team, "database_owner_url") as owner:
        roles = dict(
            owner.execute(
                "SELECT rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls FROM pg_roles"
            )
        )
        owners = owner.execute(
            "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()
    assert roles["limbeck"] is roles["limbeck_app"] is False
    assert owners == [("limbeck",)]


def test_the_application_role_sees_no_row_without_a_client(team):
    with connect(team, "database_url") as application:
        assert application.execute("SELECT current_user").fetchone() == ("limbeck_app",)
        assert application.execute("SELECT count(*) FROM sessions").fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            application.execute("CREATE TABLE public.mine (n int)")


def test_a_wrong_password_is_refused(team):
    url = team.secret("database_url").replace(team.secret("app_password"), "wrong")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(url)
    url = team.secret("redis_url").replace(team.secret("queue_password"), "wrong")
    with redis.Redis.from_url(url) as connection, pytest.raises(redis.AuthenticationError):
        connection.ping()


def test_migrating_again_changes_nothing_and_the_client_is_known(team):
    again = team.limbeck("migrate")
    assert (again.returncode, again.stdout) == (0, "the schema was this version's already\n")
    with connect(team, "database_url") as application:
        assert application.execute("SELECT client FROM clients").fetchall() == [("local",)]


def test_a_changed_password_holds_after_the_roles_are_made_again(team):
    old = team.secret("app_password")
    url = team.secret("database_url")
    changed = os.urandom(12).hex()
    for password, other in ((changed, old), (old, changed)):
        (team.secrets / "app_password").write_text(password)
        team.make_roles()
        psycopg.connect(url.replace(old, password)).close()
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(url.replace(old, other))


def test_no_process_and_no_log_shows_a_password(team):
    names = ("postgres_password", "owner_password", "app_password", "queue_password")
    passwords = [team.secret(name) for name in names]
    assert len(set(passwords)) == len(passwords)
    for process in (psutil.Process(p.pid) for p in team.running.values()):
        shown = " ".join([*process.cmdline(), *process.environ().values()])
        assert not any(password in shown for password in passwords)
    logs = "".join(path.read_text() for path in team.folder.glob("*.log"))
    assert "database system is ready" in logs
    assert not any(password in logs for password in passwords)


def test_a_statement_that_fails_is_not_logged(team):
    text = os.urandom(12).hex()
    with connect(team, "database_owner_url") as owner, pytest.raises(psycopg.errors.InsufficientPrivilege):
        owner.execute(f"ALTER ROLE postgres PASSWORD '{text}'")
    log = team.log("postgres").read_text()
    assert "database system is ready" in log
    assert text not in log
    assert "permission denied" not in log  # errors name the values that were refused


def test_the_roles_refuse_an_empty_secret(team):
    environment = team.environment("postgres", **team.at_postgres, APP_PASSWORD_FILE=os.devnull)
    done = team.run("sh", str(ROOT / "deploy" / "postgres" / "roles.sh"), environment=environment)
    assert done.returncode == 1
    assert "run deploy/secrets.sh" in done.stderr


def test_an_answered_append_survives_a_kill(team):
    with queue(team) as connection:
        policy = connection.config_get("append*") | connection.config_get("maxmemory-policy")
        assert policy["appendonly"] == "yes"
        assert policy["appendfsync"] == "always"
        assert policy["maxmemory-policy"] == "noeviction"
        identifier = connection.xadd("kept", {"e": "1"})
    team.end("queue", subprocess.Popen.kill)
    assert not team.healthy("queue")
    team.start_queue()
    with queue(team) as connection:
        assert connection.xrange("kept") == [(identifier, {"e": "1"})]
        connection.delete("kept")


def test_the_queue_is_unhealthy_for_a_wrong_password(team):
    assert team.healthy("queue")
    wrong = team.folder / "wrong"
    wrong.write_text("wrong")
    assert team.check("queue", QUEUE_PASSWORD_FILE=str(wrong)).returncode == 1


def test_the_queue_does_not_start_without_a_password(team):
    environment = team.environment("queue", QUEUE_PASSWORD_FILE=os.devnull)
    done = team.run(str(team.folder / "queue" / "start"), environment=environment)
    assert done.returncode == 1
    assert "run deploy/secrets.sh" in done.stderr


def test_postgres_is_unhealthy_where_nobody_listens(team):
    assert team.healthy("postgres")
    assert team.check("postgres", PGHOST="127.0.0.1").returncode == 0
    environment = team.environment("postgres", PGPORT=str(team.queue_port))
    command = team.compose["services"]["postgres"]["healthcheck"]["test"][1:]
    assert team.run(*command, environment=environment).returncode != 0
