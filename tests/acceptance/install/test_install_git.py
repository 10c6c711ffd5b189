from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys

import pytest

from hooks.git.registration import HOOKS
from limbeck.install import githooks, record
from limbeck.install.command import Command
from limbeck.install.errors import HookEdited, HookInTheWay, HooksDisabled, NotARepository

STUB = """\
import json, sys
with open({log!r}, "a") as log:
    log.write(json.dumps([sys.argv[1:], sys.stdin.buffer.read().decode()]) + "\\n")
print("never seen")
print("never seen", file=sys.stderr)
sys.exit(3)
"""


class Hooked:
    """A repository together with a stand-in for the stub, which notes how it was called."""

    def __init__(self, repository, folder):
        self.repository = repository
        self.home = folder / "lim beck's"
        self.log = folder / "calls"
        stub = self.home / "hooks" / "limbeck-hook.py"
        stub.parent.mkdir(parents=True)
        stub.write_text(STUB.format(log=str(self.log)))
        self.command = Command(os.path.realpath(sys.executable), str(stub), "git")

    def install(self, project=None):
        return githooks.install(project or self.repository.path, self.home, self.command)

    def uninstall(self):
        return githooks.uninstall(self.repository.path, self.home)

    def calls(self):
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return [json.loads(line) for line in lines]

    def tree(self):
        return snapshot(self.repository.path / ".git" / "hooks")


def snapshot(folder):
    return {
        path.name: (
            stat.S_IMODE(path.lstat().st_mode),
            os.readlink(path) if path.is_symlink() else path.read_bytes(),
        )
        for path in sorted(folder.iterdir())
    }


@pytest.fixture
def hooked(repository, tmp_path):
    return Hooked(repository, tmp_path)


def theirs(log, code=0, more=""):
    return f'#!/bin/sh\n{{ echo "theirs $0 $*"; {more} }} >> "{log}"\necho seen\nexit {code}\n'


def test_commits_amends_rewrites_and_merges_reach_the_stub(hooked):
    repository = hooked.repository
    hooked.install()
    done = repository.commit("one")
    assert (done.stdout, done.stderr) == ("", "")
    assert hooked.calls() == [[["git", "post-commit"], ""]]
    old = repository.git("rev-parse", "HEAD").stdout.strip()
    repository.git("commit", "-q", "--amend", "--allow-empty", "-m", "two")
    new = repository.git("rev-parse", "HEAD").stdout.strip()
    assert hooked.calls() == [
        [["git", "post-commit"], ""],
        [["git", "post-rewrite", "amend"], f"{old} {new}\n"],
    ]
    repository.git("checkout", "-q", "-b", "side")
    repository.commit("side")
    repository.git("checkout", "-q", "main")
    hooked.calls()
    repository.git("merge", "-q", "--no-ff", "side", "-m", "merged")
    assert hooked.calls() == [[["git", "post-merge", "0"], ""]]


def test_a_hook_that_was_there_runs_first_with_its_arguments_input_and_code(hooked, tmp_path):
    repository = hooked.repository
    log = tmp_path / "theirs"
    repository.hook("post-commit", theirs(log))
    repository.hook("post-rewrite", theirs(log, 7, "cat; echo end;"))
    repository.commit("one")
    log.unlink()
    hooked.install()
    old = repository.git("rev-parse", "HEAD").stdout.strip()
    done = repository.git("commit", "-q", "--amend", "--allow-empty", "-m", "two")
    new = repository.git("rev-parse", "HEAD").stdout.strip()
    assert log.read_text() == (
        "theirs .git/hooks/post-commit.pre-limbeck \n"
        "theirs .git/hooks/post-rewrite.pre-limbeck amend\n"
        f"{old} {new}\nend\n"
    )
    assert done.stderr.splitlines() == ["seen", "seen"]
    assert [call[0][1:] for call in hooked.calls()] == [["post-commit"], ["post-rewrite", "amend"]]


@pytest.mark.parametrize(
    ("hook", "data"), [("post-commit", b""), ("post-merge", b""), ("post-rewrite", b"a b\nc d\n\n")]
)
def test_the_code_of_the_hook_that_was_there_is_kept(hooked, tmp_path, hook, data):
    hooked.repository.hook(hook, theirs(tmp_path / "theirs", 7))
    hooked.install()
    path = hooked.repository.path / ".git" / "hooks" / hook
    done = subprocess.run(
        [path, "one two", "three"], input=data, capture_output=True, cwd=hooked.repository.path, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, b"seen\n", b"")
    assert hooked.calls() == [[["git", hook, "one two", "three"], data.decode()]]


def test_out_again_leaves_the_folder_as_it_was(hooked, tmp_path):
    repository = hooked.repository
    repository.hook("post-commit", theirs(tmp_path / "theirs"), 0o750)
    repository.hook("post-merge", "not executable", 0o644)
    (repository.path / "tracked-hook").write_text(theirs(tmp_path / "theirs"))
    (repository.path / ".git" / "hooks" / "post-rewrite").symlink_to("../../tracked-hook")
    before = hooked.tree()
    hooked.install()
    once = hooked.tree()
    assert not any(result.changed for result in hooked.install())
    assert hooked.tree() == once
    assert len(once) == len(before) + 3
    hooked.uninstall()
    assert hooked.tree() == before
    assert record.load(hooked.home).places == ()


