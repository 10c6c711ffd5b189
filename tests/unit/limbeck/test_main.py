"""The command line: light to start, exit codes, one sentence for what went wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from limbeck.main import COMMANDS, main
from schema.errors import LimbeckError

ROOT = Path(__file__).resolve().parents[3]
HEAVY = {"celery", "kombu", "sqlalchemy", "alembic", "anthropic", "psycopg", "redis", "numpy"}
IMPORTED = """
import runpy, sys
sys.argv = ["limbeck", *sys.argv[1:]]
try:
    runpy.run_module("limbeck.main", run_name="__main__")
except SystemExit as end:
    code = end.code
print("imported", *sorted({name.partition(".")[0] for name in sys.modules}))
sys.exit(code)
"""


def run(*words: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "LIMBECK_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", IMPORTED, *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize(
    "words",
    [["--help"], ["up", "--help"], ["down"], ["status", "--json"], ["worker", "--help"], ["nonsense"]],
)
def test_a_command_that_needs_nothing_heavy_imports_nothing_heavy(words, tmp_path):
    done = run(*words, home=tmp_path / "home")
    imported = set(done.stdout.splitlines()[-1].split())
    assert "limbeck" in imported
    assert not imported & HEAVY


def test_every_command_of_the_table_exists_and_says_what_it_does():
    for target, summary in COMMANDS.values():
        module, _, name = target.partition(":")
        function = getattr(import_module(module), name)
        assert callable(function)
        assert summary.endswith(".")


def test_help_lists_every_command(tmp_path):
    shown = run("--help", home=tmp_path).stdout
    assert all(name in shown for name in COMMANDS)


def test_wrong_usage_is_exit_code_two(tmp_path):
    assert run("nonsense", home=tmp_path).returncode == 2
    assert run("status", "--nonsense", home=tmp_path).returncode == 2


def test_what_is_refused_is_one_sentence_and_exit_code_one(monkeypatch, capsys):
    class Refused(LimbeckError):
        """That is not possible: {why}."""

    def refuse() -> int:
        """Refuse."""
        raise Refused(why="a test")

    import limbeck.commands.down as module

    monkeypatch.setattr(module, "down", refuse)
    with pytest.raises(SystemExit) as end:
        main(["down"])
    assert end.value.code == 1
    assert capsys.readouterr().err == "limbeck: That is not possible: a test.\n"


def test_an_unknown_setting_is_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    monkeypatch.setenv("LIMBECK_HOEM", "x")
    with pytest.raises(SystemExit) as end:
        main(["status"])
    assert end.value.code == 1
    assert capsys.readouterr().err.startswith("limbeck: There is no setting LIMBECK_HOEM (the environment).")


def test_the_version_needs_no_command(monkeypatch, capsys):
    monkeypatch.setattr("importlib.metadata.version", lambda name: f"{name}'s")
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == "limbeck limbeck's\n"
