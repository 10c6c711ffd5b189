"""What sessions and prompts are told without asking, and how often that was of use."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from capture.envelope import encode
from capture.ids import new_id
from limbeck.bench.facts_script import START
from projection.okf.generation import marked
from server.errors import NotAllowed
from workers.incoming import Incoming, read
from workers.ingest import ingest

from .conftest import NOW, SHOP, World


@pytest.fixture
def shop(database, alice):
    from schema.database import Database

    opened = Database(database.app_url)
    opened.add_client("local")
    opened.add_client("stranger")
    world = World(opened)
    world.tell("shop", "s-1", SHOP)
    yield world
    opened.close()


def arrive(world: World, **event) -> None:
    """Bring one event of a new session of the shop in."""
    keys = world.rows(
        "SELECT key FROM project_keys WHERE project = cast(:p AS uuid)", p=world.project("shop")
    )
    name, _, value = keys[0][0].partition(":")
    envelope = {
        "v": 1, "id": new_id(), "at": int(NOW.timestamp() * 1000), "agent": "claude", "origin": "hook", "hv": "1",
        "session": "s-9", "cwd": "/w", "project": {name: value, "root": "/w"},
    } | event  # fmt: skip
    world.entries += 1
    came = read(f"{world.entries}-0", encode(envelope), NOW)
    assert isinstance(came, Incoming), came
    with world.database.tenant("local") as connection:
        ingest(connection, "local", [came], now=NOW)


def uses(world: World, alice) -> dict[str, tuple[int, int, int]]:
    found = world.ask(alice, "list_uses").uses
    return {one.ref: (one.injected, one.opened, one.cited) for one in found}


def test_a_brief_comes_once_and_again_when_something_changed(shop, alice):
    first = shop.ask(alice, "list_briefs")
    assert [one.project for one in first.briefs] == [shop.project("shop")]
    assert "Postgres" in first.briefs[0].fenced
    known = {one.project: one.stamp for one in first.briefs}
    again = shop.ask(alice, "list_briefs", known=known)
    assert (again.briefs, again.projects) == ([], [shop.project("shop")])
    shop.tell(
        "shop", "s-2", ["P: We switched the database from Postgres to MySQL."], start=START.replace(month=5)
    )
    changed = shop.ask(alice, "list_briefs", known=known)
    assert "MySQL" in changed.briefs[0].fenced
    assert changed.briefs[0].brief != first.briefs[0].brief


def test_a_change_that_was_swept_meanwhile_is_seen_all_the_same(shop, alice):
    known = {one.project: one.stamp for one in shop.ask(alice, "list_briefs").briefs}
    shop.tell(
        "shop", "s-2", ["P: We switched the database from Postgres to MySQL."], start=START.replace(month=5)
    )
    with shop.database.tenant("local") as connection:
        marked(connection, "local")
        assert connection.scalar(text("SELECT count(*) FROM bundle_marks")) == 0
    changed = shop.ask(alice, "list_briefs", known=known)
    assert "MySQL" in changed.briefs[0].fenced
    again = {one.project: one.stamp for one in changed.briefs}
    assert shop.ask(alice, "list_briefs", known=again).briefs == []


def test_its_keys_are_those_the_hook_knows_the_project_by(shop, alice):
    found = shop.ask(alice, "list_briefs").briefs[0]
    assert found.keys == [
        row[0] for row in shop.rows("SELECT key FROM project_keys ORDER BY key")
    ]  # fmt: skip


def test_nobody_elses_briefs_are_listed(shop, stranger):
    assert shop.ask(stranger, "list_briefs").projects == []


def test_a_session_that_began_with_a_brief_counts_for_all_it_told(shop, alice):
    brief = shop.ask(alice, "list_briefs").briefs[0].brief
    arrive(shop, kind="session.start", event="SessionStart", body={"source": "startup", "brief": brief})
    refs = shop.rows("SELECT unnest(refs) FROM briefs")
    assert refs
    assert uses(shop, alice) == {ref.partition(":")[2]: (1, 0, 0) for (ref,) in refs}


def test_a_brief_nobody_made_counts_nothing(shop, alice):
    arrive(shop, kind="session.start", event="SessionStart", body={"source": "startup", "brief": "0" * 16})
    assert uses(shop, alice) == {}


def test_what_a_reply_names_was_cited_once_however_often_it_arrives(shop, alice):
    fact = shop.ask(alice, "list_facts").facts[0]
    said = {"kind": "reply", "event": "Stop", "turn": "t1", "id": new_id(), "call": "c1"}
    told = f"As {fact.id} says, and {fact.id} again; {new_id()} is unknown."
    arrive(shop, **said, body={"text": told})
    arrive(shop, **said, body={"text": told})
    assert uses(shop, alice) == {fact.id: (0, 0, 1)}


def test_what_is_opened_in_full_is_counted(shop, alice):
    hit = shop.ask(alice, "search_memory", query="which database do we use?", kinds=["fact"]).hits[0]
    shop.ask(alice, "open_memory", kind=hit.kind, ref=hit.ref)
    assert uses(shop, alice)[hit.ref] == (0, 1, 0)


def test_a_prompt_is_told_what_is_known_of_it_in_its_project(shop, alice):
    keys = [row[0] for row in shop.rows("SELECT key FROM project_keys")]
    said = shop.ask(alice, "prompt_context", prompt="Which database do we use?", keys=keys)
    assert "Postgres" in said.text
    assert said.text.startswith("<limbeck-memory")
    assert any(injected for injected, _, _ in uses(shop, alice).values())


def test_a_prompt_elsewhere_or_about_nothing_is_told_nothing(shop, alice, stranger):
    keys = [row[0] for row in shop.rows("SELECT key FROM project_keys")]
    assert (
        shop.ask(alice, "prompt_context", prompt="Which database do we use?", keys=["remote:x/y"]).text == ""
    )
    assert shop.ask(stranger, "prompt_context", prompt="Which database do we use?", keys=keys).text == ""
    assert shop.ask(alice, "prompt_context", prompt="???", keys=keys).text == ""
    assert shop.ask(alice, "prompt_context", prompt="", keys=keys).text == ""


def test_uses_are_of_the_whole_client(told, bob):
    with pytest.raises(NotAllowed):
        told.ask(bob, "list_uses")
