"""A home is its owner's alone, however it was made; what is exported has no mode that lets others write."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from limbeck import private
from limbeck.commands import memory
from limbeck.errors import HomeUnusable
from limbeck.install import plugin, record
from limbeck.install.command import Command
from limbeck.keeping import alone_in
from limbeck.services.home import Home
from projection.okf.tree import write_whole
from schema.folders import SHARED, make

COMMAND = Command("/usr/bin/python3", "/h/stub.py", "claude")


def preparing(home):
    Home(home).prepare()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_umask():
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    folder.chmod(0o777)
    return folder


def installing(home):
    with record.locked(home):
        pass


def keeping(home):
    with alone_in(home, home.parent / "exported"):
        pass


def switching(home):
    memory._switch(False, False)


@pytest.mark.parametrize("act", [private.private_home, installing, keeping, switching, preparing])
def test_a_home_that_was_there_is_closed(home, act, monkeypatch):
    monkeypatch.setenv("LIMBECK_HOME", str(home))
    act(home)
    assert mode(home) == 0o700


def test_a_home_that_is_made_is_closed_and_nobody_else_writes_above_it(tmp_path, open_umask):
    home = tmp_path / "a" / "b"
    Home(home).prepare()
    assert [mode(one) for one in (home, home.parent)] == [0o700, 0o700]


def test_a_folder_that_everybody_shares_is_no_home(home):
    home.chmod(0o1777)
    with pytest.raises(HomeUnusable, match="everybody shares"):
        private.private_home(home)
    assert mode(home) == 0o1777


def test_a_home_that_another_account_opened_to_us_is_refused(home, monkeypatch):
    monkeypatch.setattr(private.os, "geteuid", lambda: home.stat().st_uid + 1)
    with pytest.raises(HomeUnusable, match=r"another account owns it .*0777"):
        private.private_home(home)


def test_a_file_is_no_home(tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "home"):
        with pytest.raises(HomeUnusable):
            private.private_home(path)


def test_what_is_exported_is_written_by_its_owner_alone(tmp_path, open_umask):
    write_whole(tmp_path / "x" / "y" / "z.md", b"text")
    made = [tmp_path / "x", tmp_path / "x" / "y", tmp_path / "x" / "y" / "z.md"]
    assert [mode(one) for one in made] == [0o755, 0o755, 0o644]
    make(tmp_path / "p" / "q", SHARED)
    assert [mode(tmp_path / "p"), mode(tmp_path / "p" / "q")] == [0o755, 0o755]


def test_a_plugin_folder_is_written_by_its_owner_alone(tmp_path, open_umask):
    folder = tmp_path / "deep" / "plugin"
    plugin.build(folder, COMMAND, "1.0.0", None, windows=False)
    found = [tmp_path / "deep", folder, *folder.rglob("*")]
    assert len(found) > 4
    assert not [one for one in found if mode(one) & 0o022]
