"""From hooks to a real queue: directly, by way of the spool, and with a shipper that is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import redis

from capture.config import Queue
from limbeck.ship.sender import CLIENTS
from tests.acceptance.hooks.conftest import Hook
from tests.acceptance.hooks.test_hostile import prompt
from tests.acceptance.hooks.waiting import until

STREAM = "limbeck:{local}:events"
ROOT = Path(__file__).parents[3]
DRAIN = """
import sys
from pathlib import Path
from limbeck.ship.loop import drain
print(drain(Path(sys.argv[1]), sys.argv[2]))
"""
RUN = """
import signal, sys, threading
from pathlib import Path
from limbeck.ship.loop import run
stop = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: stop.set())
run(Path(sys.argv[1]), stop, sys.argv[2])
"""


class Server:
    """The queue as a test looks at it."""

    def __init__(self, socket: Path) -> None:
        self.url = f"unix://{socket}"
        self.socket = socket
        self.redis = redis.Redis.from_url(self.url)

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(fields[b"e"]) for _, fields in self.redis.xrange(STREAM)]


@pytest.fixture
def server(valkey: Path) -> Any:
    made = Server(valkey)
    yield made
    made.redis.close()


def drain(hook: Hook, server: Server) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", DRAIN, str(hook.home), server.url],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def drained(hook: Hook, server: Server) -> None:
    process = drain(hook, server)
    _, err = process.communicate()
    assert process.returncode == 0, err


def test_an_event_goes_straight_to_the_local_queue(hook: Hook, server: Server) -> None:
    hook.use(Queue(socket=str(server.socket)))
    for number in range(10):
        hook.run("claude", prompt(f"n{number}"))
    spooled = hook.events()  # a busy machine may answer too late
    texts = {event["body"]["text"] for event in [*server.events(), *spooled]}
    assert texts == {f"n{number}" for number in range(10)}
    assert server.events()


def test_above_the_high_water_mark_events_are_spooled(hook: Hook, server: Server) -> None:
    hook.use(Queue(socket=str(server.socket)))
    hook.spool.mkdir(mode=0o700)
    (hook.spool / "full").touch(0o600)
    hook.run("claude", prompt())
    assert server.events() == []
    assert len(hook.lines()) == 1


def test_a_queue_that_refuses(hook: Hook, server: Server) -> None:
    hook.use(Queue(socket=str(server.socket)))
    server.redis.config_set("maxmemory", "1")
    server.redis.config_set("maxmemory-policy", "noeviction")
    hook.run("claude", prompt())
    assert len(hook.lines()) == 1
    server.redis.config_set("maxmemory", "0")
    server.redis.set(STREAM, "not a stream")
    hook.run("claude", prompt())
    assert len(hook.lines()) == 2


def test_what_was_spooled_arrives_in_order_and_once(hook: Hook, server: Server) -> None:
    for number in range(20):
        hook.run("claude", prompt(f"n{number}"))
    drained(hook, server)
    drained(hook, server)
    assert [event["body"]["text"] for event in server.events()] == [f"n{number}" for number in range(20)]
    assert hook.lines() == []
    assert server.redis.smembers(CLIENTS) == {b"local"}


def test_a_shipper_killed_at_any_moment_loses_nothing(hook: Hook, server: Server) -> None:
    hook.run("claude", prompt("first"))
    one = hook.lines()[0]
    wanted = set()
    with (hook.spool / "current.jsonl").open("ab") as file:
        for number in range(20_000):
            ident = f"01a22c70-1f99-7567-93c4-{number:012d}"
            wanted.add(ident)
            file.write(b"\n" + one.replace(json.loads(one)["id"].encode(), ident.encode()) + b"\n")
    for more in (0, 100, 2000, 6000):
        process = drain(hook, server)
        seen = server.redis.xlen(STREAM)
        until(
            lambda seen=seen, more=more, process=process: (
                server.redis.xlen(STREAM) > seen + more or process.poll() is not None
            )
        )
        process.send_signal(signal.SIGKILL)
        process.communicate()
    drained(hook, server)
    assert wanted <= {event["id"] for event in server.events()}
    assert list(hook.spool.glob("*.jsonl")) == []


def test_the_resident_shipper_follows_the_hooks(hook: Hook, server: Server) -> None:
    shipper = subprocess.Popen([sys.executable, "-c", RUN, str(hook.home), server.url], cwd=ROOT)
    try:
        for number in range(5):
            hook.run("claude", prompt(f"n{number}"))
            until(lambda number=number: len(server.events()) == number + 1)
        second = drain(hook, server)
        _, err = second.communicate()
        assert b"AnotherShipper" in err
    finally:
        shipper.terminate()
        assert shipper.wait() == 0


GIT = ("-c", "user.name=N", "-c", "user.email=n@example.com", "-c", "init.defaultBranch=main")


def git(where: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *GIT, *arguments], cwd=where, check=True, capture_output=True, text=True)
    return done.stdout.strip() + done.stderr.strip()


def test_real_git_hooks_from_commit_to_queue(hook: Hook, server: Server, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    git(project, "init", "-q")
    for name in ("post-commit", "post-merge", "post-rewrite"):
        script = project / ".git" / "hooks" / name
        script.parent.mkdir(exist_ok=True)
        script.write_text(f'#!/bin/sh\nexec {" ".join(hook.command)} git {name} "$@"\n')
        script.chmod(0o755)

    def commit(name: str, *more: str) -> str:
        (project / name).write_text("x\n")
        git(project, "add", ".")
        assert git(project, "commit", "-q", "-m", name, *more) == ""
        return git(project, "rev-parse", "HEAD")

    first = commit("a.py")
    second = commit("package.json")
    amended = commit("b.py", "--amend")
    git(project, "checkout", "-q", "-b", "side", first)
    side = commit("c.py")
    git(project, "rebase", "-q", "main")
    rebased = git(project, "rev-parse", "HEAD")
    git(project, "worktree", "add", "-q", str(tmp_path / "tree"), "main")
    git(tmp_path / "tree", "merge", "-q", "side")
    drained(hook, server)
    events = server.events()
    commits = {event["body"]["sha"]: event["body"] for event in events if event["kind"] == "commit"}
    assert set(commits) == {first, second, amended, side, rebased}
    assert all(body["enriched"] for body in commits.values())
    assert commits[second]["manifests"] == [{"path": "package.json", "text": "x\n"}]
    assert commits[first]["languages"] == {"Python": 1}
    assert commits[amended]["branch"] == "main"
    rewrites = [event["body"] for event in events if event["kind"] == "rewrite"]
    assert rewrites == [
        {"how": "amend", "pairs": [[second, amended]]},
        {"how": "rebase", "pairs": [[side, rebased]]},
    ]
    merges = [event for event in events if event["kind"] == "merge"]
    assert [(event["body"], event["cwd"]) for event in merges] == [
        ({"sha": rebased, "squash": False}, str(tmp_path / "tree"))
    ]
    assert len({json.dumps(event["project"]["common"]) for event in events}) == 1
    assert len({event["project"]["id"] for event in events}) == 1


def test_a_codex_turn_is_completed_from_its_rollout(hook: Hook, server: Server, tmp_path: Path) -> None:
    rollout = tmp_path / "rollout-1.jsonl"
    item = {"type": "CommandExecution", "id": "call_1", "status": "failed", "exit_code": 3}
    payload = {"type": "item_completed", "turn_id": "t1", "item": item}
    rollout.write_text(json.dumps({"type": "event_msg", "payload": payload}) + "\n")
    said = {"session_id": "s", "turn_id": "t1", "cwd": str(tmp_path), "transcript_path": str(rollout)}
    hook.use(Queue(socket=str(server.socket)))
    hook.run("codex", {**said, "hook_event_name": "Stop", "last_assistant_message": "done"})
    assert server.events() == []
    drained(hook, server)
    reply, outcomes = server.events()
    assert (reply["kind"], "needs" in reply, "transcript" in reply) == ("reply", False, False)
    assert outcomes["kind"] == "outcomes"
    assert outcomes["body"] == {"calls": [{"call": "call_1", "outcome": "failed", "exit": 3}]}
    assert (outcomes["session"], outcomes["turn"]) == ("s", "t1")
    assert os.listdir(hook.spool / "errands") == []
