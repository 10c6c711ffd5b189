"""The tree of HEAD, from repositories that git made."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from limbeck.ship import tree
from limbeck.ship.errors import GitUnanswered, RepositoryGone
from limbeck.ship.git import Repository
from limbeck.ship.tree import tree_at
from schema.records import Cardinality, Fact, FactKind, Slot, Standing

AT = datetime(2026, 3, 1, tzinfo=UTC)


def git(where: Path, *words: str) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    done = subprocess.run(["git", *who, *words], cwd=where, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def naming(*names: str) -> Fact:
    said = ", ".join(f"`{name}`" for name in names)
    return Fact(
        id="f",
        version="v",
        slot=Slot("api", "rule"),
        cardinality=Cardinality.MANY,
        kind=next(iter(FactKind)),
        value="x",
        statement=f"Use {said}.",
        standing=Standing.PERSON,
        valid_from=AT,
        recorded_at=AT,
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    path = tmp_path / "one"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    (path / "app.py").write_text("def parse_order(): ...\n")
    (path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    git(path, "add", ".")
    git(path, "commit", "-qm", "Begin")
    return path


def test_what_the_tree_holds(repository: Path) -> None:
    found = tree_at(repository, [naming("parse_order", "gone_away")])
    assert found.sha == git(repository, "rev-parse", "HEAD")
    assert set(found.files) == {"app.py", "pyproject.toml"}
    assert [manifest.path for manifest in found.manifests] == ["pyproject.toml"]
    assert found.symbols == {"parse_order"}


def test_a_name_that_was_not_looked_for_is_not_called_gone(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "MOST_SYMBOLS", 1)
    assert tree_at(repository, [naming("gone_away", "parse_order", "also_gone")]).symbols == {
        "parse_order",
        "also_gone",
    }


def test_a_name_that_git_did_not_answer_for_is_not_called_gone(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = [naming("gone_away", "parse_order")]
    assert tree_at(repository, facts).symbols == {"parse_order"}
    ask = Repository._run

    def slow(self: Repository, *arguments: str) -> tuple[bytes, int, str]:
        return (b"", -9, "") if arguments[0] == "grep" else ask(self, *arguments)

    monkeypatch.setattr(Repository, "_run", slow)
    assert tree_at(repository, facts).symbols == {"parse_order", "gone_away"}


def test_git_that_is_too_slow_says_nothing_of_the_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Repository(repository / ".git")
    assert found.matches("grep", "-q", "-e", "parse_order", "HEAD") is True
    assert found.matches("grep", "-q", "-e", "nothing_such", "HEAD") is False
    assert found.matches("grep", "-q", "-e", "x", "no-such-commit") is None
    with pytest.raises(RepositoryGone) as gone:
        found.ask("cat-file", "blob", "HEAD:none")
    assert not isinstance(gone.value, GitUnanswered)
    monkeypatch.setattr("limbeck.ship.git._said", lambda _command, _errors: (b"", -9))
    assert found.matches("grep", "-q", "-e", "parse_order", "HEAD") is None
    with pytest.raises(GitUnanswered, match="too slow"):
        found.ask("cat-file", "blob", "HEAD:app.py")


def test_a_worktree_is_read_at_its_own_head(repository: Path, tmp_path: Path) -> None:
    other = tmp_path / "two"
    git(repository, "worktree", "add", "-q", "-b", "side", str(other))
    (other / "new.py").write_text("x = 1\n")
    git(other, "add", ".")
    git(other, "commit", "-qm", "Aside")
    (other / "deep").mkdir()
    assert "new.py" in tree_at(other / "deep", []).files
    assert "new.py" not in tree_at(repository, []).files


def test_outside_a_repository_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(RepositoryGone, match="it is in no git repository"):
        tree_at(tmp_path, [])
