"""A commit that was amended or rebased gives nothing any more; what took its place does."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import text

from distill.run import prove_commit
from recall.answer import Scope
from recall.run import index_facts, index_session
from recall.search import recall
from schema.ids import new_id
from schema.records import Commit
from workers.mirror import rewrite

from .conftest import Shelf, commit, day, manifest

POETRY = '[project]\nname = "x"\ndependencies = [{}]\n'


def amended(shelf: Shelf, old: str, new: str) -> None:
    with shelf.database.tenant(shelf.client) as connection:
        rewrite(connection, shelf.client, shelf.project, [(old, new)])


def shas(shelf: Shelf) -> list[str]:
    return [str(row[0]) for row in shelf.rows("SELECT sha FROM commits ORDER BY at")]


def stored(shelf: Shelf, one: Commit) -> Commit:
    """Write a commit that belongs to no session into the mirror and bring what it proves into the facts."""
    values: dict[str, Any] = {
        "client": shelf.client,
        "id": one.id,
        "project": shelf.project,
        "at": one.at,
        "sha": one.sha,
        "event": new_id(),
        "manifests": json.dumps([{"path": m.path, "text": m.text} for m in one.manifests]),
    }
    with shelf.database.tenant(shelf.client) as connection:
        connection.execute(
            text(
                """INSERT INTO commits (client, id, received_at, project, event_id, origin, at, sha, parents, message,
                       files, manifests, languages, languages_before)
                   VALUES (:client, :id, now(), :project, :event, 'hook', :at, :sha, '{}', 'm', '[]',
                       cast(:manifests AS jsonb), '{}', '{}')"""
            ),
            values,
        )
    prove_commit(shelf.database, shelf.client, shelf.project, one)
    return one


def test_an_amended_message_leaves_no_trace_of_the_old_wording(shelf: Shelf) -> None:
    shelf.say("P: We use Kestrel for the message bus.")
    session = shelf.say(
        "P: Go on.", "C: We use Plover for the message bus, since it is small. | plover.py", start=day(1)
    )
    index_session(shelf.database, shelf.client, session)
    assert shelf.values() == {("message bus", "Plover")}
    line = "C: We use Osprey for the message bus, since it is quick. | osprey.py"
    shelf.tell([line], start=day(1.1), session=session)
    old, new = shas(shelf)
    amended(shelf, old, new)
    shelf.distil(session)
    index_session(shelf.database, shelf.client, session)
    assert shelf.values() == {("message bus", "Osprey")}
    assert shelf.values(as_of=day(1.05)) == {("message bus", "Kestrel")}
    assert not [row for row in shelf.rows("SELECT title, text FROM events") if "Plover" in str(row)]
    scope = Scope(shelf.client, (shelf.project,))
    hits = recall(shelf.database, scope, "Which message bus do we use?", history=True, limit=20).hits
    assert hits
    assert not [hit for hit in hits if "Plover" in hit.title + hit.text]
    assert len([hit for hit in hits if hit.kind == "commit"]) == 1


def test_what_the_new_commit_proves_too_keeps_its_fact(shelf: Shelf) -> None:
    first = commit(1, manifests=(manifest("pyproject.toml", POETRY.format('"fastapi", "httpx"')),))
    stored(shelf, first)
    before = {fact.value: fact.id for fact in shelf.facts()}
    second = commit(2, manifests=(manifest("pyproject.toml", POETRY.format('"fastapi"')),))
    stored(shelf, second)
    amended(shelf, first.sha, second.sha)
    prove_commit(shelf.database, shelf.client, shelf.project, second)
    index_facts(shelf.database, shelf.client, shelf.project)
    after = {fact.value: fact for fact in shelf.facts()}
    assert "httpx" not in after
    assert after["fastapi"].id == before["fastapi"]
    assert {e.commit for fact in after.values() for e in fact.evidence} == {second.sha}


def test_nothing_is_taken_back_before_the_new_commit_has_arrived(shelf: Shelf) -> None:
    first = stored(shelf, commit(1, manifests=(manifest("pyproject.toml", POETRY.format('"fastapi"')),)))
    amended(shelf, first.sha, "f" * 40)
    prove_commit(shelf.database, shelf.client, shelf.project, commit(3))
    assert "fastapi" in {value for _, value in shelf.values()}
