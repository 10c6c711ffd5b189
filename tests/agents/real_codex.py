"""Codex 0.171.0, from its first event to the rows in the database."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from uuid import uuid4

import tomlkit

from limbeck.doctor.sightings import look
from limbeck.doctor.trust import definition_hash, state_key
from limbeck.install.places import Scope
from limbeck.install.record import Record
from tests.agents.conftest import end
from tests.agents.responses import Responses
from tests.agents.script import Call, done

TOOLS = Path(__file__).parent / "tools.py"


def shell(command: str) -> Call:
    return Call("exec_command", {"cmd": command})


class Codex:
    """Codex on a machine, with our hooks (trusted as a person would) and one MCP server."""

    def __init__(self, machine, script, *, trusted=True):
        self.machine = machine
        self.server = machine.model(Responses, script)
        self.config = machine.user / ".codex" / "config.toml"
        self.config.parent.mkdir()
        self.config.write_text(
            tomlkit.dumps(
                {
                    "model": "gpt-5.5",
                    "model_provider": "loopback",
                    "approval_policy": "never",
                    "sandbox_mode": "danger-full-access",
                    "model_providers": {
                        "loopback": {
                            "name": "loopback",
                            "base_url": f"{self.server.url}/v1",
                            "wire_api": "responses",
                            "env_key": "MODEL_KEY",
                        }
                    },
                    "mcp_servers": {"notes": {"command": sys.executable, "args": ["-I", str(TOOLS)]}},
                    "projects": {str(machine.project): {"trust_level": "trusted"}},
                    "analytics": {"enabled": False},
                    "check_for_update_on_startup": False,
                }
            )
        )
        self.before = self.config.read_text()
        machine.limbeck("install", "codex")
        if trusted:
            self.trust()
        self.environment = machine.environment(
            MODEL_KEY=uuid4().hex,
            HTTPS_PROXY=self.server.url,
            HTTP_PROXY=self.server.url,
            NO_PROXY="127.0.0.1",
        )

    def trust(self):
        """Write what Codex writes when a person presses t in /hooks."""
        document = tomlkit.parse(self.config.read_text())
        states = document.setdefault("hooks", tomlkit.table()).setdefault("state", tomlkit.table())
        for place in look(Scope(self.machine.user, {}), Record()).places:
            for hook in place.hooks:
                states[state_key(place, hook)] = {"trusted_hash": definition_hash(hook)}
        self.config.write_text(tomlkit.dumps(document))

    def command(self, *words):
        return [str(self.machine.programs / "codex"), "exec", *words]

    def run(self, *words):
        return self.machine.run(self.command(*words), self.environment)


def seen(machine):
    return [
        (row["tool"], row["target"] or row["shape"], row["outcome"], row["exit_code"])
        for row in machine.observations()
    ]


def test_a_session_with_every_kind_of_call(machine):
    token = "ghp_" + uuid4().hex + "abcd"
    patch = (
        "*** Begin Patch\n*** Update File: app.py\n@@\n-x = 1\n+x = 10\n"
        "*** Add File: new.py\n+z = 3\n*** End Patch\n"
    )
    script = {
        "Look around in the app": [
            [shell(f"curl -H 'Authorization: Bearer {token}' http://127.0.0.1:9/x; echo fine")],
            [shell("echo partial; exit 3")],
            [Call("apply_patch", text=patch)],
            [Call("echo", {"text": "hello"}, namespace="mcp__notes")],
            [Call("fail", {"text": "no"}, namespace="mcp__notes")],
        ],
        "And once more": [[shell("git status --short")]],
    }
    codex = Codex(machine, script)
    codex.run("Look around in the app")
    assert (machine.project / "app.py").read_text() == "x = 10\ny = 2\n"
    (session,) = machine.ended()
    assert (session["agent"], session["model"], session["end_reason"]) == ("codex", "gpt-5.5", "other")
    machine.until("SELECT * FROM observations WHERE outcome = 'unknown'", lambda rows: not rows)
    assert seen(machine) == [
        ("Bash", "curl -H _; echo _", "ok", 0),
        ("Bash", "echo _; exit _", "failed", 3),
        ("apply_patch", None, "ok", 0),
        ("mcp__notes__echo", None, "ok", None),
        ("mcp__notes__fail", None, "failed", None),
    ]
    assert sorted(machine.observations()[2]["files"]) == ["app.py", "new.py"]
    assert [(row["role"], row["text"]) for row in machine.exchanges()] == [
        ("person", "Look around in the app"),
        ("reply", done("Look around in the app")),
    ]

    codex.run("resume", session["agent_session"], "And once more")
    machine.until("SELECT text FROM exchanges", lambda rows: {"text": done("And once more")} in rows)
    assert [row["agent_session"] for row in machine.ended()] == [session["agent_session"]]
    assert machine.observations()[-1]["shape"] == "git status --short"

    assert machine.holding(token) == []
    assert not machine.rows("SELECT 1 FROM ledger WHERE disposition = 'quarantined'")


def test_a_subagent_is_told_apart(machine):
    script = {
        "Ask another": [
            [Call("spawn_agent", {"message": "Find the login in the code"}, namespace="multi_agent_v1")],
            [shell("sleep 3")],
        ],
        "Find the login in the code": [[shell("ls -la")]],
    }
    codex = Codex(machine, script)
    codex.run("Ask another")
    machine.ended()
    calls = "SELECT tool, shape, subagent_type FROM observations ORDER BY tool, shape"
    assert [tuple(row.values()) for row in machine.rows(calls)] == [
        ("Bash", "ls -la", "default"),
        ("Bash", "sleep _", None),
        ("spawn_agent", None, None),
    ]
    assert [(row["role"], row["text"], row["subagent_type"]) for row in machine.exchanges()] == [
        ("person", "Ask another", None),
        ("machine", "Find the login in the code", "default"),
        ("subagent", done("Find the login in the code"), "default"),
        ("reply", done("Ask another"), None),
    ]


def test_untrusted_hooks_tell_nothing_and_the_doctor_says_so(machine):
    codex = Codex(machine, {"Say it": [[shell("echo once")]]}, trusted=False)
    codex.run("Say it")
    assert machine.rows("SELECT 1 FROM ledger") == []
    found = json.loads(machine.doctor("--project", str(machine.project)))
    assert [finding["level"] for finding in found["findings"] if finding["check"] == "trust"] == ["broken"]


def test_an_interrupt_ends_turn_and_session(machine):
    codex = Codex(machine, {"Wait for it": [[shell("echo $((6 * 7))-ready")], [shell("sleep 60")]]})
    process = machine.start(codex.command("Wait for it"), codex.environment)
    codex.server.wait_for("42-ready")
    end(process, signal.SIGINT)
    assert [row["end_reason"] for row in machine.ended()] == ["other"]
    assert ("reply", "interrupt") in [(row["role"], row["reason"]) for row in machine.exchanges()]


def test_sigterm_tells_nothing_and_loses_nothing_that_was_told(machine):
    codex = Codex(machine, {"Wait for it": [[shell("echo $((6 * 7))-ready")], [shell("sleep 60")]]})
    process = machine.start(codex.command("Wait for it"), codex.environment)
    codex.server.wait_for("42-ready")
    end(process, signal.SIGTERM)
    machine.until("SELECT * FROM observations", len)
    assert [row["ended_at"] for row in machine.rows("SELECT * FROM sessions")] == [None]
    assert [row["text"] for row in machine.exchanges()] == ["Wait for it"]


def test_the_plugin_works_in_codex_too(machine, tmp_path):
    codex = Codex(machine, {"Say it": [[shell("echo once")]]})
    machine.limbeck("uninstall", "codex")
    plugin = tmp_path / "plugin"
    machine.limbeck("install", "--plugin", str(plugin))
    for words in (["marketplace", "add", str(plugin)], ["add", "limbeck@limbeck-local"]):
        machine.run([str(machine.programs / "codex"), "plugin", *words], codex.environment)
    codex.trust()
    codex.run("Say it")
    machine.ended()
    assert [(row["agent"], row["shape"]) for row in machine.observations()] == [("codex", "echo _")]


def test_the_next_session_begins_with_what_is_known_and_can_ask(machine):
    search = Call("search_memory", {"query": "Which database do we use?"}, namespace="mcp__limbeck")
    codex = Codex(machine, {"We use Postgres for the database.": [], "What stores the orders?": [[search]]})
    codex.run("We use Postgres for the database.")
    machine.ended()
    brief = machine.briefed("Postgres")
    codex.server.asked.clear()
    codex.run("What stores the orders?")
    first, last = codex.server.asked[0], codex.server.asked[-1]
    assert json.dumps(brief.splitlines()[2])[1:-1] in json.dumps(first)
    outputs = [item for item in last["input"] if str(item.get("type", "")).endswith("_output")]
    assert "Postgres" in json.dumps(outputs)
    machine.ended(2)
    assert machine.observations() == []
    assert not [row for row in machine.exchanges() if "limbeck-memory" in row["text"]]
