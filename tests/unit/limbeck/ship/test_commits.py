"""Completing commits from repositories that git made."""

from __future__ import annotations

import os
import random
import string
import subprocess
from pathlib import Path
from typing import Any

import pytest

from capture.envelope import MOST_BYTES, encode
from capture.policy import Policy
from limbeck.ship import commits
from limbeck.ship.errors import RepositoryGone
from limbeck.ship.languages import language, tally
from limbeck.ship.manifests import manifest


def git(where: Path, *arguments: str) -> str:
    identity = (
        "-c",
        "user.name=Ada Example",
        "-c",
        "user.email=a@example.com",
        "-c",
        "init.defaultBranch=main",
    )
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=where, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    path = tmp_path / "one"
    path.mkdir()
    git(path, "init", "-q")
    return path


def commit(repository: Path, message: str = "a change", **files: str | None) -> str:
    for name, text in files.items():
        path = repository / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_text(text)
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", message)
    return git(repository, "rev-parse", "HEAD")


def envelope(repository: Path, **body: Any) -> dict[str, Any]:
    return {
        "v": 1,
        "id": "01a22c70-1f99-7567-93c4-7a5761d3dbe3",
        "at": 1_796_000_000_000,
        "agent": "git",
        "origin": "hook",
        "kind": "commit",
        "project": {"common": str(repository / ".git"), "root": str(repository)},
        "body": {"branch": "main", "enriched": False, **body},
    }


def completed(repository: Path, policy: Policy | None = None, **body: Any) -> dict[str, Any]:
    made = commits.complete(envelope(repository, **body), policy or Policy())
    found = made["body"]
    assert isinstance(found, dict)
    return found


def test_a_first_commit_and_its_child(repository: Path) -> None:
    first = commit(repository, a_dot_py="x = 1\ny = 2\n", pyproject_dot_toml="[project]\nname = 'x'\n")
    body = completed(repository, sha=first)
    assert body["files"] == [
        {"path": "a.py", "added": 2, "deleted": 0},
        {"path": "pyproject.toml", "added": 2, "deleted": 0},
    ]
    assert body["manifests"] == [{"path": "pyproject.toml", "text": "[project]\nname = 'x'\n"}]
    assert (body["parents"], body["languages_before"], body["languages"]) == ([], {}, {"Python": 2})
    assert (body["author"], body["message"], body["branch"]) == ("Ada Example", "a change", "main")
    assert body["committed"] == int(git(repository, "show", "-s", "--format=%ct", first)) * 1000

    second = commit(repository, a_dot_py="x = 1\n", b_dot_ts="let a\nlet b\nlet c\n", pyproject_dot_toml=None)
    body = completed(repository, sha=second)
    assert body["files"] == [
        {"path": "a.py", "added": 0, "deleted": 1},
        {"path": "b.ts", "added": 3, "deleted": 0},
        {"path": "pyproject.toml", "added": 0, "deleted": 2},
    ]
    assert body["manifests"] == [{"path": "pyproject.toml", "text": None}]
    assert body["parents"] == [first]
    assert body["languages_before"] == {"Python": 2}
    assert body["languages"] == {"Python": 1, "TypeScript": 3}
    assert body["enriched"] is True


def test_counts_are_the_same_counted_anew(repository: Path) -> None:
    commit(repository, a_dot_py="x\n" * 5)
    last = commit(repository, a_dot_py="x\n" * 3, b_dot_go="y\n")
    carried = completed(repository, sha=last)["languages"]
    commits._lines.clear()
    assert completed(repository, sha=last)["languages"] == carried == {"Python": 3, "Go": 1}


def test_without_a_sha_head_is_meant(repository: Path) -> None:
    sha = commit(repository, a_dot_py="x\n")
    assert completed(repository)["sha"] == sha


def test_a_merge_is_told_from_where_it_began(repository: Path) -> None:
    base = commit(repository, a_dot_py="x\n")
    commit(repository, go_dot_mod="module x\n")
    last = commit(repository, b_dot_py="y\n")
    body = completed(repository, sha=last, base=base)
    assert [one["path"] for one in body["files"]] == ["b.py", "go.mod"]
    assert [one["path"] for one in body["manifests"]] == ["go.mod"]


