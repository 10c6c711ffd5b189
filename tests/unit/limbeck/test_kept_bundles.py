"""Which folders are kept, and when a child brings them up to date."""

from __future__ import annotations

import json
import stat
import subprocess
from types import SimpleNamespace

import pytest

from limbeck import keeping
from limbeck.services import bundles as module
from limbeck.services.bundles import LOOK_AGAIN, Bundles
from limbeck.settings import Settings


def test_folders_are_kept_and_dropped_in_a_private_file(tmp_path):
    keeping.keep(tmp_path, tmp_path / "a", "p1")
    keeping.keep(tmp_path, tmp_path / "b", "p2")
    assert keeping.kept(tmp_path) == {str(tmp_path / "a"): "p1", str(tmp_path / "b"): "p2"}
    assert stat.S_IMODE((tmp_path / keeping.FILE).stat().st_mode) == 0o600
    assert keeping.drop(tmp_path, tmp_path / "a") is True
    assert keeping.drop(tmp_path, tmp_path / "a") is False
    assert list(keeping.kept(tmp_path)) == [str(tmp_path / "b")]
    (tmp_path / keeping.FILE).write_text("broken")
    assert keeping.kept(tmp_path) == {}


def test_one_at_a_time_writes_a_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(keeping, "WAIT_S", 0)
    with keeping.alone_in(tmp_path, tmp_path / "a"):
        with pytest.raises(keeping.FolderBusy), keeping.alone_in(tmp_path, tmp_path / "a"):
            pass
        with keeping.alone_in(tmp_path, tmp_path / "b"):
            pass


class Child:
    def __init__(self):
        self.code, self.ended, self.deaf = None, 0, False

    def poll(self):
        return self.code

    def terminate(self):
        self.ended += 1
        self.code = None if self.deaf else -15

    def kill(self):
        self.code = -9

    def wait(self, timeout=None):
        if self.code is None:
            assert timeout is not None, "it would be waited for without end"
            raise subprocess.TimeoutExpired("okf", timeout)
        return self.code


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A supervisor's duty with a clock, a counter and children of ours."""
    told = SimpleNamespace(now=0.0, counted=b"1", children=[])
    home = SimpleNamespace(path=tmp_path, logs=tmp_path)

    def popen(command, **_options):
        assert command[-3:] == ["okf", "sync", "--kept"]
        told.children.append(Child())
        return told.children[-1]

    monkeypatch.setattr(module.subprocess, "Popen", popen)
    monkeypatch.setattr(module, "call", lambda *_words: told.counted)
    settings = Settings(home=tmp_path)
    told.bundles = Bundles(settings, home, "unix:///nowhere/queue", {}, clock=lambda: told.now)
    told.keep = lambda: (tmp_path / keeping.FILE).write_text(json.dumps({"/somewhere": "p"}))
    return told


def test_nothing_runs_where_no_folder_is_kept(world):
    world.bundles.look()
    assert world.children == []


def test_a_child_runs_at_the_start_and_for_each_new_generation(world):
    world.keep()
    world.bundles.look()
    world.bundles.look()
    assert len(world.children) == 1
    world.children[0].code = 0
    world.bundles.look()
    assert len(world.children) == 1
    world.counted = b"2"
    world.bundles.look()
    world.counted = b"3"
    world.bundles.look()
    assert len(world.children) == 2  # one at a time
    world.children[1].code = 0
    world.bundles.look()
    assert len(world.children) == 3


def test_a_lost_signal_and_a_failure_are_made_up_for(world):
    world.keep()
    world.bundles.look()
    world.children[0].code = 1
    world.bundles.look()
    world.now += module.LOOK_AGAIN_BLIND
    world.bundles.look()
    assert len(world.children) == 2
    world.children[1].code = 0
    world.bundles.look()
    world.now += LOOK_AGAIN
    world.bundles.look()
    assert len(world.children) == 3
    world.bundles.stop()
    assert world.children[2].ended == 1


def test_one_that_does_not_hear_that_it_is_to_end_is_killed_and_told(world, caplog):
    world.keep()
    world.bundles.look()
    world.children[0].deaf = True
    world.bundles.stop()
    assert world.children[0].code == -9
    assert "is killed" in caplog.text
