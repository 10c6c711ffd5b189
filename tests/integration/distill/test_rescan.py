"""The whole tree against every fact, by function and by command."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from distill.rescan import Rescanned, Tree, rescan, undo
from distill.run import prove_commit
from limbeck.services.program import python_command
from schema.records import Fact, Manifest

from .conftest import Shelf, commit, day, manifest

PYPROJECT = '[project]\nname = "x"\ndependencies = ["fastapi", "httpx"]\n'
HTTPX = "The project depends on httpx (pyproject.toml)."


def tree(number: int = 1, **files: str) -> Tree:
    paths = {
        path.replace("__", "/").replace("_toml", ".toml").replace("_py", ".py"): t
        for path, t in files.items()
    }
    manifests = tuple(Manifest(path, text) for path, text in paths.items() if path.endswith(".toml"))
    hashes = {path: str(hash(text)) for path, text in paths.items()}
    return Tree(f"{number:040x}", hashes, manifests, {"Python": 900})


def run(shelf: Shelf, at: Tree, after: int = 0) -> Rescanned:
    with shelf.database.tenant(shelf.client) as connection:
        return rescan(connection, shelf.client, shelf.project, at, day(600) + timedelta(minutes=after))


def view(facts: tuple[Fact, ...]) -> list[Fact]:
    return [replace(fact, version="", recorded_at=day(0)) for fact in facts]


def test_proven_stale_and_unverifiable(shelf: Shelf) -> None:
    shelf.say(
        "P: We use fastapi as the web framework.",
        "P: Always put request parsing into api/parse.py.",
        "P: Never deploy on a Friday.",
    )
    first = run(shelf, tree(pyproject_toml=PYPROJECT, api__parse_py="a"))
    told = {check.fact: check for check in first.checks}
    by_value = {fact.statement: told[fact.id].freshness for fact in shelf.facts()}
    assert by_value["Web framework: fastapi."] == "fresh"
    assert by_value["Always put request parsing into api/parse.py."] == "fresh"
    assert by_value["Never deploy on a Friday."] == "unverifiable"
    second = run(shelf, tree(2, pyproject_toml=PYPROJECT, api__parse_py="b"), after=1)
    states = {check.fact: check for check in second.checks}
    (rule,) = [fact for fact in shelf.facts() if "parse.py" in fact.statement]
    assert (states[rule.id].freshness, states[rule.id].detail) == (
        "stale",
        "api/parse.py changed since the last pass",
    )


def test_what_the_tree_disproves_is_closed_and_undone_identically(shelf: Shelf) -> None:
    prove_commit(
        shelf.database,
        shelf.client,
        shelf.project,
        commit(1, manifests=(manifest("pyproject.toml", PYPROJECT),)),
    )
    shelf.say("P: Always put request parsing into api/parse.py.")
    run(shelf, tree(pyproject_toml=PYPROJECT, api__parse_py="a"))
    before = shelf.facts()
    less = PYPROJECT.replace(', "httpx"', "")
    result = run(shelf, tree(2, pyproject_toml=less), after=5)
    closed = {action.target.value for action in result.actions if action.target}
    assert closed == {"httpx", "always"}
    assert "httpx" not in {value for _, value in shelf.values()}
    assert "api/parse.py is gone" in next(f.reason for f in shelf.facts(history=True) if f.value == "always")
    with shelf.database.tenant(shelf.client) as connection:
        restored = undo(connection, shelf.client, shelf.project, "Ada", day(601))
    assert {fact.value for fact in restored} == {"httpx", "always"}
    assert view(shelf.facts()) == view(before)


def test_a_second_pass_over_the_same_tree_changes_nothing(shelf: Shelf) -> None:
    run(shelf, tree(pyproject_toml=PYPROJECT))
    versions = shelf.rows("SELECT version::text FROM fact_versions ORDER BY 1")
    again = run(shelf, tree(pyproject_toml=PYPROJECT), after=3)
    assert again.actions == ()
    assert shelf.rows("SELECT version::text FROM fact_versions ORDER BY 1") == versions


@pytest.fixture
def cli(shelf: Shelf, app_url: str, tmp_path: Path) -> Callable[..., Any]:
    """``limbeck`` in a repository that is the shelf's project."""
    repository = tmp_path / "repo"
    repository.mkdir()

    def git(*words: str) -> None:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
        subprocess.run(["git", *who, *words], cwd=repository, check=True, capture_output=True)

    git("init", "--quiet", "-b", "main")
    git("remote", "add", "origin", "https://git.example/team/demo.git")
    (repository / "pyproject.toml").write_text(PYPROJECT)
    (repository / "app.py").write_text("x = 1\n" * 40)
    git("add", ".")
    git("commit", "--quiet", "-m", "Begin")
    shelf.key("remote:git.example/team/demo")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "LIMBECK_HOME": str(tmp_path / "home"),
        "LIMBECK_DATABASE_URL": app_url.replace("+psycopg", ""),
        "LIMBECK_REDIS_URL": "redis://127.0.0.1:1/0",
    }

    def call(*words: str, fails: bool = False) -> Any:
        if words[0] == "git":
            return git(*words[1:])
        done = subprocess.run(
            python_command("limbeck.main", *words),
            cwd=repository,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) is fails, (words, done.stdout, done.stderr)
        return json.loads(done.stdout) if "--json" in words and not fails else done.stdout + done.stderr

    return call


