"""Small rules of the commands: what is wrong usage, how times are read, and the hint on what is not distilled."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from limbeck.commands.hints import sentence
from limbeck.commands.options import since_time
from limbeck.main import main


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
