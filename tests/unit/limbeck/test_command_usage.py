"""Small rules of the commands: what is wrong usage, how times are read, and the hint on what is not distilled."""

from __future__ import annotations

import errno
from datetime import UTC, datetime

import pytest

from limbeck.commands.hints import sentence
from limbeck.commands.options import since_time
from limbeck.main import main
from limbeck.running import explained


@pytest.mark.parametrize(
    "words",
    [
        ["facts", "edit", "0199aaaa"],
        ["observations", "--since", "some day"],
        ["items", "--all", "list"],
        ["drafts", "--json", "list"],
        ["facts", "--project", "shop", "pin", "0199aaaa"],
        ["review", "--all", "accept", "0199aaaa"],
    ],
)
def test_wrong_usage_is_code_two(words, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
    assert "Error: " in capsys.readouterr().err


def test_a_name_that_an_operation_does_not_have_is_wrong_usage(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    with pytest.raises(SystemExit) as end:
        main(["call", "list_facts", "projct=elsewhere"])
    assert end.value.code == 2
    assert "There is no `projct` here: did you mean `project`?" in capsys.readouterr().err


def test_what_the_disk_lacks_is_code_one(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    with pytest.raises(SystemExit) as end:
        main(["bench", "redact", "--code", str(tmp_path / "nothing")])
    assert end.value.code == 1
    assert capsys.readouterr().err == f"limbeck: There is no folder {tmp_path / 'nothing'}.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["import", "--git", "nothing"], "There is no git repository with a commit at nothing"),
        (["install", "claude", "--project", "nothing"], "nothing is not a folder"),
        (["install", "git", "--project", "nothing"], "nothing is not inside a git work tree"),
    ],
)
def test_a_place_that_is_not_there_is_said_before_anything_is_begun(
    words, said, tmp_path, monkeypatch, capsys
):
    home = tmp_path / "home"
    monkeypatch.setenv("LIMBECK_HOME", str(home))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 1
    assert said in capsys.readouterr().err
    assert not home.exists()


def test_where_nothing_is_installed_uninstalling_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path / "home"))
    with pytest.raises(SystemExit) as end:
        main(["uninstall", "--plugin", str(tmp_path / "nothing")])
    assert (end.value.code, capsys.readouterr().out) == (0, "plugin: nothing of limbeck here\n")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_a_sentence_whoever_wrote(number):
    told = explained(OSError(number, "No space left on device"))
    assert str(told).startswith("Nothing more can be written: No space left on device. Make room")
    assert (told.permanent, told.usage) == (False, False)


@pytest.mark.parametrize(("took", "code"), [(12.0, 0), (120.0, 1)])
def test_a_command_below_another_ends_with_its_code(took, code, monkeypatch, capsys):
    page = {"path": "/now", "status": [200], "p50": took, "p95": took, "cpu_ms": 1.0, "kb": 3.0}
    result = {"bound_ms": 100.0, "bound_kb": 60.0, "pages": [page]}
    monkeypatch.setattr("limbeck.bench.web.measure", lambda *_: result)
    for _ in range(2):
        with pytest.raises(SystemExit) as end:
            main(["bench", "web", "--json"])
        assert end.value.code == code


@pytest.mark.parametrize("command", ["import-doc", "quarantine", "items"])
def test_several_are_shown_by_three_dots(command, capsys):
    with pytest.raises(SystemExit):
        main([command, *(["done"] if command == "items" else []), "--help"])
    assert "....." not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("phrase", "at"),
    [
        (None, None),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T12:00", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01T12:00+02:00", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("in March 2025", datetime(2025, 3, 1, tzinfo=UTC)),
    ],
)
def test_since_means_the_beginning(phrase, at):
    assert since_time(phrase) == at


@pytest.mark.parametrize(
    ("waiting", "still_open", "says"),
    [
        (0, 0, ""),
        (1, 0, "1 session is not distilled yet: 1 waits for the distiller."),
        (
            2,
            1,
            "3 sessions are not distilled yet: 2 wait for the distiller, "
            "1 is still open (each is distilled 30 minutes after its last event).",
        ),
    ],
)
def test_what_is_not_distilled_is_said(waiting, still_open, says):
    assert sentence(waiting, still_open, 30.0) == says
