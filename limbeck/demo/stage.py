"""The demonstration's stage: a home, a repository, our own command line, and real hook processes."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from limbeck.demo.scenario import Commit, Hook
from limbeck.errors import DemoFailed
from limbeck.services.program import python_command
from limbeck.settings import PASSED_ON

IDLE_MINUTES = "0.1"


@dataclass(frozen=True, slots=True)
class Stage:
    """``folder`` holds everything: ``home``, ``shop`` (the repository) and ``user``, a person's own folder."""

    folder: Path

    @property
    def home(self) -> Path:
        """LIMBECK_HOME of this demonstration."""
        return self.folder / "home"

    @property
    def repository(self) -> Path:
        """The repository that the story works in."""
        return self.folder / "shop"

    @property
    def environment(self) -> dict[str, str]:
        """For every process of the story: nothing of the caller's settings."""
        kept = {name: value for name, value in os.environ.items() if name in PASSED_ON}
        return kept | {
            "HOME": str(
                self.folder / "user"
            ),  # an agent's own list of servers is there, and not the caller's
            "LIMBECK_HOME": str(self.home),
            "LIMBECK_IDLE_MINUTES": IDLE_MINUTES,
            "LIMBECK_DISTILLER": "offline",
            "LIMBECK_SERVER_PORT": "0",  # the usual one may be in use by a memory that is not a demonstration
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    def limbeck(self, *words: str) -> str:
        """Run one command of ours in the repository; returns what it printed. Raises DemoFailed."""
        return self._run([*python_command("limbeck.main"), *words], " ".join(("limbeck", *words)))

    def answer(self, *words: str) -> Any:
        """The same with ``--json``, read."""
        return json.loads(self.limbeck(*words, "--json"))

    def prepare(self) -> dict[str, dict[str, str]]:
        """Make the repository and install our hooks in it, as a person would.

        Returns the hook command that each agent's own settings file now holds, by agent and event.
        """
        (self.folder / "user").mkdir(mode=0o700, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")
        for name, value in (("user.name", "Shop Keeper"), ("user.email", "keeper@shop.example")):
            self.git("config", name, value)
        (self.repository / ".git" / "info" / "exclude").write_text(".claude/\n.codex/\n", "utf-8")
        self.limbeck("install", "git", "--project", str(self.repository))
        commands: dict[str, dict[str, str]] = {}
        for one in self.answer("install", "claude", "codex", "--project", str(self.repository))["installed"]:
            # The agent's list of servers is installed too, and holds no hook.
            path = Path(one["path"])
            if path.suffix == ".json" and (held := json.loads(path.read_text("utf-8")).get("hooks")):
                commands[one["agent"]] = {
                    event: groups[0]["hooks"][0]["command"] for event, groups in held.items()
                }
        return commands

    def hook(self, step: Hook, command: str) -> bool:
        """Run a hook as the agent does: a shell, the payload on standard input.

        Returns whether it answered with the brief that a session begins with; it says nothing else. Raises DemoFailed.
        """
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=json.dumps(step.payload).encode(),
            capture_output=True,
            cwd=self.repository,
            env=self.environment,
            check=False,
            timeout=30,
        )
        may_speak = step.payload["hook_event_name"] == "SessionStart"
        if done.returncode or done.stderr or (done.stdout and not may_speak):
            raise DemoFailed(
                what=f"the {step.agent} hook",
                why=f"exit code {done.returncode}, {done.stderr or done.stdout!r}",
            )
        return bool(done.stdout)

    def commit(self, step: Commit) -> None:
        """Write the files and commit; git runs the hooks that are installed."""
        for name, text in step.files.items():
            path = self.repository / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", step.message)

    def git(self, *words: str) -> str:
        """Run git in the repository. Raises DemoFailed."""
        return self._run(["git", *words], " ".join(("git", *words[:2])))

    def _run(self, words: list[str], name: str) -> str:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            cwd=self.repository,
            env=self.environment,
            check=False,
            timeout=300,
        )
        if done.returncode:
            raise DemoFailed(what=f"`{name}`", why=done.stderr.strip() or done.stdout.strip())
        return done.stdout
