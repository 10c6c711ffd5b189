"""The home: private folders, short sockets, sentences for what cannot be used, nobody's permissions changed."""

from __future__ import annotations

import os
from collections import namedtuple
from pathlib import Path

import pytest

from limbeck.errors import HomeUnusable, NoSpace
from limbeck.services import home as module
from limbeck.services.account import Account
from limbeck.services.home import LONGEST_SOCKET, Home

Usage = namedtuple("Usage", "total used free")


def test_folders_are_private_and_the_parent_is_left_alone(tmp_path):
    tmp_path.chmod(0o755)
    home = Home(tmp_path / "home with space")
    home.prepare()
    for folder in (home.path, home.run, home.logs, home.spool):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_sockets_are_in_the_home_while_their_path_is_short(tmp_path):
    home = Home(tmp_path / "h")
    assert home.sockets == home.run


def test_a_comma_would_end_the_path_for_postgres_clients(tmp_path):
    assert "," not in str(Home(tmp_path / "a, b").sockets)


def test_a_long_home_gets_a_short_private_folder_for_sockets(tmp_path):
    home = Home(tmp_path / ("long" * 30))
    home.prepare()
    try:
        assert len(str(home.sockets / ".s.PGSQL.5432")) <= LONGEST_SOCKET
        assert home.sockets.stat().st_mode & 0o777 == 0o700
        assert Home(tmp_path / ("long" * 31)).sockets != home.sockets
    finally:
        home.remove()
    assert not home.sockets.exists()


def test_a_socket_folder_that_is_a_link_is_refused(tmp_path):
    home = Home(tmp_path / ("long" * 30))
    (tmp_path / "elsewhere").mkdir()
    home.sockets.symlink_to(tmp_path / "elsewhere")
    try:
        with pytest.raises(HomeUnusable):
            home.prepare()
    finally:
        home.sockets.unlink()


def test_a_home_below_a_file_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(HomeUnusable) as refused:
        Home(tmp_path / "file" / "home").prepare()
    assert str(tmp_path / "file" / "home") in str(refused.value)
    assert "LIMBECK_HOME" in str(refused.value)


def test_a_full_disk_is_refused_before_anything_is_made(tmp_path, monkeypatch):
    home = Home(tmp_path)
    monkeypatch.setattr(module.shutil, "disk_usage", lambda _: Usage(0, 0, 100 * 1024**2))
    with pytest.raises(NoSpace, match="100 MB left and 300 MB are needed"):
        home.need_space(embedded=True)
    (tmp_path / "postgres").mkdir()
    home.need_space(embedded=True)
    monkeypatch.setattr(module.shutil, "disk_usage", lambda _: Usage(0, 0, 10 * 1024**2))
    with pytest.raises(NoSpace, match="10 MB left and 64 MB are needed"):
        home.need_space(embedded=True)


def test_the_homes_own_disk_is_looked_at_where_the_servers_lie_on_another(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "STATE_ROOT", tmp_path / "state")
    home = Home(tmp_path / "home", account=object())
    room = {home.path: 1, home.state: 900}
    monkeypatch.setattr(module.shutil, "disk_usage", lambda folder: Usage(0, 0, room[folder] * 1024**2))
    with pytest.raises(NoSpace, match="1 MB left and 64 MB are needed"):
        home.need_space(embedded=True)
    room[home.path] = 64
    home.need_space(embedded=True)


def test_as_root_the_servers_live_in_a_folder_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LONGEST_SOCKET", 400)
    monkeypatch.setattr(module, "STATE_ROOT", tmp_path / "state")
    account = Account("me", os.geteuid(), os.getegid())
    home = Home(tmp_path / "root's home", account)
    home.prepare()
    assert home.state.parent == tmp_path / "state"
    assert home.sockets == home.state / "run"
    assert home.sockets.stat().st_mode & 0o777 == 0o700
    assert home.state.stat().st_mode & 0o777 == 0o711
    home.remove()
    assert not home.path.exists()
    assert not home.state.exists()


@pytest.mark.parametrize("finished", [True, False])
def test_as_root_two_starts_at_once_make_the_same_folders(tmp_path, monkeypatch, finished):
    """The other one makes each folder just before we do, and has not come to its mode yet where not ``finished``."""
    monkeypatch.setattr(module, "STATE_ROOT", tmp_path / "state")
    make = Path.mkdir

    def later(self, *given, **named):
        if not self.exists():
            make(self)
            self.chmod(0o711 if finished else 0o700)
        make(self, *given, **named)

    monkeypatch.setattr(Path, "mkdir", later)
    home = Home(tmp_path / "home", Account("me", os.geteuid(), os.getegid()))
    home.prepare()
    assert [folder.stat().st_mode & 0o777 for folder in (tmp_path / "state", home.state)] == [0o711] * 2


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "log").write_text("")
    with pytest.raises(HomeUnusable, match=f"Not a directory: {tmp_path}/log"):
        Home(tmp_path).prepare()


def test_two_homes_have_two_keys(tmp_path):
    assert Home(tmp_path / "a").key != Home(tmp_path / "b").key
    assert Home(tmp_path / "a").key == Home(Path(f"{tmp_path}/x/../a")).key
