"""Leaving a project out adds a rule to what stands there, also where somebody else adds one at the same time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from server.errors import Stale
from server.web.look import Look
from server.web.pages import projects


class Between:
    """A look at settings that somebody else changes between our reading and our writing, ``times`` over."""

    def __init__(self, times: int, wanted: str = "off", rules: str = "theirs/0") -> None:
        self.left, self.rules, self.form, self.query = times, rules, {"capture": wanted}, dict[str, str]()
        self.request = SimpleNamespace(path_params={"id": "p"})

    def need(self, _: str) -> None:
        """Everything is allowed."""

    def back(self, path: str, done: str, **_: Any) -> Any:
        return SimpleNamespace(headers={"location": f"{path}?done={done}"})

    def ask(self, operation: str, **given: Any) -> Any:
        if operation == "list_settings":
            setting = SimpleNamespace(
                name="ignore_projects", value=self.rules, version=self.rules, secret=False
            )
            return SimpleNamespace(settings=[setting])
        if operation == "list_projects":
            assert given["project"] == "p"
            one = SimpleNamespace(id="p", remote="git.example/ours", root=None)
            return SimpleNamespace(projects=[one], next_cursor=None)
        (change,) = given["changes"]
        if self.left:
            self.left -= 1
            self.rules += f"\ntheirs/{self.left + 1}"
        if change["version"] != self.rules:
            raise Stale(why="another stands there")
        self.rules = change["value"] or ""
        return SimpleNamespace(waits=[])


def test_what_somebody_else_adds_meanwhile_stays():
    look = Between(2)
    done = projects.capture(cast("Look", look))
    assert look.rules == "theirs/0\ntheirs/2\ntheirs/1\ngit.example/ours"
    assert done.headers["location"] == "/settings?done=left-out#projects"


def test_taking_it_in_again_takes_its_own_rule_alone():
    look = Between(1, "on", "theirs/0\ngit.example/ours")
    projects.capture(cast("Look", look))
    assert look.rules == "theirs/0\ntheirs/1"


def test_where_others_change_it_again_and_again_it_is_told():
    with pytest.raises(Stale):
        projects.capture(cast("Look", Between(100)))
