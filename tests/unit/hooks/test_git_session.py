"""A commit names the session of the agent whose git it is, where the environment tells one."""

from __future__ import annotations

import pytest

from hooks.git.adapter import read

SESSION = "3c1d2f40-7a51-4f0e-9d6b-0a1b2c3d4e5f"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    git = tmp_path / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "refs" / "heads" / "main").write_text("a" * 40 + "\n")
    monkeypatch.chdir(tmp_path)


def told(monkeypatch, **variables):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    (event,) = read(["post-commit"], b"")
    return event.session


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("variable", ["CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"])
def test_the_committing_agents_session(monkeypatch, variable):
    assert told(monkeypatch, **{variable: SESSION}) == SESSION


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("value", ["", "a b", "x" * 65, "$(id)", "../../x"])
def test_nothing_that_is_no_identifier(monkeypatch, value):
    assert told(monkeypatch, CLAUDE_CODE_SESSION_ID=value) is None


@pytest.mark.usefixtures("repository")
def test_a_person_commits_without_a_session(monkeypatch):
    assert told(monkeypatch) is None
