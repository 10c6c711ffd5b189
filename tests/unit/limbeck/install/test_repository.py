"""Which repository a folder of hooks belongs to."""

from __future__ import annotations

import subprocess

from limbeck.install.repository import live_hooks, repository_of


def git(folder, *words):
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


def made(folder):
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


def test_the_usual_folder_belongs_to_its_work_tree(tmp_path):
    top = made(tmp_path / "a")
    assert repository_of(live_hooks(top).folder) == top


def test_a_folder_in_the_work_tree_belongs_to_it(tmp_path):
    top = made(tmp_path / "a")
    (top / ".hooks").mkdir()
    git(top, "config", "core.hooksPath", ".hooks")
    assert repository_of(top / ".hooks") == top


def test_a_folder_of_no_repository_belongs_to_none(tmp_path):
    (tmp_path / "hooks").mkdir()
    assert repository_of(tmp_path / "hooks") is None
