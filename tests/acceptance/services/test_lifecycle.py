"""Up, status, down and what a person may do in between."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import psycopg
import redis

from capture import spool
from limbeck.services import state as states
from limbeck.services.addresses import addresses
from limbeck.settings import Settings
from schema.ids import new_id

from .conftest import processes_of, wait_until


def at(cli):
    return addresses(Settings(home=cli.home.path), cli.home)


def owner(cli):
    return psycopg.connect(at(cli).owner_url.replace("+psycopg", ""), autocommit=True)


def test_up_then_status_then_down(cli):
    assert "is up" in cli.ok("up")
    report = cli.report()
    assert report["running"] is True
    assert set(report["parts"]) == {"redis", "postgres", "worker", "distiller", "server"}
    assert all(part["running"] and part["restarts"] == 0 for part in report["parts"].values())
    assert report["counts"] == {
        "received": 0, "stored": 0, "merged": 0, "redelivered": 0, "quarantined": 0, "pending": 0,
        "spooled": 0, "refused": 0, "agree": True,
    }  # fmt: skip
    assert len(report["workers"]) == 2
    assert report["problems"] == []
    assert json.loads((cli.home.path / "hook.json").read_text())["queue"]["socket"] == str(
        cli.home.sockets / "queue"
    )
    assert "received" in cli.ok("status")
    assert "already" in cli.ok("up")
    assert json.loads(cli.ok("up", "--json"))["already"] is True
    assert "is down" in cli.ok("down")
    assert processes_of(cli.home) == []
    assert "was not running" in cli.ok("down")
    code, output, _ = cli("status")
    assert code == 1
    assert "limbeck is not running; run `limbeck up`." in output


def test_three_ups_at_once_make_one_supervisor(cli):
    started = [cli.start("up", "--json") for _ in range(3)]
    results = [process.communicate(timeout=200) for process in started]
    assert [process.returncode for process in started] == [0, 0, 0], (results, cli.logs())
    assert len({json.loads(output)["supervisor"]["pid"] for output, _ in results}) == 1
    assert len([p for p in processes_of(cli.home) if "limbeck.services.supervisor" in p.cmdline()]) == 1


def test_a_home_whose_path_is_too_long_for_a_socket(cli_in, tmp_path):
    cli = cli_in(tmp_path / "/".join(["a-long-way-down"] * 12))
    cli.ok("up")
    assert cli.report()["problems"] == []
    cli.ok("down")


def test_down_during_a_start_leaves_nothing(cli):
    starting = cli.start("up")
    wait_until(lambda: states.read(cli.home.run) is not None)
    cli("down")
    starting.communicate(timeout=200)
    assert starting.returncode == 1
    assert processes_of(cli.home) == []


def test_an_interrupted_up_leaves_nothing(cli):
    starting = cli.start("up")
    wait_until(lambda: states.read(cli.home.run) is not None)
    starting.send_signal(signal.SIGINT)
    starting.communicate(timeout=200)
    assert starting.returncode == 130
    assert processes_of(cli.home) == []


def test_everything_local_is_private(running):
    cli = running
    folders = {cli.home.path, cli.home.run, cli.home.logs, cli.home.spool, cli.home.sockets}
    folders |= {cli.home.state / "postgres", cli.home.state / "redis"}
    for folder in folders:
        assert folder.stat().st_mode & 0o077 == 0, folder
        for path in folder.iterdir():
            assert path.stat().st_mode & 0o077 == 0, path


def test_what_hooks_spooled_is_shipped(running):
    before = running.report()["counts"]["received"]
    spool.append(str(running.home.spool), b'{"v":1}', 1024**2)
    wait_until(lambda: (now := running.report()["counts"])["received"] == before + 1 and now["agree"])
    assert running.report()["counts"]["spooled"] == 0


def prompt(number: int) -> bytes:
    """A whole event as hooks write it (docs/contracts.md section 1)."""
    return json.dumps(
        {
            "v": 1,
            "id": new_id(),
            "at": time.time_ns() // 1_000_000,
            "agent": "claude",
            "origin": "hook",
            "kind": "prompt",
            "event": "UserPromptSubmit",
            "session": "s",
            "turn": f"t{number}",
            "project": {"root": "/p"},
            "body": {"text": f"question {number}", "chars": 12},
        }
    ).encode()


def test_the_full_flag_follows_the_queues_length(cli_in):
    cli = cli_in(LIMBECK_QUEUE_HIGH_WATER="100", LIMBECK_CLIENT="c")
    cli.ok("up")
    worker = cli.state().children["worker"].identity.process()
    worker.suspend()
    flag = Path(cli.home.spool / "full")
    with redis.Redis.from_url(at(cli).redis_url) as queue:
        for number in range(101):
            queue.xadd("limbeck:{c}:events", {"e": prompt(number)})
        wait_until(flag.exists, cli.logs)
        worker.resume()
        wait_until(lambda: not flag.exists(), cli.logs)
    wait_until(lambda: cli.report()["counts"]["pending"] == 0, cli.logs)
    counts = cli.report()["counts"]
    assert (counts["received"], counts["stored"], counts["agree"]) == (101, 101, True)
