"""Skills in an agent's folder: put there once, renewed, taken out; what is somebody else's stays to the byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limbeck.install import record, skillfiles
from limbeck.install.errors import AgentPlaceMissing, SettingsLeadOut
from limbeck.install.places import Scope, registration, registrations, require_inside
from limbeck.install.plugin import skills

THEIRS = "---\nname: recall\ndescription: mine\n---\n"


@pytest.fixture
def home(tmp_path):
    return tmp_path / "limbeck"


@pytest.fixture
def user(tmp_path):
    (tmp_path / "user").mkdir()
    return tmp_path / "user"


@pytest.fixture
def scope(user):
    return Scope(user, {})


def files(folder: Path) -> dict[str, str]:
    return {str(one.relative_to(folder)): one.read_text() for one in folder.rglob("*") if one.is_file()}


def put_in(scope, home, agent="claude"):
    return skillfiles.install(registration(agent), scope, home)


def take_out(scope, home, agent="claude"):
    return skillfiles.uninstall(registration(agent), scope, home)


@pytest.mark.parametrize("agent", sorted(registrations()))
def test_in_twice_is_once_and_out_is_as_before(agent, scope, user, home):
    first = put_in(scope, home, agent)
    assert [one.changed for one in first] == [True] * len(skills())
    assert files(user) == {f".{agent}/skills/{name}/SKILL.md": text for name, text in skills().items()}
    again = put_in(scope, home, agent)
    assert [(one.path, one.changed) for one in again] == [(one.path, False) for one in first]
    gone, left = take_out(scope, home, agent)
    assert (len(gone), left) == (len(skills()), [])
    assert list(user.iterdir()) == []
    assert record.load(home).places == ()
    assert take_out(scope, home, agent) == ([], [])


def test_a_folder_that_was_moved_holds_them(user, home, tmp_path):
    moved = Scope(user, {"CLAUDE_CONFIG_DIR": str(tmp_path / "moved"), "CODEX_HOME": str(tmp_path / "codex")})
    put_in(moved, home)
    put_in(moved, home, "codex")
    assert (tmp_path / "moved/skills/recall/SKILL.md").is_file()
    assert (tmp_path / "codex/skills/recall/SKILL.md").is_file()
    assert files(user) == {}


def test_a_project_has_its_own(scope, user, home, tmp_path):
    project = tmp_path / "shop"
    project.mkdir()
    put_in(Scope(user, {}, project), home)
    assert sorted(files(project)) == [f".claude/skills/{name}/SKILL.md" for name in sorted(skills())]
    take_out(Scope(user, {}, project), home)
    assert list(project.iterdir()) == []
    with pytest.raises(AgentPlaceMissing):
        put_in(Scope(user, {}, tmp_path / "nowhere"), home)


def test_a_link_does_not_lead_out_of_a_project(user, home, tmp_path):
    project, elsewhere = tmp_path / "shop", tmp_path / "elsewhere"
    project.mkdir()
    elsewhere.mkdir()
    (project / ".claude").symlink_to(elsewhere)
    scope = Scope(user, {}, project)
    (edit, *_) = skillfiles.planned(registration("claude"), scope, record.load(home)).edits
    with pytest.raises(SettingsLeadOut):
        require_inside(scope, edit.path)


@pytest.mark.parametrize("theirs", [THEIRS.encode(), b"", b"\xff\xfe not text"])
def test_what_somebody_wrote_under_the_name_stays(scope, user, home, theirs):
    path = user / ".claude/skills/recall/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(theirs)
    results = {one.path: one for one in put_in(scope, home)}
    assert (results[path].left, results[path].changed) == (True, False)
    assert str(path) in results[path].notes[0]
    assert sum(one.changed for one in results.values()) == len(skills()) - 1
    gone, left = take_out(scope, home)
    assert (len(gone), left) == (len(skills()) - 1, [])
    assert [one for one in user.rglob("*") if one.is_file()] == [path]
    assert path.read_bytes() == theirs


def test_a_folder_of_the_name_without_a_skill_in_it_is_theirs_too(scope, user, home):
    other = user / ".claude/skills/recall/notes.txt"
    other.parent.mkdir(parents=True)
    other.write_text("mine")
    put_in(scope, home)
    assert list(other.parent.iterdir()) == [other]
    take_out(scope, home)
    assert files(user) == {".claude/skills/recall/notes.txt": "mine"}


def test_a_command_that_a_skill_would_hide_keeps_its_name(scope, user, home):
    command = user / ".claude/commands/remember.md"
    command.parent.mkdir(parents=True)
    command.write_text("my own /remember")
    notes = [note for one in put_in(scope, home) for note in one.notes]
    assert str(command) in notes[0]
    assert not (user / ".claude/skills/remember").exists()
    assert (user / ".claude/skills/recall").exists()


def test_one_of_ours_that_was_changed_since_stays(scope, user, home):
    put_in(scope, home)
    path = user / ".claude/skills/recall/SKILL.md"
    path.write_text(THEIRS)
    assert [one.left for one in put_in(scope, home)].count(True) == 1
    gone, left = take_out(scope, home)
    assert (len(gone), left) == (len(skills()) - 1, [path])
    assert files(user) == {".claude/skills/recall/SKILL.md": THEIRS}
    assert record.load(home).places == ()


def test_one_that_an_older_version_wrote_is_renewed(scope, user, home):
    put_in(scope, home)
    path = user / ".claude/skills/recall/SKILL.md"
    path.write_text("of an older version")
    told = json.loads((home / "installed.json").read_text())
    for place in told["places"]:
        if place["path"] == str(path):
            place["trace"]["appended"] = "of an older version"
    (home / "installed.json").write_text(json.dumps(told))
    put_in(scope, home)
    assert path.read_text() == skills()["recall"]
    take_out(scope, home)
    assert list(user.iterdir()) == []


def test_one_that_was_deleted_comes_back_and_goes(scope, user, home):
    put_in(scope, home)
    (user / ".claude/skills/recall/SKILL.md").unlink()
    put_in(scope, home)
    assert (user / ".claude/skills/recall/SKILL.md").is_file()
    (user / ".claude/skills/recall/SKILL.md").unlink()
    take_out(scope, home)
    assert list(user.iterdir()) == []


def test_ours_go_also_where_the_record_is_lost(scope, user, home):
    put_in(scope, home)
    (home / "installed.json").unlink()
    take_out(scope, home)
    assert files(user) == {}


def test_a_skill_of_the_persons_own_beside_ours_stays(scope, user, home):
    put_in(scope, home)
    own = user / ".claude/skills/deploy/SKILL.md"
    own.parent.mkdir()
    own.write_text("mine")
    take_out(scope, home)
    assert files(user) == {".claude/skills/deploy/SKILL.md": "mine"}