def test_the_commands(shelf: Shelf, cli: Callable[..., Any], tmp_path: Path) -> None:
    shelf.say("P: We use Postgres for the database.")
    planned = cli("rescan", "--dry-run", "--json")
    assert planned["dry_run"]
    assert {change["what"] for change in planned["changes"]} == {"add"}
    assert shelf.values() == {("database", "Postgres")}
    cli("rescan")
    shown = {fact["value"]: fact for fact in cli("facts", "--json")}
    assert set(shown) == {"Postgres", "fastapi", "httpx", "Python"} | {"fastapi"}
    assert shown["Python"]["standing"] == "code"
    (tmp_path / "repo" / "pyproject.toml").write_text(PYPROJECT.replace(', "httpx"', ""))
    cli("git", "commit", "--quiet", "-am", "Less")
    assert "httpx" in cli("rescan")
    assert "httpx" not in {fact["value"] for fact in cli("facts", "--json")}
    assert "httpx" in {fact["value"] for fact in cli("facts", "--history", "--json")}
    assert "httpx" in cli("rescan", "--undo")
    assert "httpx" in {fact["value"] for fact in cli("facts", "--json")}
    identity = shown["Postgres"]["id"]
    cli("facts", "retire", identity, "--reason", "no longer", "--by", "Ada")
    assert "Postgres" not in cli("facts")
    assert "retired by Ada: no longer" in cli("facts", "--history")
    assert cli("facts", "restore", identity, "--json")["current"]
    assert "confirmed" in cli("facts", "confirm", identity)
    assert cli("facts", "pin", identity, "--json")["pinned"]
    assert cli("facts", "edit", identity, "--value", "PostgreSQL 17", "--json")["value"] == "PostgreSQL 17"
    shelf.say("P: We switched the database to MySQL.", start=day(500))
    (flag,) = cli("review", "--json")
    assert "MySQL" in cli("review")
    assert "accepted" in cli("review", "accept", flag["id"], "--by", "Ada")
    assert "MySQL" in {fact["value"] for fact in cli("facts", "--json")}
    assert cli("facts", "--as-of", "2020-01-01", "--json") == []
    assert cli("facts", "--known-at", "2020-01-01", "--json") == []
    assert cli("spend", "--json")["today_microusd"] == 0
    assert "offline" in cli("spend")


def test_recall_sees_each_change_at_once(shelf: Shelf, cli: Callable[..., Any]) -> None:
    def recalled() -> set[str]:
        asked = ("recall", "database, httpx", "--kind", "fact", "--no-embeddings", "--json")
        return {hit["text"] for hit in cli(*asked)["hits"]}

    shelf.say("P: We use Postgres for the database.")
    cli("rescan")
    assert recalled() == {"Database: Postgres.", HTTPX}
    (fact,) = [fact for fact in cli("facts", "--json") if fact["value"] == "Postgres"]
    cli("facts", "retire", fact["id"])
    assert recalled() == {HTTPX}
    cli("facts", "restore", fact["id"])
    assert recalled() == {"Database: Postgres.", HTTPX}
    cli("facts", "pin", fact["id"])
    shelf.say("P: We switched the database to MySQL.", start=day(500))
    (flag,) = cli("review", "--json")
    cli("review", "accept", flag["id"])
    assert recalled() == {flag["proposed"], HTTPX}


def test_bad_input_gets_one_sentence(cli: Callable[..., Any]) -> None:
    assert "There is no fact ffff" in cli("facts", "retire", "ffff", fails=True)
    assert "There is no open flag ffff" in cli("review", "accept", "ffff", fails=True)
    assert "is not a time" in cli("facts", "--as-of", "whenever", fails=True)
    assert "memory of the project at" in cli("rescan", "/", fails=True)
