"""What is kept under keys: shown beside the notes, with its versions, to those it is of; deleted with time to undo."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from anyio import CapacityLimiter

from server.perform import Performer
from server.principal import Principal, Right
from server.web.deletions import Deletions
from server.web.look import OPERATIONS


class Keeper:
    """Somebody who keeps things under keys."""

    def __init__(self, world, user: str, agent: str | None = None) -> None:
        self.performer = Performer(world.database, lambda: None)
        self.principal = Principal("team", user, agent, right=Right.ADMIN)

    def keep(self, key: str, *values: str, scope: str = "global") -> None:
        for value in values:
            given = {"scope": scope, "key": key, "value": value}
            self.performer.perform(self.principal, OPERATIONS["remember"], given, "rest")

    def listed(self, **given):
        return self.performer.perform(self.principal, OPERATIONS["list_remembered"], given, "rest")

    def one(self, key: str) -> str:
        return next(entry.id for entry in self.listed(query=key).entries if entry.key == key)


@pytest.fixture
def keeper(world) -> Keeper:
    return Keeper(world, "ada")


def test_notes_and_keys_stand_in_one_place_each_with_who_wrote_it(world, ada, keeper):
    ada.post("/memories", content="Notes are notes.", tags="a, b")
    keeper.keep("deploy day", "Tuesday", "Thursday")
    Keeper(world, "ada", "claude").keep("scratch", "half done", scope="agent:claude")
    page = ada.get("/memories")
    for words in (
        "Notes are notes.",
        "deploy day",
        "Thursday",
        "version 2",
        "scratch",
        "agent claude",
        "everywhere",
    ):
        assert words in page.text
    assert "Tuesday" not in page.text
    assert "by ada with claude" in page.text


def test_they_are_narrowed_by_kind_scope_and_words(world, ada, keeper):
    keeper.keep("a shop key", "of the shop", scope="project:shop")
    keeper.keep("a global key", "of everything")
    ada.post("/memories", content="A note of its own.")
    keys = ada.get("/memories", kind="keys")
    assert "a shop key" in keys.text
    assert "A note of its own." not in keys.text
    assert "a shop key" not in ada.get("/memories", kind="notes").text
    scope = next(one.scope for one in keeper.listed().scopes if one.project == "shop")
    narrowed = ada.get("/memories", scope=scope).text
    assert "a shop key" in narrowed
    assert "a global key" not in narrowed
    assert "a global key" in ada.get("/memories", q="OF EVERYTHING").text
    assert "No key holds that" in ada.get("/memories", q="of nothing at all").text


def test_a_key_has_its_versions_and_takes_another_value(ada, keeper):
    keeper.keep("port", "8000", "8080")
    path = f"/memories/kept/{keeper.one('port')}"
    page = ada.get(path)
    assert "8000" in page.text
    assert "8080" in page.text
    said = {"scope": "global", "key": "port", "value": "9000", "back": path}
    assert ada.post("/memories/kept", version="2", **said) == f"{path}?done=saved"
    assert "version 3" in ada.get(path).text
    assert "is at version 3" in ada.post("/memories/kept", 409, version="2", **said)
    ada.get("/memories/kept/00000000-0000-7000-8000-000000000000", 404)


def test_a_key_is_deleted_after_the_time_to_undo(world, ada, keeper):
    keeper.keep("old habit", "tabs", "spaces")
    identifier = keeper.one("old habit")
    led = ada.post("/memories/delete", memory=identifier, kind="keys", q="habit")
    assert led == "/memories?q=habit&kind=keys#list"
    page = ada.get("/memories", kind="keys")
    assert "old habit" not in page.text
    assert "Memory deleted" in page.text
    assert ada.post("/memories/undo", memory=identifier) == "/memories?done=undone"
    assert "old habit" in ada.get("/memories", kind="keys").text
    ada.post("/memories/delete", memory=identifier)
    later = Performer(
        world.database, lambda: None, clock=lambda: keeper.performer.clock() + timedelta(seconds=30)
    )
    assert Deletions(later, CapacityLimiter(1)).carry_out("team") is None
    assert [one.key for one in keeper.listed(query="old habit").entries] == []
    assert "old habit" not in ada.get("/memories").text


def test_a_key_that_went_meanwhile_is_done_with(world, ada, keeper):
    keeper.keep("gone", "soon")
    ada.post("/memories/delete", memory=keeper.one("gone"))
    keeper.performer.perform(
        keeper.principal, OPERATIONS["forget"], {"scope": "global", "key": "gone"}, "rest"
    )
    later = Performer(
        world.database, lambda: None, clock=lambda: keeper.performer.clock() + timedelta(seconds=30)
    )
    assert Deletions(later, CapacityLimiter(1)).carry_out("team") is None


def test_nobody_sees_or_deletes_what_is_anothers(world, ada, keeper):
    other = Keeper(world, "ann")
    other.keep("ann's own", "hers")
    other.keep("ann's agent", "its", scope="agent:codex")
    identifier = other.one("ann's own")
    assert "ann's own" not in ada.get("/memories").text
    ada.get(f"/memories/kept/{identifier}", 404)
    ada.post("/memories/delete", 404, memory=identifier)
    walt = world.browser("team", "ada", Right.WRITE)
    keeper.keep("ada's agent", "its", scope="agent:codex")
    assert "ada's agent" not in walt.get("/memories").text
    walt.post("/memories/delete", 404, memory=keeper.one("ada's agent"))


def test_who_is_held_to_a_project_sees_its_keys_and_no_other_projects(world, keeper):
    keeper.keep("shop only", "x", scope="project:shop")
    keeper.keep("books only", "y", scope="project:books")
    books = next(one.scope for one in keeper.listed().scopes if one.project == "books").partition(":")[2]
    held = world.browser("team", "booker", Right.ADMIN, [books])
    page = held.get("/memories")
    assert "books only" in page.text
    assert "shop only" not in page.text
    held.post("/memories/delete", 404, memory=keeper.one("shop only"))


def test_who_may_only_read_is_shown_no_way_to_change_a_key(world, keeper, rita):
    keeper.keep("for all of the shop", "z", scope="project:shop")
    page = rita.get("/memories")
    assert "for all of the shop" in page.text
    assert not [one for one in page.forms if one in ("/memories/delete", "/memories/kept")]
    one = rita.first("/memories", r"/memories/kept/[0-9a-f-]{36}")
    assert "/memories/kept" not in rita.get(one).forms
    rita.post("/memories/delete", 403, memory=re.split("/", one)[-1])


def test_hostile_words_are_shown_as_text(ada, keeper):
    keeper.keep("<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>\u202e")
    for path in ("/memories", f"/memories/kept/{keeper.one('<img src=x onerror=alert(1)>')}"):
        page = ada.get(path)
        assert not page.all("img")[1:]
        assert len(page.all("script")) == 1
        assert "U+202E" in page.text
