"""A bundle on a disk: what is written, what goes, what is never touched, and what a kill leaves behind."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal

import pytest

from projection.errors import NotABundle, NotOurFolder, UnsafePath
from projection.okf import tree
from projection.okf.render import manifest
from tests.unit.projection.build import NOON

FIRST = {"index.md": b"one", "facts/index.md": b"list", "facts/a.md": b"a", "old/gone.md": b"x"}
SECOND = {"index.md": b"two", "facts/index.md": b"list", "facts/a.md": b"A", "new/b.md": b"b"}


def put(folder, files, generation=1, project="shop", step=lambda _path: None):
    return tree.reconcile(folder, files, manifest(files, project, generation, NOON), step)


def held(folder):
    return {path: content for path, content in tree.read(folder).items() if path != "manifest.json"}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / ".okf"


def test_changed_files_are_written_stale_ones_go_and_the_rest_stays(folder):
    put(folder, FIRST)
    unchanged = (folder / "facts/index.md").stat().st_ino
    done = put(folder, SECOND, 2)
    assert done.written == ("facts/a.md", "index.md", "new/b.md")
    assert done.removed == ("old/gone.md",)
    assert done.unchanged == 1
    assert held(folder) == SECOND
    assert (folder / "facts/index.md").stat().st_ino == unchanged
    assert not (folder / "old").exists()
    assert tree.generation(folder) == 2


def test_a_second_run_touches_nothing(folder):
    put(folder, FIRST)
    touched = []
    done = put(folder, FIRST, step=touched.append)
    assert (done.written, done.removed, touched) == ((), (), [])


def test_a_hand_edit_is_overwritten(folder):
    put(folder, FIRST)
    (folder / "facts/a.md").write_bytes(b"mine")
    assert put(folder, FIRST).written == ("facts/a.md",)
    assert held(folder) == FIRST


def test_files_of_others_are_never_touched(folder):
    put(folder, FIRST)
    (folder / "old/notes.md").write_bytes(b"mine")
    (folder / "facts/own.txt").write_bytes(b"mine too")
    put(folder, SECOND, 2)
    assert held(folder) == SECOND | {"old/notes.md": b"mine", "facts/own.txt": b"mine too"}


def test_a_file_of_somebody_else_in_the_way_is_refused_and_kept(folder):
    folder.mkdir()
    (folder / "index.md").write_bytes(b"mine")
    with pytest.raises(NotOurFolder, match=r"1 of its files are not of a bundle \(index.md\)"):
        put(folder, FIRST)
    assert held(folder) == {"index.md": b"mine"}


def test_a_folder_with_other_things_in_it_is_refused_and_one_with_hidden_files_is_not(folder):
    folder.mkdir()
    (folder / ".gitattributes").write_bytes(b"* linguist-generated")
    put(folder, FIRST)
    other = folder.parent / "src"
    other.mkdir()
    (other / "main.py").write_bytes(b"mine")
    with pytest.raises(NotOurFolder, match="it holds other files, and no bundle"):
        put(other, FIRST)
    assert held(other) == {"main.py": b"mine"}


def test_another_projects_bundle_is_refused(folder):
    put(folder, FIRST, project="other")
    with pytest.raises(NotOurFolder, match="the bundle of other"):
        put(folder, SECOND)
    assert held(folder) == FIRST


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../out.md", "facts/../../out.md", "a//b.md", "./a.md", "C:/x.md", "a\\b.md", "", "a\nb"],
)
def test_a_path_that_leads_out_is_refused_before_anything_is_written(folder, path):
    with pytest.raises(UnsafePath):
        put(folder, FIRST | {path: b"x"})
    assert not folder.exists()


@pytest.mark.parametrize("path", ["/etc/passwd", "../victim.txt", "facts/../../victim.txt"])
def test_a_hostile_manifest_deletes_nothing(folder, path):
    put(folder, FIRST)
    victim = folder.parent / "victim.txt"
    victim.write_bytes(b"precious")
    told = json.loads((folder / "manifest.json").read_text())
    told["files"].append({"path": path, "sha256": "0" * 64, "bytes": 1})
    (folder / "manifest.json").write_text(json.dumps(told))
    with pytest.raises(UnsafePath):
        put(folder, SECOND)
    assert victim.read_bytes() == b"precious"


@pytest.mark.parametrize(
    "link", [".", "facts", "facts/a.md", "manifest.json", "manifest.json.next", "old/gone.md"]
)
def test_symbolic_links_are_refused(folder, tmp_path, link):
    put(folder, FIRST)
    outside = tmp_path / "outside"
    place = folder / link
    if place.exists():
        place.rename(outside)
    else:
        outside.write_bytes(b"precious")
    before = outside.read_bytes() if outside.is_file() else sorted(outside.rglob("*"))
    place.symlink_to(outside)
    with pytest.raises(UnsafePath, match="symbolic link"):
        put(folder, SECOND)
    assert (outside.read_bytes() if outside.is_file() else sorted(outside.rglob("*"))) == before


def test_a_folder_in_the_way_of_a_file_and_a_file_in_the_way_of_a_folder_are_refused(folder):
    (folder / "index.md").mkdir(parents=True)
    with pytest.raises(UnsafePath, match="not a plain file"):
        put(folder, FIRST)
    (folder / "index.md").rmdir()
    (folder / "facts").write_bytes(b"mine")
    with pytest.raises(UnsafePath, match="a file stands where a folder is wanted"):
        put(folder, FIRST)


def steps_of(tmp_path):
    touched = []
    put(tmp_path / "measure", FIRST)
    put(tmp_path / "measure", SECOND, 2, step=touched.append)
    return len(touched)


def test_interrupted_at_any_point_the_next_run_repairs_everything(tmp_path):
    """Also where the state has moved on meanwhile: what only the interrupted run knew of goes too."""
    third = {"index.md": b"three"}
    for stop in range(steps_of(tmp_path)):
        folder = tmp_path / f"at{stop}"
        put(folder, FIRST)
        left = [stop]

        def step(_path, left=left):
            if left[0] == 0:
                raise KeyboardInterrupt
            left[0] -= 1

        with pytest.raises(KeyboardInterrupt):
            put(folder, SECOND, 2, step=step)
        put(folder, third, 3)
        assert held(folder) == third, stop
        assert sorted(os.listdir(folder)) == ["index.md", "manifest.json"]


def killed(folder, after):
    left = [after]

    def step(_path):
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1

    put(folder, SECOND, 2, step=step)


def test_a_kill_between_writes_leaves_whole_files_and_is_repaired(tmp_path):
    context = multiprocessing.get_context("spawn")
    for after in (1, 3):
        folder = tmp_path / f"killed{after}"
        put(folder, FIRST)
        process = context.Process(target=killed, args=(folder, after))
        process.start()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        assert tree.generation(folder) is None
        for path, content in held(folder).items():
            assert content in (FIRST.get(path), SECOND.get(path)) or path == tree.NEXT
        put(folder, SECOND, 2)
        assert held(folder) == SECOND
        assert tree.generation(folder) == 2


def test_what_a_half_written_file_left_is_cleaned(folder):
    put(folder, FIRST)
    (folder / f"facts/a.md{tree.NEW}").write_bytes(b"hal")
    (folder / f"{tree.NEXT}").write_bytes(b'{"files": [')
    put(folder, SECOND, 2)
    assert held(folder) == SECOND


def test_a_bundle_that_was_changed_is_not_imported(folder):
    put(folder, FIRST)
    (folder / "facts/a.md").write_bytes(b"mine")
    with pytest.raises(NotABundle, match=r"facts/a\.md was changed"):
        tree.verified(folder, tree.read(folder))
    (folder / "facts/a.md").unlink()
    with pytest.raises(NotABundle, match=r"facts/a\.md is listed and not there"):
        tree.verified(folder, tree.read(folder))
