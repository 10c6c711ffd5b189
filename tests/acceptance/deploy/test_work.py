"""Worker and schedule as compose.yaml runs them: an event becomes a row, and health tells who lives."""

from __future__ import annotations

import json
import os
import signal
import subprocess

import psutil
import psycopg
import pytest
import redis

from tests.integration.workers.build import encoded, prompt

from .team import wait_until


@pytest.fixture
def at_work(team):
    """Both run; one that an earlier test ended is started again."""
    for part in ("worker", "schedule"):
        if part not in team.running:
            team.start(part)
    return team


def kill_group(process):
    os.killpg(process.pid, signal.SIGKILL)


def stored(team):
    with psycopg.connect(team.secret("database_url")) as connection:
        connection.execute("SELECT set_config('limbeck.client', 'local', true)")
        return connection.execute("SELECT count(*) FROM ledger WHERE disposition = 'stored'").fetchone()[0]


def test_an_event_from_the_queue_becomes_a_row(at_work):
    before = stored(at_work)
    with redis.Redis.from_url(at_work.secret("redis_url")) as queue:
        queue.xadd("limbeck:{local}:events", {"e": encoded(prompt("use Postgres"))[0]})
    wait_until(lambda: stored(at_work) == before + 1)
    status = at_work.limbeck("worker", "status", "--json")
    report = json.loads(status.stdout)
    assert (status.returncode, report["problems"]) == (0, [])
    assert report["counts"]["agree"] is True


def test_health_names_who_lives(at_work):
    for part in ("worker", "schedule"):
        report = json.loads(at_work.limbeck(part, "health", part, "--json").stdout)
        assert report["healthy"] is True
        (name,) = report["names"]
        assert name.startswith(f"{part}-{at_work.running[part].pid}@")


@pytest.mark.parametrize("part", ["worker", "schedule"])
def test_a_killed_part_is_unhealthy_and_the_other_is_not(at_work, part):
    at_work.end(part, kill_group)
    assert at_work.check(part).returncode == 1
    assert f"no {part} of this machine" in at_work.check(part).stdout
    (other,) = {"worker", "schedule"} - {part}
    assert at_work.healthy(other)
    at_work.start(part)
    assert at_work.healthy(part)


@pytest.mark.parametrize("part", ["worker", "schedule"])
def test_an_orderly_end_is_exit_code_zero_and_leaves_no_sign(at_work, part):
    pid = at_work.running[part].pid
    assert at_work.end(part) == 0
    assert at_work.check(part).returncode == 1
    with redis.Redis.from_url(at_work.secret("redis_url"), decode_responses=True) as queue:
        assert not any(f"-{pid}@" in name for name in queue.zrange(f"limbeck:{part}s", 0, -1))


def test_the_schedule_remembers_over_a_restart(at_work):
    at_work.end("schedule")
    kept = list((at_work.folder / "home-schedule" / "run").glob("schedule*"))
    assert kept
    assert all(path.stat().st_mode & 0o077 == 0 for path in kept)
    at_work.start("schedule")


def test_a_worker_may_run_the_schedule_too(team):
    if "schedule" in team.running:
        team.end("schedule")
    assert not team.healthy("schedule")
    program = team.command_of("limbeck")
    team.spawn("both", program, "worker", "--schedule", environment=team.environment("worker"))
    wait_until(lambda: team.healthy("schedule"))
    report = json.loads(team.limbeck("schedule", "health", "schedule", "--json").stdout)
    assert [int(name.partition("@")[0].rpartition("-")[2]) for name in report["names"]] == [
        team.running["both"].pid
    ]
    assert team.end("both") == 0
    wait_until(lambda: not team.healthy("schedule"))


def test_health_is_a_sentence_where_the_queue_is_gone(at_work):
    at_work.end("queue", subprocess.Popen.kill)
    try:
        found = at_work.check("worker")
    finally:
        at_work.start_queue()
    assert found.returncode == 1
    assert found.stderr.startswith("limbeck: No Redis or Valkey answers at 127.0.0.1:")
    assert found.stderr.count("\n") == 1
    wait_until(lambda: at_work.healthy("worker") and at_work.healthy("schedule"))


def test_no_process_shows_a_password(at_work):
    passwords = [at_work.secret(name) for name in ("owner_password", "app_password", "queue_password")]
    for running in at_work.running.values():
        process = psutil.Process(running.pid)
        for one in (process, *process.children(recursive=True)):
            shown = " ".join([*one.cmdline(), *one.environ().values()])
            assert not any(password in shown for password in passwords)


@pytest.mark.parametrize("service", ["worker", "schedule"])
def test_an_unmigrated_database_is_one_sentence(team, service, tmp_path):
    other = tmp_path / "database_url"
    with psycopg.connect(team.secret("database_owner_url"), autocommit=True) as owner:
        name = owner.info.dbname
    url = team.secret("database_url")
    other.write_text(url.removesuffix(name) + "template1")
    home = str(tmp_path / "home")
    environment = team.environment(service, LIMBECK_DATABASE_URL_FILE=str(other), LIMBECK_HOME=home)
    done = team.run("limbeck", service, environment=environment)
    assert done.returncode == 1
    assert "Run `limbeck migrate`" in done.stderr
    assert done.stderr.count("\n") == 1
