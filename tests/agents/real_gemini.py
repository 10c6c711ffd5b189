"""Gemini CLI 0.61.0, from its first event to the rows in the database."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from uuid import uuid4

from tests.agents.conftest import end
from tests.agents.contents import Contents, answered
from tests.agents.script import Call, done

TOOLS = Path(__file__).parent / "tools.py"
# As a person writes it, with comments.
SETTINGS = """\
{
  // how I sign in
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false},
  "mcpServers": {"notes": {"command": %s, "args": ["-I", %s]}} // mine
}
"""


def shell(command: str) -> Call:
    return Call("run_shell_command", {"command": command, "description": "a step"})


class Gemini:
    """Gemini CLI on a machine, with our hooks and tools beside an MCP server of the person's own."""

    def __init__(self, machine, script):
        self.machine = machine
        self.server = machine.model(Contents, script)
        self.settings = machine.user / ".gemini" / "settings.json"
        self.settings.parent.mkdir()
        self.settings.write_text(SETTINGS % (json.dumps(sys.executable), json.dumps(str(TOOLS))))
        self.before = self.settings.read_bytes()
        machine.limbeck("install", "gemini")
        self.environment = machine.environment(
            GEMINI_API_KEY=uuid4().hex,
            GOOGLE_GEMINI_BASE_URL=self.server.url,
            GEMINI_CLI_TRUST_WORKSPACE="true",
            HTTPS_PROXY=self.server.url,
            HTTP_PROXY=self.server.url,
            NO_PROXY="127.0.0.1",
        )

    def command(self, prompt, *options):
        return [str(self.machine.programs / "gemini"), "-p", prompt, "--approval-mode", "yolo", *options]

    def run(self, prompt, *options):
        return self.machine.run(self.command(prompt, *options), self.environment)


def test_a_session_with_every_kind_of_call(machine):
    token = "ghp_" + uuid4().hex + "abcd"
    app = str(machine.project / "app.py")
    script = {
        "Look around in the app": [
            [shell(f"curl -H 'Authorization: Bearer {token}' http://127.0.0.1:9/x; echo fine")],
            [shell("echo partial; exit 3")],
            [Call("write_file", {"file_path": str(machine.project / "new.py"), "content": "z = 3\n"})],
            [Call("read_file", {"file_path": app})],
            [
                Call(
                    "replace",
                    {"file_path": app, "instruction": "-", "old_string": "x = 1", "new_string": "x = 10"},
                )
            ],
            [Call("mcp_notes_echo", {"text": "hello"})],
            [Call("mcp_notes_fail", {"text": "no"})],
        ],
    }
    gemini = Gemini(machine, script)
    assert done("Look around in the app") in gemini.run("Look around in the app")
    assert (machine.project / "app.py").read_text() == "x = 10\ny = 2\n"
    (session,) = machine.ended()
    assert (session["agent"], session["end_reason"]) == ("gemini", "exit")
    seen = [
        (row["tool"], row["target"] or row["shape"], row["outcome"], row["exit_code"])
        for row in machine.observations()
    ]
    assert seen == [
        ("run_shell_command", "curl -H _; echo _", "ok", None),
        ("run_shell_command", "echo _; exit _", "failed", 3),
        ("write_file", "new.py", "ok", None),
        ("read_file", "app.py", "ok", None),
        ("replace", "app.py", "ok", None),
        ("mcp_notes_echo", None, "ok", None),
        ("mcp_notes_fail", None, "failed", None),
    ]
    assert [(row["role"], row["text"]) for row in machine.exchanges()] == [
        ("person", "Look around in the app"),
        ("reply", done("Look around in the app")),
    ]
    assert machine.holding(token) == []
    assert not machine.rows("SELECT 1 FROM ledger WHERE disposition = 'quarantined'")
    assert gemini.server.refused == []


def test_a_kill_leaves_what_came_before(machine):
    gemini = Gemini(machine, {"Wait for it": [[shell("printf %s-ready 42")], [shell("sleep 60")]]})
    process = machine.start(gemini.command("Wait for it"), gemini.environment)
    gemini.server.wait_for("42-ready")
    end(process, signal.SIGKILL)
    machine.until("SELECT * FROM observations", len)
    assert [row["text"] for row in machine.exchanges()] == ["Wait for it"]


def test_the_next_session_begins_with_what_is_known_and_can_ask(machine):
    search = Call("mcp_limbeck_search_memory", {"query": "Which database do we use?"})
    gemini = Gemini(machine, {"We use Postgres for the database.": [], "What stores the orders?": [[search]]})
    gemini.run("We use Postgres for the database.")
    machine.ended()
    brief = machine.briefed("Postgres")
    gemini.server.asked.clear()
    gemini.run("What stores the orders?")
    asked = [one for one in gemini.server.asked if one.get("tools")]
    assert json.dumps(brief.splitlines()[2])[1:-1] in json.dumps(asked[0])
    assert "Postgres" in "".join(answered(asked[-1]))
    machine.ended(2)
    assert machine.observations() == []
    assert not [row for row in machine.exchanges() if "limbeck-memory" in row["text"]]


def test_out_again_is_the_file_as_the_person_wrote_it(machine):
    gemini = Gemini(machine, {"Say it": [[shell("echo once")]]})
    gemini.run("Say it")
    machine.ended()
    machine.limbeck("uninstall", "gemini")
    assert gemini.settings.read_bytes() == gemini.before
    gemini.run("Say it")
    assert [row["count"] for row in machine.observations()] == [1]
