"""A folder that others filled: what a link in it leads to outside is not read, and that is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limbeck.commands.import_doc import _spread
from limbeck.errors import LeadsOut, NothingToImport
from limbeck.importing.files import found
from limbeck.inside import inside, require_own


@pytest.fixture
def key(tmp_path) -> Path:
    """What lies outside."""
    made = tmp_path / "home" / "key.md"
    made.parent.mkdir()
    made.write_text("precious")
    return made


@pytest.fixture
def clone(tmp_path) -> Path:
    """A repository that somebody else made."""
    made = tmp_path / "clone"
    (made / ".git").mkdir(parents=True)
    (made / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (made / "docs" / "deep").mkdir(parents=True)
    (made / "docs" / "own.md").write_text("own")
    (made / "docs" / "deep" / "own.md").write_text("own")
    return made


def names(paths, folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in paths]


def test_links_that_lead_out_are_counted_and_not_followed(clone, key):
    docs = clone / "docs"
    (docs / "deep" / "notes.md").symlink_to(key)
    (docs / "all").symlink_to(key.parent)
    (docs / "up.md").symlink_to("../../home/key.md")
    (docs / "through.md").symlink_to("up.md")
    (docs / "round.md").symlink_to("round.md")
    (docs / "picture.png").symlink_to(key)
    (docs / "again.md").symlink_to("own.md")
    held = inside(docs, lambda path: path.suffix == ".md")
    assert names(held.files, docs) == ["again.md", "deep/own.md", "own.md"]
    assert names(held.leading_out, docs) == ["all", "deep/notes.md", "round.md", "through.md", "up.md"]
    assert (
        f"5 symbolic links lead out of {docs} and were not followed: all, deep/notes.md, round.md, ..."
        in held.told
    )


def test_where_none_does_nothing_is_told(clone):
    assert inside(clone / "docs", lambda path: path.suffix == ".md").told == ""


def test_documents_of_a_folder_are_its_own(clone, key, monkeypatch):
    monkeypatch.chdir(clone)
    Path("docs/notes.md").symlink_to(key)
    Path("docs/.okf").mkdir()
    Path("docs/.okf/made.md").write_text("ours")
    Path("docs/made.md").symlink_to(".okf/made.md")
    named, told = _spread([Path("docs")])
    assert names(named, Path("docs")) == ["deep/own.md", "own.md"]
    assert [one["links"] for one in told] == [1]


def test_a_linked_folder_that_is_named_is_refused(clone, key, monkeypatch):
    monkeypatch.chdir(clone)
    Path("manual").symlink_to(key.parent)
    named, told = _spread([Path("manual"), Path("docs/own.md")])
    assert named == [Path("docs/own.md")]
    assert "a symbolic link leads it out of" in told[0]["error"]


def test_what_a_pattern_of_the_shell_names_is_held_to_the_same(clone, key, tmp_path):
    (clone / "docs" / "notes.md").symlink_to(key)
    (clone / "all").symlink_to(key.parent)
    for place in (clone / "docs" / "notes.md", clone / "all" / "key.md"):
        with pytest.raises(LeadsOut):
            require_own(place)
    (tmp_path / "short").symlink_to(clone)
    (clone / "docs" / "again.md").symlink_to("../docs/own.md")
    for place in (
        key,
        clone / "docs" / "own.md",
        clone / "docs" / "again.md",
        tmp_path / "short" / "docs" / "own.md",
    ):
        require_own(place)


def test_transcripts_of_a_folder_are_its_own(tmp_path):
    record = {"type": "user", "sessionId": "s", "uuid": "u", "message": {"role": "user", "content": "hello"}}
    (tmp_path / "projects").mkdir()
    (tmp_path / "own.jsonl").write_text(json.dumps(record) + "\n")
    (tmp_path / "projects" / "a.jsonl").symlink_to(tmp_path / "own.jsonl")
    told: list[str] = []
    with pytest.raises(NothingToImport):
        found([tmp_path / "projects"], told.append)
    assert len(told) == 1
    (tmp_path / "projects" / "b.jsonl").write_text(json.dumps(record) + "\n")
    assert names([one.path for one in found([tmp_path / "projects"])], tmp_path) == ["projects/b.jsonl"]
