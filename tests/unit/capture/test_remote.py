from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.remote import local_path, normalise

ONE = "github.com/team/project"


@pytest.mark.parametrize(
    "address",
    [
        "git@github.com:team/project.git",
        "git@github.com:Team/Project",
        "ssh://git@github.com/team/project.git",
        "ssh://git@github.com:22/team/project/",
        "ssh://git@ssh.github.com:443/team/project.git",
        "https://github.com/team/project",
        "https://user:word@github.com:443/team/project.git",
        "https://x-access-token:word@www.github.com/team/project.git?x=1#y",
        "git://github.com:9418/team/project.git",
        "HTTPS://GitHub.com/team/project.git/",
    ],
)
def test_all_ways_to_one_repository_are_one(address: str) -> None:
    assert normalise(address) == ONE


@pytest.mark.parametrize(
    ("address", "known"),
    [
        ("https://git.example.com:8443/a/b.git", "git.example.com:8443/a/b"),
        ("ssh://git@git.example.com:2222/a/B.git", "git.example.com/a/B"),
        ("user@host:~/repo.git", "host/repo"),
        ("https://host/", None),
        ("", None),
        ("/srv/git/x.git", None),
        ("../other", None),
        ("file:///srv/git/x.git", None),
        ("C:\\repos\\x", None),
    ],
)
def test_other_addresses(address: str, known: str | None) -> None:
    assert normalise(address) == known


def test_local_paths() -> None:
    assert local_path("file:///srv/x.git") == "/srv/x.git"
    assert local_path("C:\\repos\\x") == "C:/repos/x"
    assert local_path("host:path") is None
    assert local_path("./a:b") == "./a:b"


@given(st.text(alphabet="abcXYZ019", min_size=8, max_size=30))
def test_no_password_is_kept(word: str) -> None:
    assert word not in (normalise(f"https://me:{word}@host.example/p/q.git") or "")
