"""What a person writes down in a message or a note is distilled like what a person says, once."""

from __future__ import annotations

from types import SimpleNamespace

from sqlalchemy import text

from capture.ids import new_id
from recall.answer import Scope
from recall.search import recall
from workers import index, told

from .build import envelope


def note(bench, words: str) -> tuple[str, str]:
    """Store a note in a project of its own; return the project and the note's id."""
    project, own = new_id(), new_id()
    with bench.database.tenant(bench.stream.client) as connection:
        values = {"client": bench.stream.client, "project": project, "id": own, "words": words}
        connection.execute(
            text("INSERT INTO projects (client, project, name) VALUES (:client, :project, 'shop')"), values
        )
        connection.execute(
            text("""INSERT INTO messages (client, id, received_at, project, event_id, origin, at, kind, title, text)
                    VALUES (:client, :id, now(), :project, :id, 'api', now(), 'note', '', :words)"""),
            values,
        )
    return project, own


def runtime(bench) -> SimpleNamespace:
    return SimpleNamespace(database=bench.database, embedder=None)


EVENTS = "SELECT kind, title, origin, evidence FROM events"
FACTS = "SELECT statement, standing, evidence FROM fact_versions WHERE retired_at IS NULL"


def test_a_note_gives_an_event_and_a_fact_with_the_note_as_evidence(bench):
    words = "Decision: invoices are numbered per year because the auditors asked"
    project, own = note(bench, words)
    assert told.messages(runtime(bench), bench.stream.client, project) == 1
    index.messages(runtime(bench), bench.stream.client, project)
    (event,), (fact,) = bench.rows(EVENTS), bench.rows(FACTS)
    assert (event["kind"], event["title"]) == (
        "decision",
        "invoices are numbered per year because the auditors asked",
    )
    assert [(e["kind"], e["id"]) for e in event["evidence"]] == [("note", own)]
    assert fact["standing"] == "person"
    assert fact["statement"] == "Invoices are numbered per year, because the auditors asked."
    assert [(e["kind"], e["id"]) for e in fact["evidence"]] == [("note", own)]
    found = recall(
        bench.database, Scope(bench.stream.client, (project,)), "why are invoices numbered per year"
    )
    assert {"event", "fact", "message"} <= {hit.kind for hit in found.hits}
    assert found.hits[0].kind in {"event", "fact"}


def test_what_an_older_version_made_findable_alone_is_distilled_by_the_sweep(bench):
    project, _ = note(bench, "Decision: invoices are numbered per year because the auditors asked")
    client = bench.stream.client
    index.messages(runtime(bench), client, project)
    assert bench.rows(EVENTS) == []
    with bench.database.tenant(client) as connection:
        assert index.unindexed(connection, client) == [project]
    assert told.messages(runtime(bench), client, project) == 1
    assert len(bench.rows(EVENTS)) == 1
    with bench.database.tenant(client) as connection:
        assert index.unindexed(connection, client) == []


def test_a_crash_before_it_is_marked_is_made_good_without_a_double(bench):
    project, _ = note(bench, "Convention: amounts are kept in cents. We use Redis for the cache.")
    first = told.messages(runtime(bench), bench.stream.client, project)
    before = bench.rows(EVENTS), bench.rows(FACTS)
    assert told.messages(runtime(bench), bench.stream.client, project) == 0
    bench.rows("UPDATE messages SET told_at = NULL RETURNING 1")
    assert told.messages(runtime(bench), bench.stream.client, project) == first
    assert (bench.rows(EVENTS), bench.rows(FACTS)) == before
    index.messages(runtime(bench), bench.stream.client, project)
    assert told.messages(runtime(bench), bench.stream.client, project) == 0


def test_talk_gives_nothing(bench):
    project, _ = note(bench, "Should we use Redis? Lunch was late.")
    assert told.messages(runtime(bench), bench.stream.client, project) == 0
    assert bench.rows(EVENTS) == bench.rows(FACTS) == []


def test_a_stored_note_is_work_for_the_worker(bench):
    project = {"root": "/home/me/shop", "common": "/home/me/shop/.git"}
    bench.push(
        envelope("message", 1, event="note", project=project, body={"text": "Decision: we use Flask."})
    )
    bench.drain()
    assert [task for task, _ in bench.then] == ["message.index"]
