"""A whole project: everything that is kept of it, in every table, and nothing of another one."""

from __future__ import annotations

import json
import uuid

import pytest
import redis

from recall.run import index_session
from schema.tables import metadata
from server.errors import Missing
from server.forget.places import LEFT, WHOLE
from server.memory import entries
from server.memory.scopes import Place
from server.principal import Principal, Right

from .conftest import CLIENT, NOW
from .test_text import fill

# Rows that ``fill`` writes beside it, which are of nobody's project.
OF_NO_PROJECT = {"quarantine", "ledger", "held_deletions", "memory_uses"}
UNWORDED = ("bundles", "item_numbers", "rewrites")


def furnish(shelf, words: str) -> uuid.UUID:
    """A project with a row in every table that names one, and in the tables of their parts."""
    remote = f"git.example/{words}"
    project = shelf.add("projects", words, remote=remote)["project"]
    rows = fill(shelf, project, uuid.uuid4(), words)
    assert rows["project_keys"]["project"] == project
    shelf.add("project_keys", words, project=project, key=f"remote:{remote}")
    for name in UNWORDED:
        shelf.add(name, words, project=project)
    with shelf.database.tenant(CLIENT, "alice") as connection:
        place = Place(CLIENT, "", f"project:{project}", str(project))
        entries.remember(connection, place, entries.Writer("alice", None), "bird", words, NOW)
    return project


def test_every_table_that_names_a_project_is_looked_after():
    named = {name for name, table in metadata.tables.items() if "project" in table.c}
    by_unit = {"search_files", "search_vectors", "search_postings", "search_stats", "search_units"}
    assert named - set(WHOLE) == by_unit | {"model_calls"}
    assert by_unit - {"search_units"} | {"model_calls"} < LEFT


def test_all_of_it_goes_and_nothing_of_another(shelf):
    heron, ibis = furnish(shelf, "heron"), furnish(shelf, "ibis")
    payload = json.dumps({"project": {"remote": "git.example/heron"}, "text": "heron"})
    entry = shelf.add("ledger", "plain", disposition="quarantined", mirror=None)["entry"]
    shelf.add("quarantine", "plain", payload=payload, state="held", entry=entry)
    before = len(shelf.holding("ibis"))
    done = shelf.confirmed(project=str(heron))
    assert done.removed["items"] == done.removed["projects"] == done.removed["document_versions"] == 1
    assert done.reworded == {}
    assert {row.split(":")[0] for row in shelf.holding("heron")} <= OF_NO_PROJECT
    assert not [row for row in shelf.holding("git.example/heron") if not row.startswith("ledger")]
    assert {row.split(":")[0] for row in shelf.holding(str(heron))} <= {
        "search_stats"
    }  # sums that are folded later
    assert len(shelf.holding("ibis")) == before
    assert any("leave it out" in line for line in done.not_reached)
    with pytest.raises(Missing):
        shelf.run(project=str(heron))
    assert shelf.run(project=str(ibis)).total > 20


def test_what_was_found_of_it_is_found_no_more(shelf):
    project = shelf.add("projects", "heron")["project"]
    session = shelf.add("sessions", "heron", project=project, state="ended")["session"]
    shelf.add("session_summaries", "heron", project=project, session=session)
    index_session(shelf.database, CLIENT, str(session))
    assert [row for row in shelf.holding("heron") if row.startswith("search_units")]
    shelf.confirmed(project=str(project))
    assert shelf.rows()["search_units"] == 0


def test_events_that_wait_in_the_queue_go_too(shelf):
    heron = furnish(shelf, "heron")
    queue = redis.Redis.from_url(shelf.options["queue_url"])
    for name in ("heron", "ibis"):
        event = {
            "agent": "claude",
            "session": "s",
            "project": {"remote": f"git.example/{name}"},
            "at": NOW.isoformat(),
        }
        queue.xadd(f"limbeck:{{{CLIENT}}}:events", {"e": json.dumps(event)})
    assert shelf.confirmed(project=str(heron)).queue == 1
    left = [fields for _, fields in queue.xrange(f"limbeck:{{{CLIENT}}}:events")]
    queue.close()
    assert len(left) == 1
    assert b"ibis" in next(iter(left[0].values()))


def test_who_is_held_to_a_project_reaches_no_other(shelf):
    heron, ibis = furnish(shelf, "heron"), furnish(shelf, "ibis")
    shelf.principal = Principal(CLIENT, "walter", None, (str(heron),), Right.ADMIN)
    with pytest.raises(Missing):
        shelf.run(project=str(ibis))
    assert shelf.run(project=str(heron)).total > 20
