from __future__ import annotations

import os
import subprocess

import pytest

from tests.acceptance.services.conftest import cli_in


class Repository:
    """A real repository in a home of its own; ``git`` and ``commit`` run git as a person would."""

    def __init__(self, folder, home):
        self.path = folder
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.com",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.com",
            "GIT_EDITOR": "true",
            "GIT_SEQUENCE_EDITOR": "true",
        }
        folder.mkdir(parents=True, exist_ok=True)

    def git(self, *arguments, at=None):
        return subprocess.run(
            ["git", *arguments],
            cwd=at or self.path,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
            stdin=subprocess.DEVNULL,
        )

    def commit(self, message="x", at=None):
        return self.git("commit", "-q", "--allow-empty", "-m", message, at=at)

    def hook(self, name, text, mode=0o755, folder=None):
        path = (folder or self.path / ".git" / "hooks") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path


@pytest.fixture
def cli(cli_in):
    """``limbeck`` with an empty home, for the person whose HOME this is."""
    return cli_in(HOME=os.environ["HOME"])


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository that sees the person's own git configuration, which is empty."""
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    made = Repository(tmp_path / "my project", os.environ["HOME"])
    made.git("init", "-q", "-b", "main")
    return made


__all__ = ["cli", "cli_in", "repository"]
