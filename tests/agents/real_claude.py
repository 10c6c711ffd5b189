"""Claude Code 2.1.332, from its first event to the rows in the database."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from server.brief.render import tokens
from tests.agents.claude import Claude, bash
from tests.agents.conftest import end
from tests.agents.script import Call, done


@pytest.fixture
def app(machine):
    return machine.project / "app.py"


def test_a_session_with_every_kind_of_call(machine, app):
    token = "ghp_" + uuid4().hex + "abcd"
    script = {
        "Look around in the app": [
            [bash(f"curl -H 'Authorization: Bearer {token}' http://127.0.0.1:9/x; echo fine")],
            [bash("echo partial; exit 3")],
            [Call("Write", {"file_path": str(machine.project / "new.py"), "content": "z = 3\n"})],
            [Call("Read", {"file_path": str(app)})],
            [Call("Edit", {"file_path": str(app), "old_string": "x = 1", "new_string": "x = 10"})],
            [Call("mcp__notes__echo", {"text": "hello"})],
            [Call("mcp__notes__fail", {"text": "no"})],
            [
                Call(
                    "Agent",
                    {
                        "description": "find it",
                        "prompt": "Find the login in the code",
                        "subagent_type": "general-purpose",
                        "run_in_background": False,
                    },
                )
            ],
        ],
        "Find the login in the code": [[bash("ls -la")]],
        "And once more": [[bash("git status --short")]],
    }
    claude = Claude(machine, script)
    session = str(uuid4())
    assert done("Look around in the app") in claude.run("Look around in the app", "--session-id", session)
    assert app.read_text() == "x = 10\ny = 2\n"
    rows = machine.ended()
    assert [(row["agent"], row["agent_session"]) for row in rows] == [("claude", session)]
    seen = [
        (row["tool"], row["target"] or row["shape"], row["outcome"], row["exit_code"], row["subagent_type"])
        for row in machine.observations()
    ]
    shape = seen[0][1]
    assert "curl" in shape
    assert "-H" in shape
    assert seen[0][2:] == ("ok", 0, None)
    assert seen[1][0::2] == ("Bash", "failed", None)
    assert seen[1][3] == 3
    assert [row[:3] for row in seen[2:5]] == [
        ("Write", "new.py", "ok"),
        ("Read", "app.py", "ok"),
        ("Edit", "app.py", "ok"),
    ]
    assert [(row[0].rsplit("__", 1)[-1], row[2]) for row in seen[5:7]] == [("echo", "ok"), ("fail", "failed")]
    assert {(row[0], row[4]) for row in seen[7:]} == {("Bash", "general-purpose"), ("Agent", None)}
    spoken = [(row["role"], row["text"]) for row in machine.exchanges()]
    assert spoken[0] == ("person", "Look around in the app")
    assert ("subagent", done("Find the login in the code")) in spoken
    assert spoken[-1] == ("reply", done("Look around in the app"))

    claude.run("And once more", "--resume", session)
    machine.until(
        "SELECT text FROM exchanges WHERE role = 'reply'",
        lambda rows: {"text": done("And once more")} in rows,
    )
    rows = machine.ended()
    assert [row["agent_session"] for row in rows] == [session]
    assert machine.observations()[-1]["shape"].startswith("git status")

    assert machine.holding(token) == []
    assert not machine.rows("SELECT 1 FROM ledger WHERE disposition = 'quarantined'")


def test_sigterm_ends_the_session_and_leaves_what_came_before(machine):
    claude = Claude(machine, {"Wait for it": [[bash("echo $((6 * 7))-ready")], [bash("sleep 60")]]})
    process = machine.start(claude.command("Wait for it"), claude.environment)
    claude.server.wait_for("42-ready")
    end(process)
    rows = machine.ended()
    assert rows[0]["end_reason"] == "other"
    assert [row["text"] for row in machine.exchanges()] == ["Wait for it"]
    assert [row["outcome"] for row in machine.observations()] == ["ok"]


def test_a_commit_by_the_agent_is_noted_by_git(machine):
    machine.limbeck("install", "git", "--project", str(machine.project))
    claude = Claude(machine, {"Commit it": [[bash("git add -A && git commit -q -m 'Begin the app'")]]})
    claude.run("Commit it")
    machine.ended()
    commits = machine.until("SELECT * FROM commits", len)
    assert [row["message"].strip() for row in commits] == ["Begin the app"]


def test_both_ways_at_once_are_told_once(machine, tmp_path):
    """The plugin besides the settings: the same calls arrive twice and are stored once."""
    claude = Claude(machine, {"Say it": [[bash("echo once")]]})
    plugin = tmp_path / "plugin"
    machine.limbeck("install", "--plugin", str(plugin))
    claude.run("Say it", "--plugin-dir", str(plugin / "plugins" / "limbeck"))
    machine.ended()
    machine.until("SELECT 1 FROM ledger WHERE disposition = 'redelivered'", lambda rows: len(rows) >= 3)
    assert [row["count"] for row in machine.observations()] == [1]
    assert [row["text"] for row in machine.exchanges()] == ["Say it", done("Say it")]


def test_the_next_session_begins_with_what_is_known_and_can_ask(machine):
    """What the first session settled stands in the second one's first request, and its tools answer."""
    search = Call("mcp__limbeck__search_memory", {"query": "Which database do we use?"})
    claude = Claude(machine, {"We use Postgres for the database.": [], "What stores the orders?": [[search]]})
    claude.run("We use Postgres for the database.", strict=False)
    machine.ended()
    brief = machine.briefed("Postgres")
    claude.server.asked.clear()
    claude.run("What stores the orders?", strict=False)
    first, last = claude.server.asked[0], claude.server.asked[-1]
    asked = next(one for one in claude.server.asked if one.get("tools"))
    assert json.dumps(brief.splitlines()[2])[1:-1] in json.dumps(first | asked)
    results = [
        block
        for message in last["messages"]
        for block in message["content"]
        if isinstance(block, dict) and block.get("type") == "tool_result"
    ]
    assert "Postgres" in json.dumps(results)
    machine.ended(2)
    # Memory does not feed on itself: neither the question to it nor its answer was captured.
    assert machine.observations() == []
    assert not [row for row in machine.exchanges() if "limbeck-memory" in row["text"]]
    assert machine.rows("SELECT max(injected) AS times FROM memory_uses") == [{"times": 1}]


