from __future__ import annotations

import os
import subprocess

import pytest

from hooks.git.registration import HOOKS
from limbeck.install import files, githooks
from limbeck.install.command import Command
from limbeck.install.errors import SettingsNotWritable

COMMAND = Command("/opt/python3.11", "/home/u/limbeck/hooks/limbeck-hook.py", "git")
THEIRS = {
    "post-commit": (b"#!/bin/sh\r\necho mine\r\n", 0o555),
    "post-merge": (b"not even a script\xff", 0o640),
    "pre-push": (b"#!/bin/sh\nexit 1\n", 0o755),
}


@pytest.fixture
def hooks(tmp_path):
    """The hooks folder of a repository with hooks of a person's own."""
    subprocess.run(["git", "init", "-q", str(tmp_path / "work")], check=True)
    folder = tmp_path / "work/.git/hooks"
    for path in folder.iterdir():
        path.unlink()
    for name, (data, mode) in THEIRS.items():
        (folder / name).write_bytes(data)
        (folder / name).chmod(mode)
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/rewrite").write_text("#!/bin/sh\n")
    (folder / "post-rewrite").symlink_to("../../../scripts/rewrite")
    return folder


def contents(folder):
    return {
        path.name: os.readlink(path) if path.is_symlink() else (path.read_bytes(), path.stat().st_mode)
        for path in folder.iterdir()
    }


def test_every_hook_comes_back_as_it_was(hooks, tmp_path):
    before = contents(hooks)
    githooks.install(tmp_path / "work", tmp_path / "limbeck", COMMAND)
    assert all(githooks.runs(hooks, hook) for hook in HOOKS)
    assert contents(hooks)["pre-push"] == before["pre-push"]
    githooks.install(tmp_path / "work", tmp_path / "limbeck", COMMAND)
    githooks.uninstall(tmp_path / "work", tmp_path / "limbeck")
    assert contents(hooks) == before


def test_the_id_of_a_project_is_told_to_stay(hooks, tmp_path):
    assert githooks.kept(tmp_path / "work") == []
    (tmp_path / "work/.git/limbeck-id").write_text("01a22bf4-0000-7000-8000-000000000001\n")
    assert githooks.kept(tmp_path / "work") == [tmp_path / "work/.git/limbeck-id"]
    assert githooks.kept(tmp_path) == []


def test_a_hook_stays_in_its_place_where_ours_cannot_be_written(hooks, tmp_path, monkeypatch):
    before = contents(hooks)

    def full(path, _before, _after, **_):
        raise SettingsNotWritable(path=path, why="No space left on device")

    monkeypatch.setattr(files, "replace", full)
    with pytest.raises(SettingsNotWritable):
        githooks._put(hooks, "post-commit", "ours")
    assert contents(hooks) == before


def test_a_folder_that_is_closed_is_told_before_anything_is_moved(hooks, tmp_path, monkeypatch):
    before = contents(hooks)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SettingsNotWritable) as refused:
        githooks.check(tmp_path / "work")
    assert "is closed to you" in str(refused.value)
    assert contents(hooks) == before