def test_a_hooks_folder_made_for_ours_goes_again(hooked):
    shutil.rmtree(hooked.repository.path / ".git" / "hooks")
    hooked.install()
    hooked.uninstall()
    assert not (hooked.repository.path / ".git" / "hooks").exists()


def test_a_hook_git_ignored_stays_ignored(hooked, tmp_path):
    hooked.repository.hook("post-commit", theirs(tmp_path / "theirs"), 0o644)
    hooked.install()
    hooked.repository.commit()
    assert not (tmp_path / "theirs").exists()
    assert len(hooked.calls()) == 1


def test_a_stub_that_is_gone_is_silent(hooked):
    hooked.install()
    shutil.rmtree(hooked.home)
    done = hooked.repository.commit()
    assert (done.stdout, done.stderr) == ("", "")


def test_a_linked_worktree_shares_the_hooks(hooked, tmp_path):
    repository = hooked.repository
    repository.commit()
    linked = tmp_path / "linked"
    repository.git("worktree", "add", "-q", str(linked))
    results = hooked.install(linked)
    assert {result.path.parent for result in results} == {repository.path / ".git" / "hooks"}
    repository.commit("in the linked one", at=linked)
    assert hooked.calls() == [[["git", "post-commit"], ""]]


def test_installing_from_below_the_top_finds_the_repository(hooked):
    below = hooked.repository.path / "a" / "b"
    below.mkdir(parents=True)
    hooked.install(below)
    hooked.repository.commit()
    assert len(hooked.calls()) == 1


@pytest.mark.parametrize("where", [".githooks", "absolute"])
def test_core_hooks_path_is_followed(hooked, tmp_path, where):
    repository = hooked.repository
    folder = tmp_path / "shared" if where == "absolute" else repository.path / where
    repository.git("config", "core.hooksPath", str(folder) if where == "absolute" else where)
    repository.hook("post-commit", theirs(tmp_path / "theirs"), folder=folder)
    before = snapshot(folder)
    results = hooked.install()
    assert results[0].path == folder / "post-commit"
    assert bool(results[0].notes) == (where == ".githooks")
    repository.commit()
    assert len(hooked.calls()) == 1
    assert (tmp_path / "theirs").exists()
    assert not (repository.path / ".git" / "hooks" / "post-commit").exists()
    hooked.uninstall()
    assert snapshot(folder) == before


def test_a_hooks_path_for_every_repository_is_said(hooked, tmp_path):
    hooked.repository.git("config", "--global", "core.hooksPath", str(tmp_path / "global"))
    notes = hooked.install()[0].notes
    assert "every repository" in notes[0]
    hooked.repository.commit()
    assert len(hooked.calls()) == 1


HUSKY = """\
#!/usr/bin/env sh
n=$(basename "$0")
s=$(dirname "$(dirname "$0")")/$n
[ ! -f "$s" ] && exit 0
[ "${HUSKY-}" = "0" ] && exit 0
sh -e "$s" "$@"
c=$?
exit $c
"""


@pytest.mark.parametrize("had", [None, 'echo theirs >> "$LOG"\nexit 5\n'])
def test_husky_gets_ours_in_its_own_folder(hooked, tmp_path, had):
    repository = hooked.repository
    inner = repository.path / ".husky" / "_"
    repository.git("config", "core.hooksPath", ".husky/_")
    repository.hook("h", HUSKY, 0o644, folder=inner)
    for name in HOOKS:
        repository.hook(name, '#!/usr/bin/env sh\n. "$(dirname "$0")/h"', folder=inner)
    if had:
        repository.hook("post-commit", had, 0o644, folder=inner.parent)
    before = snapshot(inner), sorted(os.listdir(inner.parent))
    hooked.install()
    repository.environment["LOG"] = str(tmp_path / "theirs")
    repository.commit()
    assert hooked.calls() == [[["git", "post-commit"], ""]]
    assert (tmp_path / "theirs").exists() == bool(had)
    hooked.uninstall()
    assert (snapshot(inner), sorted(os.listdir(inner.parent))) == before


PRE_COMMIT = """\
#!/bin/sh
# File generated by pre-commit: https://pre-commit.com
[ -n "${PRE_COMMIT_RUNNING_LEGACY-}" ] && { echo "bug: migration mode"; exit 1; }
if [ -x "$0.legacy" ]; then PRE_COMMIT_RUNNING_LEGACY=1 "$0.legacy" "$@" || exit 1; fi
echo ran >> "$LOG"
"""


def move_as_pre_commit(hooked):
    """What ``pre-commit install --hook-type post-commit`` does to a hook that is not its own."""
    folder = hooked.repository.path / ".git" / "hooks"
    (folder / "post-commit").rename(folder / "post-commit.legacy")
    hooked.repository.hook("post-commit", PRE_COMMIT)


