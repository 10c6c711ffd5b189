"""Real agents in homes of their own: installed once a run into a throw-away folder, talking to loopback alone."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from limbeck.services.addresses import addresses
from limbeck.services.control import stop
from limbeck.services.home import Home
from limbeck.services.program import python_command
from limbeck.settings import Settings
from schema.database import Database
from tests.agents.model import Handler, ModelServer
from tests.agents.script import Script

HERE = Path(__file__).parent
PATIENCE = 60.0


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the agents' programs, installed by npm."""
    folder = tmp_path_factory.mktemp("npm")
    shutil.copy(HERE / "package.json", folder)
    subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=folder, check=True, capture_output=True)
    yield folder / "node_modules" / ".bin"
    shutil.rmtree(folder)


class Machine:
    """A person's home with Limbeck up in it, and a project under git."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.user, self.project, self.programs = folder / "user", folder / "project", programs
        self.home = Home.at(folder / "limbeck")
        self.user.mkdir()
        self.project.mkdir()
        self.servers: list[ModelServer] = []
        self.database = Database(
            addresses(Settings(home=self.home.path), self.home).database_url, pooled=False
        )

    def environment(self, **more: str) -> dict[str, str]:
        """The whole environment of an agent: nothing of ours but what is named here."""
        plain = {
            "HOME": str(self.user),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }
        return plain | more

    def model(self, handler: type[Handler], script: Script) -> ModelServer:
        """Start a model server."""
        self.servers.append(ModelServer(handler, script))
        return self.servers[-1]

    def limbeck(self, *words: str) -> str:
        """Run ``limbeck``; it must succeed."""
        environment = self.environment(LIMBECK_HOME=str(self.home.path), LIMBECK_SERVER_PORT="0")
        done = subprocess.run(
            python_command("limbeck.main", *words),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def doctor(self, *words: str) -> str:
        """What ``limbeck doctor --json`` says, whether all is well or not."""
        command = python_command("limbeck.main", "doctor", "--json", *words)
        environment = self.environment(LIMBECK_HOME=str(self.home.path), LIMBECK_SERVER_PORT="0")
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout

    def git(self, *words: str) -> None:
        """Run git in the project."""
        subprocess.run(
            ["git", *words], cwd=self.project, env=self.environment(), check=True, capture_output=True
        )

    def run(self, command: list[str], environment: dict[str, str]) -> str:
        """Run an agent to its end; return what it printed."""
        done = subprocess.run(
            command,
            cwd=self.project,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, (done.stdout[-3000:], done.stderr[-3000:])
        return done.stdout

    def start(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        """Start an agent in a process group of its own."""
        return subprocess.Popen(
            command,
            cwd=self.project,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def rows(self, statement: str) -> list[dict[str, Any]]:
        """Ask the database, as the application does."""
        with self.database.tenant("local") as connection:
            return [dict(row._mapping) for row in connection.execute(text(statement))]

    def until(self, statement: str, wanted: Callable[[list[dict[str, Any]]], object]) -> list[dict[str, Any]]:
        """Ask again until the rows are as ``wanted``; fail with what there was after a minute."""
        deadline = time.monotonic() + PATIENCE
        while True:
            rows = self.rows(statement)
            if wanted(rows):
                return rows
            assert time.monotonic() < deadline, json.dumps(rows, default=str, indent=1)
            time.sleep(0.1)

    def holding(self, secret: str) -> list[str]:
        """Every file of ours (spool, logs, queue, database) that holds ``secret``."""
        found = []
        for folder in {self.home.path, self.home.state}:
            for path in folder.rglob("*"):
                with contextlib.suppress(FileNotFoundError):
                    if path.is_file() and secret.encode() in path.read_bytes():
                        found.append(str(path))
        return found

    def observations(self) -> list[dict[str, Any]]:
        """Every tool call in order."""
        return self.rows("SELECT * FROM observations ORDER BY at, id")

    def exchanges(self) -> list[dict[str, Any]]:
        """Every prompt, reply and report in order."""
        return self.rows("SELECT role, text, subagent_type, reason FROM exchanges ORDER BY at, id")

    def briefed(self, words: str = "") -> str:
        """Wait until the project has a brief that says ``words``; return its text."""
        deadline = time.monotonic() + PATIENCE
        while True:
            for found in (self.home.path / "briefs").glob("id_*"):
                brief = found.read_text()
                if words in brief:
                    return brief.split("\n", 2)[2]
            assert time.monotonic() < deadline, "there is no such brief"
            time.sleep(0.1)

    def post(self, name: str, **values: Any) -> None:
        """Ask the server for something as the owner of this machine."""
        url = json.loads((self.home.run / "server.json").read_text())["url"]
        token = (self.home.path / "token").read_text().strip()
        request = urllib.request.Request(f"{url}/v1/{name}", json.dumps(values).encode(), method="POST")
        request.add_header("Authorization", f"Bearer {token}")
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=PATIENCE):
            pass

    def ended(self, sessions: int = 1) -> list[dict[str, Any]]:
        """Wait until ``sessions`` sessions are over; return all."""
        statement = "SELECT * FROM sessions ORDER BY started_at"
        return self.until(statement, lambda rows: sum(bool(row["ended_at"]) for row in rows) >= sessions)


@pytest.fixture
def machine(tmp_path: Path, programs: Path) -> Iterator[Machine]:
    """A machine with Limbeck up; afterwards everything is stopped and removed."""
    made = Machine(tmp_path, programs)
    made.git("init", "-q", "-b", "main")
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.com")
    (made.project / "app.py").write_text("x = 1\ny = 2\n")
    try:
        made.limbeck("up")
        yield made
    finally:
        for server in made.servers:
            server.shutdown()
            server.server_close()
        made.database.close()
        stop(made.home)
        made.home.remove()


def end(process: subprocess.Popen[bytes], number: signal.Signals = signal.SIGTERM) -> None:
    """Signal an agent that was started here, see that it ends, and clear up what it left running."""
    os.kill(process.pid, number)
    process.wait(timeout=30)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