def test_secrets_and_private_spans_stay_here(repository: Path) -> None:
    rng = random.Random(3)
    secret = "gh" + "p_" + "".join(rng.choice(string.ascii_letters + string.digits) for _ in range(36))
    sha = commit(
        repository,
        f"use {secret} <private>between us</private>",
        Makefile=f"export TOKEN={secret}\n",
        **{f"d__{secret}_dot_py": "x\n"},
    )
    made = commits.complete(envelope(repository, sha=sha), Policy())
    assert secret[4:20] not in str(made)
    assert "between us" not in str(made)
    redactions = made["redactions"]
    assert isinstance(redactions, dict)
    assert redactions["github-token"] >= 3


def test_what_the_policy_leaves_out_is_not_told(repository: Path) -> None:
    (repository / ".limbeckignore").write_text("hidden/\n")
    sha = commit(repository, hidden__package_dot_json="{}", a_dot_py="x\n", b_dot_key="k\n")
    body = completed(repository, Policy(paths=["*.key"]), sha=sha)
    assert [one["path"] for one in body["files"]] == [".limbeckignore", "a.py"]
    assert body["manifests"] == []


def test_a_binary_file_has_no_lines(repository: Path) -> None:
    (repository / "x.bin").write_bytes(bytes(range(256)))
    assert completed(repository, sha=commit(repository))["files"] == [
        {"path": "x.bin", "added": None, "deleted": None}
    ]


def test_a_commit_of_very_much_still_fits(repository: Path) -> None:
    files = {f"d{n}__package_dot_json": '{"x":"' + f"{n} word " * 3000 + '"}' for n in range(25)}
    sha = commit(repository, **files, **{f"{'long' * 40}{n}_dot_py": "x\n" for n in range(700)})
    made = commits.complete(envelope(repository, sha=sha), Policy())
    assert len(encode(made)) <= MOST_BYTES
    body = made["body"]
    assert isinstance(body, dict)
    assert body["files_total"] == 725


def test_what_is_gone_is_said(repository: Path) -> None:
    for body in ({"sha": "0" * 40}, {"sha": "--upload-pack=x"}):
        with pytest.raises(RepositoryGone):
            commits.complete(envelope(repository, **body), Policy())


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.py", "Python"),
        ("src/x.TSX", "TypeScript"),
        ("node_modules/a.js", None),
        ("README", None),
        ("a.min.js", None),
    ],
)
def test_languages(path: str, name: str | None) -> None:
    assert language(path) == name


def test_tally_drops_what_is_gone() -> None:
    assert tally([("a.py", -5), ("b.go", 2)], {"Python": 5, "Go": 1}) == {"Go": 3}


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("pyproject.toml", True),
        ("web/package.json", True),
        ("requirements-dev.txt", True),
        (".github/workflows/ci.yml", True),
        ("node_modules/x/package.json", False),
        ("src/app.py", False),
    ],
)
def test_manifests(path: str, is_one: bool) -> None:
    assert manifest(path) is is_one


def test_a_repository_whose_file_is_a_pipe_is_given_up(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limbeck.ship.git.SECONDS", 0.5)
    sha = commit(repository, a_dot_py="x\n")
    (repository / ".git" / "HEAD").unlink()
    os.mkfifo(repository / ".git" / "HEAD")
    with pytest.raises(RepositoryGone, match="too slow"):
        commits.complete(envelope(repository, sha=sha), Policy())


def test_a_manifest_without_end_is_not_read_whole(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sha = commit(repository, package_dot_json="x" * 200_000)
    monkeypatch.setattr("limbeck.ship.git.MOST_BYTES", 100_000)
    body = completed(repository, sha=sha)
    assert (body["manifests"], body["manifests_cut"]) == ([], True)


def test_a_manifest_that_was_shortened_says_so(repository: Path) -> None:
    sha = commit(repository, package_dot_json="{}" + " " * commits.MANIFEST, setup_dot_cfg="[x]\n")
    body = completed(repository, sha=sha)
    assert {one["path"]: one.get("cut", False) for one in body["manifests"]} == {
        "package.json": True,
        "setup.cfg": False,
    }
