"""A .limbeckignore that is longer than hooks look at: a person is told what leaves nothing out."""

from __future__ import annotations

import io
import json

import pytest

from capture.policy import IGNORE_BYTES, IGNORE_FILE, MOST_PATTERNS
from limbeck import unread as module
from limbeck.commands.status import status
from limbeck.doctor.delivery import unread_patterns
from limbeck.main import main
from limbeck.unread import log_unread, unread, unread_at

TOO_MANY = "".join(f"name{number}\n" for number in range(MOST_PATTERNS + 3)) + "tool:WebFetch\n# a word\n\n"
SAID = (
    "{root}/.limbeckignore is too long: hooks do not look at 3 of its lines, as the first 1000 of a kind count. "
    "Let fewer patterns cover more."
)


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / "sub").mkdir()
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path / "home"))
    return root


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("*.key\n", ""),
        ("".join(f"name{number}\n" for number in range(MOST_PATTERNS)) + "tool:X\n", ""),
        (TOO_MANY, SAID),
        ("#\n" * IGNORE_BYTES, "{root}/.limbeckignore is too long: hooks do not look at what comes after 64 KiB. "
                               "Let fewer patterns cover more."),
    ],
)  # fmt: skip
def test_what_is_not_looked_at_is_said(project, text, says):
    (project / IGNORE_FILE).write_text(text)
    assert unread(str(project)) == says.format(root=project)


def test_without_a_file_or_a_project_nothing_is_said(project):
    assert [unread(str(project)), unread(None), unread_at("/")] == ["", "", ""]


def test_status_doctor_and_the_log_say_it(project, monkeypatch, capsys, caplog):
    (project / IGNORE_FILE).write_text(TOO_MANY)
    said = SAID.format(root=project)
    monkeypatch.chdir(project / "sub")
    status(as_json=True)
    assert json.loads(capsys.readouterr().out)["ignore_file"] == said
    status()
    assert said in capsys.readouterr().out
    assert [found.what for found in unread_patterns(project)] == [said]
    monkeypatch.setattr(module, "_said", set())
    log_unread(str(project))
    log_unread(str(project))
    assert [record.getMessage() for record in caplog.records] == [said]


def test_the_preview_of_a_hook_says_it(project, monkeypatch, capsys):
    (project / IGNORE_FILE).write_text(TOO_MANY)
    payload = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s1",
        "prompt": "Why?",
        "cwd": str(project / "sub"),
    }
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(payload).encode())))
    home = project.parent / "home"
    home.mkdir()
    (home / "hook.json").write_text(json.dumps({"client": "local", "spool": str(home / "spool")}))
    with pytest.raises(SystemExit) as ended:
        main(["hook-preview", "claude"])
    out, err = capsys.readouterr()
    assert ended.value.code in (0, None)
    assert SAID.format(root=project) in err
    assert "Why?" in out