def test_pre_commit_installed_before_us_twice_over(hooked, tmp_path):
    repository = hooked.repository
    repository.environment["LOG"] = str(tmp_path / "theirs")
    repository.hook("post-commit", PRE_COMMIT)
    hooked.install()
    repository.commit()
    assert (len(hooked.calls()), (tmp_path / "theirs").read_text()) == (1, "ran\n")
    move_as_pre_commit(hooked)
    assert not hooked.install()[0].changed
    done = repository.commit()
    assert done.stderr == ""
    assert (len(hooked.calls()), (tmp_path / "theirs").read_text()) == (1, "ran\nran\n")
    hooked.uninstall()
    assert [name for name in hooked.tree() if not name.endswith(".sample")] == ["post-commit"]


def test_pre_commit_installed_after_us_keeps_the_whole_chain(hooked, tmp_path):
    repository = hooked.repository
    repository.environment["LOG"] = str(tmp_path / "pre-commit")
    repository.hook("post-commit", theirs(tmp_path / "theirs"))
    hooked.install()
    move_as_pre_commit(hooked)
    repository.commit()
    assert len(hooked.calls()) == 1
    assert (tmp_path / "theirs").exists()
    assert (tmp_path / "pre-commit").exists()
    hooked.uninstall()
    repository.commit()
    assert (tmp_path / "theirs").read_text().splitlines()[1:] == ["theirs .git/hooks/post-commit.legacy "]


def test_lefthook_moving_us_aside_is_mended_by_installing_again(hooked, tmp_path):
    repository = hooked.repository
    folder = repository.path / ".git" / "hooks"
    repository.hook("post-commit", theirs(tmp_path / "theirs"))
    hooked.install()
    (folder / "post-commit").rename(folder / "post-commit.old")
    repository.hook("post-commit", theirs(tmp_path / "lefthook"))
    assert not githooks.runs(folder, "post-commit")
    assert hooked.install()[0].changed
    assert githooks.runs(folder, "post-commit")
    repository.commit()
    assert len(hooked.calls()) == 1
    assert (tmp_path / "lefthook").exists()
    hooked.uninstall()
    assert (folder / "post-commit").read_text() == theirs(tmp_path / "lefthook")
    assert (folder / "post-commit.old").read_text() == theirs(tmp_path / "theirs")


def test_lefthook_moving_us_aside_again_leaves_one_copy_of_its_own(hooked, tmp_path):
    repository = hooked.repository
    folder = repository.path / ".git" / "hooks"
    lefthook = theirs(tmp_path / "lefthook")
    repository.hook("post-commit", lefthook)
    hooked.install()
    (folder / "post-commit").rename(folder / "post-commit.old")
    repository.hook("post-commit", lefthook)
    hooked.install()
    assert [name for name in hooked.tree() if name.startswith("post-commit")] == [
        "post-commit",
        "post-commit.pre-limbeck",
    ]
    hooked.uninstall()
    assert (folder / "post-commit").read_text() == lefthook


def test_a_script_of_ours_changed_by_hand_is_not_overwritten(hooked):
    hooked.install()
    path = hooked.repository.path / ".git" / "hooks" / "post-commit"
    path.write_text(path.read_text() + "echo mine\n")
    for action in (hooked.install, hooked.uninstall):
        with pytest.raises(HookEdited):
            action()
    assert path.read_text().endswith("echo mine\n")


def test_two_hooks_to_keep_are_refused_before_anything_is_written(hooked, tmp_path):
    hooked.repository.hook("post-merge", theirs(tmp_path / "a"))
    hooked.repository.hook("post-merge.pre-limbeck", theirs(tmp_path / "b"))
    before = hooked.tree()
    with pytest.raises(HookInTheWay):
        hooked.install()
    assert hooked.tree() == before


def test_an_upgrade_rewrites_ours_and_keeps_the_chain(hooked, tmp_path):
    hooked.repository.hook("post-commit", theirs(tmp_path / "theirs"))
    hooked.install()
    hooked.command = Command("/elsewhere/python3", hooked.command.stub, "git")
    assert hooked.install()[0].changed
    tree = hooked.tree()
    assert b"/elsewhere/python3" in tree["post-commit"][1]
    assert tree["post-commit"][0] == 0o755
    assert tree["post-commit.pre-limbeck"][1].decode() == theirs(tmp_path / "theirs")


def test_outside_a_work_tree_is_refused(hooked, tmp_path):
    with pytest.raises(NotARepository):
        hooked.install(tmp_path)


def test_hooks_switched_off_is_said(hooked):
    hooked.repository.git("config", "core.hooksPath", "/dev/null")
    with pytest.raises(HooksDisabled):
        hooked.install()


def test_the_environment_of_another_repository_does_not_mislead(hooked, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    assert hooked.install()[0].path.parent == hooked.repository.path / ".git" / "hooks"