def test_a_device_whose_memory_is_off_tells_and_asks_nothing(machine):
    """Neither a tool nor a word of the memory reaches the model; what is done is captured all the same."""
    claude = Claude(machine, {"We use Postgres for the database.": [], "What stores the orders?": []})
    claude.run("We use Postgres for the database.", strict=False)
    machine.ended()
    brief = machine.briefed("Postgres")
    machine.limbeck("memory", "off")
    claude.server.asked.clear()
    claude.run("What stores the orders?", strict=False)
    assert not [name for name in claude.offered() if "limbeck" in name]
    assert "Postgres" not in json.dumps(claude.server.asked)
    machine.ended(2)
    assert machine.exchanges()[-1]["text"] == done("What stores the orders?")
    machine.limbeck("memory", "on")
    claude.server.asked.clear()
    claude.run("What stores the orders?", strict=False)
    assert "mcp__limbeck__search_memory" in claude.offered()
    assert json.dumps(brief.splitlines()[2])[1:-1] in json.dumps(claude.server.asked)


def test_a_session_with_much_to_remember_begins_with_a_brief_that_is_short(machine):
    """Many long decisions and questions give one text that the agent passes to its model whole."""
    claude = Claude(machine, {"We use Postgres for the database.": [], "What stores the orders?": []})
    claude.run("We use Postgres for the database.", strict=False)
    machine.ended()
    for number in range(40):
        reasons = f"Reason {number}: " + "the people who keep it asked for it in long words. " * 20
        machine.post("events", kind="decision", title=f"Queue {number} holds orders", text=reasons)
        machine.post("events", kind="question", title=f"Who keeps queue {number}?", text=reasons)
    brief = machine.briefed("Who keeps queue")
    assert len(brief) < 10_000
    assert tokens(brief) < 1_000
    claude.server.asked.clear()
    claude.run("What stores the orders?", strict=False)
    asked = json.dumps(claude.server.asked)
    for line in brief.splitlines():
        assert json.dumps(line)[1:-1] in asked
    machine.ended(2)


def test_nothing_but_loopback_was_reached(machine):
    claude = Claude(machine, {"Say it": []})
    claude.run("Say it")
    assert claude.server.refused == []
