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


BROKEN = "limbeck: The output cannot be written: No space left on device.\n"


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


def started(*words: str, home: Path, **streams: object) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "LIMBECK_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "limbeck.main", *words]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, env=environment, check=False, **streams)


@pytest.mark.parametrize("words", [["--help"], ["status"], ["status", "--json"], ["down"], ["redact"]])
def test_an_output_that_cannot_be_written_is_one_sentence(words, tmp_path):
    with open("/dev/full", "w") as full:
        done = started(*words, home=tmp_path / "home", stdout=full, input="a text")
    assert (done.returncode, done.stderr) == (1, BROKEN)


@pytest.mark.parametrize(
    ("words", "code"), [(["down"], 0), (["status"], 1), (["--help"], 0), (["redact"], 0)]
)
def test_a_reader_that_has_left_ends_nothing(words, code, tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = started(*words, home=tmp_path / "home", stdout=writer, input="text\n" * 100_000)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.parametrize(
    "words",
    [
        ["facts"], ["recall", "why"], ["sessions"], ["observations"], ["quarantine", "list"], ["review"],
        ["spend"], ["trace", "x"], ["hotspots"], ["retain", "--days", "9"], ["rescan"], ["purge"], ["migrate"],
        ["import", "--git"], ["health", "worker"], ["spool", "drain"],
    ],
)  # fmt: skip
def test_what_needs_the_servers_says_that_they_are_not_started(words, tmp_path):
    home = tmp_path / "home"
    waiting = home / "spool"
    waiting.mkdir(parents=True)
    (waiting / "current.jsonl").write_text("{}\n")
    done = started(*words, home=home, stdout=subprocess.PIPE, input="")
    assert done.stderr == f"limbeck: Limbeck is not running here (its home is {home}): run `limbeck up`.\n"
    assert (done.returncode, done.stdout) == (1, "")


def test_servers_of_ones_own_keep_their_own_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    monkeypatch.setenv("LIMBECK_DATABASE_URL", "postgresql://a@127.0.0.1:1/d")
    with pytest.raises(SystemExit) as end:
        main(["facts"])
    assert end.value.code == 1
    assert "check LIMBECK_DATABASE_URL" in capsys.readouterr().err


def test_a_status_without_servers_still_tells_of_the_spool(tmp_path, monkeypatch, capsys):
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool" / "current.jsonl").write_text('\n{"v":1,"at":1}\n\n{"v":1,"at":2}\n')
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    with pytest.raises(SystemExit) as end:
        main(["status"])
    assert end.value.code == 1
    shown = capsys.readouterr().out
    assert "not running" in shown
    assert "spool   2 events wait" in shown


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_no_help_text_is_cut_or_shows_a_type_of_python(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as end:
        main([name, "--help"] if name else ["--help"])
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert [line for line in shown.splitlines() if line.endswith(("...", "…")) and "Usage" not in line] == []
    assert not any(word in shown for word in ("list[", "<str>", "<int", "<path>", "{flag", "[["))
    assert max(map(len, shown.splitlines())) <= 80


def test_the_hook_preview_shows_a_payload_and_what_git_gives(capsys):
    with pytest.raises(SystemExit):
        main(["hook-preview", "--help"])
    shown = capsys.readouterr().out
    assert '"hook_event_name"' in shown
    assert "post-rewrite" in shown


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (ValueError("the row's own words"), "limbeck: This failed in a way that nobody foresaw."),
        (PermissionError(13, "Permission denied", "/a/file"), "limbeck: The file /a/file cannot be used: "),
    ],
)
def test_what_nobody_foresaw_is_a_sentence_without_the_errors_words(failure, says, monkeypatch, capsys):
    def fail() -> int:
        """Fail."""
        raise failure

    import limbeck.commands.down as module

    monkeypatch.setattr(module, "down", fail)
    with pytest.raises(SystemExit) as end:
        main(["down"])
    told = capsys.readouterr().err
    assert end.value.code == 1
    assert told.startswith(says)
    assert "Traceback" not in told
    assert "own words" not in told
    assert len(told.splitlines()) == 1
