"""What the supervisor does once the settings file has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from limbeck.services.highwater import HighWater
from limbeck.services.home import Home
from limbeck.services.server import Server
from limbeck.services.taking import Taking
from limbeck.settings import Settings, load


class Part:
    """A kept child that notes when it was renewed."""

    def __init__(self, name: str, service: object = None) -> None:
        self.name, self.service, self.renewed = name, service, 0

    def renew(self) -> None:
        self.renewed += 1


class World:
    """A home, its parts, and what hooks were told."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "config.toml"
        self.write("daily_usd = 2\n")
        settings = load({"LIMBECK_HOME": str(folder)})
        self.server = Server(folder / "ready", folder / "log", {}, "127.0.0.1", 1)
        self.parts = [Part("redis"), Part("worker"), Part("distiller"), Part("server", self.server)]
        self.high_water = HighWater(settings, Home(folder), "redis://127.0.0.1:1")
        self.hooks: list[Settings] = []
        self.taking = Taking(settings, self.parts, self.high_water, self.hooks.append)
        self.taking.look()

    def write(self, text: str) -> None:
        self.path.write_text(text)
        self.path.chmod(0o600)

    @property
    def renewed(self) -> list[str]:
        return [part.name for part in self.parts if part.renewed]


@pytest.fixture
def world(tmp_path, monkeypatch):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    return World(tmp_path)


def test_without_a_change_nothing_is_touched(world):
    assert world.taking.look() is False
    assert (world.renewed, world.hooks) == ([], [])


def test_a_cap_renews_the_workers_alone(world):
    world.write("daily_usd = 30\n")
    assert world.taking.look() is False
    assert world.renewed == ["worker", "distiller"]
    assert world.taking.settings.daily_usd == 30.0
    assert world.hooks == []


def test_a_rule_of_what_is_left_out_is_told_to_the_hooks(world):
    world.write('daily_usd = 2\nignore_tools = ["Todo"]\n')
    world.taking.look()
    assert [one.ignore_tools for one in world.hooks] == [("Todo",)]
    assert world.renewed == []


def test_the_high_water_mark_is_moved_and_the_server_renewed(world):
    world.write("daily_usd = 2\nqueue_high_water = 500\n")
    world.taking.look()
    assert world.high_water.high == 500
    assert world.renewed == ["server"]


def test_what_waits_for_the_next_start_holds_the_rest_back_and_is_told(world):
    world.write('daily_usd = 30\nclient = "other"\n')
    assert world.taking.look() is True
    assert world.taking.notes == [
        "client, daily_usd in config.toml: from `limbeck down` and `limbeck up` on."
    ]
    assert (world.renewed, world.taking.settings.daily_usd) == ([], 2.0)
    world.write("daily_usd = 30\n")
    assert world.taking.look() is True
    assert world.taking.notes == []
    assert world.renewed == ["worker", "distiller"]


def test_what_cannot_be_used_is_told_and_nothing_is_touched(world):
    world.write("daily_usd = lots\n")
    assert world.taking.look() is True
    assert "is not taken" in world.taking.notes[0]
    assert world.renewed == []
