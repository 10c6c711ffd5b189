"""Project identity from git's files, checked against repositories that git itself made."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from capture.head import head, pseudo
from capture.project import ID_FILE, find, origin


def git(where: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=N", "-c", "user.email=n@example.com", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=where, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    path = tmp_path / "one"
    path.mkdir()
    git(path, "init", "-q")
    (path / "a.txt").write_text("a\n")
    git(path, "add", ".")
    git(path, "commit", "-qm", "first")
    return path


def test_a_remote_names_the_project_everywhere(repository: Path, tmp_path: Path) -> None:
    git(repository, "remote", "add", "origin", "git@github.com:team/project.git")
    (repository / "deep" / "down").mkdir(parents=True)
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    for place in (repository, repository / "deep" / "down", tmp_path / "tree", repository / "gone" / "away"):
        assert find(str(place)).remote == "github.com/team/project"
    assert find(str(tmp_path / "tree")).common == str(repository / ".git")
    assert find(str(tmp_path / "tree")).root == str(tmp_path / "tree")
    assert not (repository / ".git" / ID_FILE).exists()


def test_without_a_remote_an_id_is_kept_once(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    first = find(str(repository)).id
    assert first
    assert find(str(tmp_path / "tree")).id == first
    repository.rename(tmp_path / "renamed")
    assert find(str(tmp_path / "renamed")).id == first
    assert (tmp_path / "renamed" / ".git" / ID_FILE).stat().st_mode & 0o777 == 0o600


def test_local_clones_are_the_same_project(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(repository), "two")
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    git(tmp_path, "clone", "-q", str(tmp_path / "bare.git"), "three")
    assert find(str(tmp_path / "two")).id == find(str(repository)).id
    third = find(str(tmp_path / "three"))
    assert third.id
    assert third.id == find(str(repository)).id


def test_a_clone_of_a_clone_has_the_first_ones_remote(repository: Path, tmp_path: Path) -> None:
    git(repository, "remote", "add", "origin", "https://example.com/team/x.git")
    git(tmp_path, "clone", "-q", str(repository), "two")
    assert find(str(tmp_path / "two")).remote == "example.com/team/x"


def test_two_repositories_of_one_name_are_two(tmp_path: Path) -> None:
    ids = set()
    for parent in ("a", "b"):
        (tmp_path / parent / "same").mkdir(parents=True)
        git(tmp_path / parent / "same", "init", "-q")
        ids.add(find(str(tmp_path / parent / "same")).id)
    assert len(ids) == 2


def test_a_submodule_is_its_own_project(repository: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository), "inner")
    assert find(str(outer / "inner")).common == str(outer / ".git" / "modules" / "inner")


def test_outside_git_only_the_folder_is_known(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    project = find(str(tmp_path / "plain"))
    assert (project.root, project.common, project.id) == (str(tmp_path / "plain"), None, None)
    assert find(None).root is None
    assert find("bad\0path").root == "bad\0path"


def test_a_read_only_repository_has_no_id(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> int:
        raise PermissionError

    import os

    real = os.open
    monkeypatch.setattr(
        os, "open", lambda path, flags, *rest: refuse() if flags & os.O_CREAT else real(path, flags, *rest)
    )
    assert find(str(repository)).id is None


def test_head_is_read_from_files(repository: Path, tmp_path: Path) -> None:
    sha = git(repository, "rev-parse", "HEAD")
    assert head(find(str(repository))) == (sha, "main")
    git(repository, "pack-refs", "--all")
    assert head(find(str(repository))) == (sha, "main")
    git(repository, "worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    assert head(find(str(tmp_path / "tree"))) == (sha, None)
    git(repository, "commit", "-q", "--allow-empty", "-m", "second")
    git(repository, "reset", "-q", "--hard", "HEAD~1")
    assert pseudo(find(str(repository)), "ORIG_HEAD") not in (None, sha)


@pytest.mark.parametrize(
    ("config", "address"),
    [
        ('[remote "origin"]\n\turl = https://a/b\n', "https://a/b"),
        ('[remote "fork"]\n url=x:y\n[remote "origin"]\n URL = "p:q" ; said\n', "p:q"),
        ('[remote "fork"]\n url = x:y\n[branch "main"]\n url = no\n', "x:y"),
        ('[remote "origin"] url = one:line\n', "one:line"),
        ('# [remote "origin"]\n#url = z\n', None),
        ("", None),
    ],
)
def test_the_origin_of_a_config(config: str, address: str | None) -> None:
    assert origin(config) == address
