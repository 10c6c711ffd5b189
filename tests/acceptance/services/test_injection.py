"""From a session to the next one's brief, through everything that runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from .conftest import wait_until


def said(cli, work, name, session, **more):
    """Run the hook as Claude Code does; returns what it printed."""
    stub = cli.home.path / "hooks" / "limbeck-hook.py"
    payload = {"hook_event_name": name, "session_id": session, "cwd": str(work), "prompt_id": "p1"} | more
    command = [os.path.realpath(sys.executable), "-I", "-S", str(stub), "claude"]
    done = subprocess.run(command, input=json.dumps(payload).encode(), capture_output=True, check=True)
    assert done.stderr == b""
    return done.stdout


def test_a_session_begins_with_what_the_one_before_came_to(cli, tmp_path):
    work = tmp_path / "shop"
    (work / ".git").mkdir(parents=True)
    (work / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    cli.ok("up")
    cli.ok("install", "claude", "--hooks-only")
    assert said(cli, work, "SessionStart", "one", source="startup") == b""
    said(cli, work, "UserPromptSubmit", "one", prompt="We use Postgres for the database.")
    said(cli, work, "Stop", "one", last_assistant_message="Postgres it is.")
    said(cli, work, "SessionEnd", "one", reason="exit")
    wait_until(lambda: list((cli.home.path / "briefs").glob("id_*")), cli.logs)
    answer = json.loads(said(cli, work, "SessionStart", "two", source="startup"))
    brief = answer["hookSpecificOutput"]["additionalContext"]
    assert "Postgres" in brief
    assert brief.startswith("<limbeck-memory")
    assert len(brief) < 10_000

    def injected():
        return json.loads(cli.ok("call", "list_uses", "--json"))["uses"]

    wait_until(injected, cli.logs)
    assert all(one["injected"] == 1 for one in injected())
    said(cli, work, "UserPromptSubmit", "two", prompt=f"Look: {brief}")
    wait_until(lambda: cli.report()["counts"]["pending"] == 0, cli.logs)
    assert brief not in json.dumps(json.loads(cli.ok("call", "list_sessions", "--json")))
    cli.ok("down")
