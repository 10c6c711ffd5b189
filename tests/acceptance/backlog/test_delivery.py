"""Real processes and a real repository: from a note to a draft, an item, a commit and "What was done"."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.services.conftest import Cli, remove, wait_until

IDENTITY = ("-c", "user.name=Ada", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")


class Shop:
    """A repository with our git hooks, and the command line that looks at it."""

    def __init__(self, cli: Cli, folder: Path) -> None:
        self.cli, self.folder = cli, folder
        folder.mkdir()
        self.git("init", "-q")
        cli.ok("up")
        cli.ok("install", "git", "--project", str(folder))

    def git(self, *words: str) -> str:
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder.parent)}
        done = subprocess.run(
            ["git", *IDENTITY, *words],
            cwd=self.folder,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def commit(self, message: str, *more: str) -> str:
        (self.folder / "export.py").write_text(f"# {message}\n")
        self.git("add", ".")
        self.git("commit", "-qm", message, *more)
        return self.git("rev-parse", "HEAD")

    def asked(self, *words: str) -> Any:
        return json.loads(self.cli.ok(*words, "--project", "shop", "--json"))

    def commits(self, number: str) -> list[str]:
        return [entry["commit"] for entry in self.asked("items", "log", number)]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    cli = Cli(tmp_path / "home", LIMBECK_EMBEDDINGS="off", LIMBECK_CLASSIFY_TOKENS="1")
    yield Shop(cli, tmp_path / "shop")
    remove(cli)


def test_from_a_note_to_what_was_done_also_after_an_amend(shop):
    said = "We need a CSV export of invoices. Bug: the export loses its last page."
    shop.cli.ok("add", "note", said, "--in", str(shop.folder))
    wait_until(lambda: shop.cli("drafts", "--project", "shop", "--json")[1].count('"state": "draft"') == 2)
    bug = next(draft for draft in shop.asked("drafts") if draft["type"] == "BU")
    assert [item["number"] for item in shop.asked("drafts", "approve", bug["id"])] == ["US1001", "BU3001"]
    first = shop.commit("Keep the last page\n\nFixes BU3001 and BU3999")
    wait_until(lambda: shop.commits("US1001") == [first], shop.cli.logs)
    assert shop.asked("items", "show", "BU3001")["state"] == "review"
    second = shop.commit("Keep the last page of an export\n\nFixes BU3001", "--amend")
    wait_until(lambda: shop.commits("US1001") == [second], shop.cli.logs)
    shown = shop.asked("items", "show", "BU3001")
    assert [line["action"] for line in shown["history"]] == ["created", "delivery"]
    assert [entry["outcome"] for entry in shown["work"]] == ["Keep the last page of an export"]
    assert shop.cli("items", "done", "US1001", "--project", "shop")[0] == 1
    shop.cli.ok("items", "done", "BU3001", "US1001", "--project", "shop")
