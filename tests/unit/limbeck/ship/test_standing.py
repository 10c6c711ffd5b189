"""Processes that stay answer as one for each question does, and one that fails costs no more than its answer."""

from __future__ import annotations

import stat
import subprocess

import pytest

from limbeck.ship import standing
from limbeck.ship.errors import GitUnanswered, RepositoryGone
from limbeck.ship.git import Repository
from limbeck.ship.standing import Standing

WHO = ("-c", "user.name=Ada Ünlü", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main")
NEWLINE = "two\nlines é.txt"


def git(where, *words):
    done = subprocess.run(["git", *WHO, *words], cwd=where, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A history with files of every kind added, changed and removed, a merge, and a message of several lines."""
    path = tmp_path_factory.mktemp("one")
    git(path, "init", "-q")
    (path / "a.py").write_text("x = 1\n")
    (path / "b.bin").write_bytes(bytes(range(256)))
    (path / NEWLINE).write_text("one\n")
    git(path, "add", "-A")
    git(path, "commit", "-qm", "begin\n\nwith more to say\n")
    git(path, "switch", "-qc", "side")
    (path / "c.py").write_text("y = 2\n")
    git(path, "add", "-A")
    git(path, "commit", "-qm", "on the side")
    git(path, "switch", "-q", "main")
    (path / "a.py").chmod(stat.S_IRWXU)
    (path / "b.bin").unlink()
    (path / NEWLINE).write_text("one\ntwo\n")
    (path / "link").symlink_to("a.py")
    git(path, "add", "-A")
    git(path, "commit", "-qm", "change")
    git(path, "merge", "-q", "--no-ff", "-m", "merge", "side")
    git(path, "commit", "-q", "--allow-empty", "-m", "nothing at all")
    return path


@pytest.fixture
def plain(folder):
    return Repository(folder / ".git")


@pytest.fixture
def staying(folder):
    found = Standing(folder / ".git")
    yield found
    found.close()


@pytest.fixture
def commits(folder):
    return git(folder, "rev-list", "HEAD").split()


def base(repository, sha):
    return (repository.told(sha).parents or (repository.empty,))[0]


def test_every_answer_is_the_same(plain, staying, commits):
    staying.foresee(commits)
    for sha in commits:
        assert staying.told(sha) == plain.told(sha)
        assert staying.commit(sha) == plain.commit(sha) == sha
        changes = plain.differences(base(plain, sha), sha)
        assert staying.differences(base(plain, sha), sha) == changes
        for one in changes:
            for content in (one.before, one.after):
                if content.id:
                    assert staying.blob(content.id) == plain.blob(content.id)
    assert staying.blob(f"HEAD:{NEWLINE}") == plain.blob(f"HEAD:{NEWLINE}") == b"one\ntwo\n"


def test_what_was_not_foreseen_is_asked_for(plain, staying, commits):
    assert staying.told(commits[0]) == plain.told(commits[0])
    assert staying.commit("HEAD") == commits[0]
    assert {one.path for one in plain.differences(commits[2], commits[1])} == {"c.py"}


def test_what_is_not_there_is_said_and_the_next_question_answered(staying, commits):
    for name in ("f" * 40, "HEAD:none", "no such name"):
        with pytest.raises(RepositoryGone):
            staying.blob(name)
    with pytest.raises(RepositoryGone):
        staying.blob(commits[0])  # a commit is no file
    with pytest.raises(RepositoryGone):
        staying.commit("HEAD^{tree}")
    assert staying.blob("HEAD:c.py") == b"y = 2\n"


def test_an_answer_that_is_too_long_is_not_read(staying, monkeypatch, commits):
    with monkeypatch.context() as patch:
        patch.setattr(standing, "MOST_BYTES", 3)
        with pytest.raises(GitUnanswered):
            staying.blob("HEAD:c.py")
        with pytest.raises(GitUnanswered):
            staying.differences(commits[2], commits[1])
    assert staying.blob("HEAD:c.py") == b"y = 2\n"
    assert [one.path for one in staying.differences(commits[2], commits[1])] == ["c.py"]


def test_one_that_was_killed_is_begun_again(staying, commits):
    staying.blob("HEAD:c.py")
    staying.differences(commits[2], commits[1])
    for process in (staying._objects._process, staying._differing._process):
        process.kill()
        process.wait()
    with pytest.raises(RepositoryGone):
        staying.blob("HEAD:c.py")
    with pytest.raises(RepositoryGone):
        staying.differences(commits[2], commits[1])
    assert staying.blob("HEAD:c.py") == b"y = 2\n"
    assert len(staying.differences(commits[2], commits[1])) == 1


def test_one_that_does_not_answer_is_ended(staying, monkeypatch):
    monkeypatch.setattr(standing, "SECONDS", 0.0)
    monkeypatch.setattr(
        staying._objects, "_arguments", ("hash-object", "--stdin")
    )  # waits for the end of its input
    with pytest.raises(GitUnanswered, match="too slow"):
        staying.blob("HEAD:c.py")


def test_a_folder_that_is_no_repository(tmp_path):
    staying = Standing(tmp_path)
    with pytest.raises(RepositoryGone):
        staying.blob("HEAD:a")
    with pytest.raises(RepositoryGone):
        staying.commit("HEAD")
    staying.close()
