from __future__ import annotations

import os
import stat

import pytest

from limbeck.install import files
from limbeck.install.errors import SettingsMoving, SettingsNotWritable, SettingsUnreadable


def test_a_file_that_changed_meanwhile_is_left(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text("theirs")
    with pytest.raises(SettingsMoving):
        files.replace(path, "as it was", "ours")
    assert path.read_text() == "theirs"


def test_nothing_is_left_behind_where_writing_fails(tmp_path, monkeypatch):
    path = tmp_path / "settings.json"
    path.write_text("before")

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SettingsNotWritable) as caught:
        files.replace(path, "before", "after")
    assert "No space left" in str(caught.value)
    assert [p.name for p in tmp_path.iterdir()] == ["settings.json"]
    assert path.read_text() == "before"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640])
def test_the_mode_stays(tmp_path, mode):
    path = tmp_path / "settings.json"
    path.write_text("before")
    path.chmod(mode)
    files.replace(path, "before", "after")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("after", mode)


def test_a_link_to_nothing_yet_gets_its_file(tmp_path):
    link = tmp_path / "settings.json"
    link.symlink_to(tmp_path / "real.json")
    files.replace(link, None, "ours")
    assert link.is_symlink()
    assert (tmp_path / "real.json").read_text() == "ours"


def test_line_ends_are_not_touched(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(b"a\r\nb\r")
    assert files.read(path) == "a\r\nb\r"
    files.replace(path, "a\r\nb\r", "c\r\nd\r")
    assert path.read_bytes() == b"c\r\nd\r"


def test_a_folder_in_the_files_place_is_said(tmp_path):
    with pytest.raises(SettingsUnreadable):
        files.read(tmp_path)


def test_only_empty_folders_go(tmp_path):
    made = files.make_folder(tmp_path / "a" / "b")
    assert made == [str(tmp_path / "a"), str(tmp_path / "a" / "b")]
    (tmp_path / "a" / "theirs").touch()
    files.remove_empty([tmp_path / "a" / "b", tmp_path / "a"])
    assert sorted(p.name for p in (tmp_path / "a").iterdir()) == ["theirs"]
