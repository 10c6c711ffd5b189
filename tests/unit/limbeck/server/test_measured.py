"""What the server's own status says: also that the schedule is dead, once it should have been heard."""

from __future__ import annotations

import time

import pytest

from limbeck.server.measured import measuring
from limbeck.services import health, state
from limbeck.services.child import Identity
from limbeck.services.home import Home
from limbeck.settings import load

SILENT = "No schedule gives a sign of life"


@pytest.fixture
def told(tmp_path, monkeypatch):
    """The problems the server tells, with workers that beat and a schedule that does not."""
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    settings = load()
    home = Home.at(settings.home)
    home.run.mkdir(parents=True)
    seen = health.Health("acme", workers={"worker-1@a": 1.0})
    monkeypatch.setattr(health, "measure", lambda *_: seen)

    def told(since=None):
        if since is not None:
            state.write(home.run, state.State(Identity.own(), since=since))
        return measuring(settings)("acme")["problems"]

    return told


def test_a_dead_schedule_is_told(told):
    for since in (None, time.time() - 3600):
        (problem,) = told(since)
        assert SILENT in problem


def test_what_was_started_just_now_may_still_be_silent(told):
    assert told(time.time()) == []
