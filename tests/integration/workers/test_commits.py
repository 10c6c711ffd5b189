"""Commits are found and their messages read although no session made them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from sqlalchemy import text

from capture.ids import new_id
from recall import again
from recall.answer import Scope
from recall.run import index_facts
from recall.search import recall
from workers import commits, distil, index, links

from .build import envelope, prompt

MESSAGE = (
    "Move the collector\n\nDecision: raw hits are deleted after 90 days because of the privacy policy.\n"
    "The collector listens on port 9100."
)
OLD, NEW = "a1" * 20, "b2" * 20


class Letters:
    """Vectors by the letters of a text."""

    model, dimension = "letters", 26

    def embed(self, texts):
        counted = [[float(one.lower().count(chr(97 + n))) + 0.01 for n in range(26)] for one in texts]
        return np.array([np.array(row) / np.linalg.norm(row) for row in counted], dtype=np.float32)


def runtime(bench, embedder=None) -> SimpleNamespace:
    choice = SimpleNamespace(embeddings=SimpleNamespace(provider="offline" if embedder else "off"))
    return SimpleNamespace(database=bench.database, embedder=embedder, settings=choice)


def commit(sha: str, message: str, second: float = 0, files=("shop/hits.py",)):
    body = {"sha": sha, "message": message, "branch": "main", "files": [{"path": p} for p in files]}
    return envelope("commit", second, agent="git", session=None, body=body)


def store(bench, *envelopes) -> str:
    bench.push(*envelopes)
    bench.drain()
    return str(bench.rows("SELECT project FROM commits LIMIT 1")[0]["project"])


def read(bench, project: str, embedder=None) -> None:
    while commits.read(runtime(bench, embedder), bench.stream.client, project):
        pass


def found(bench, project: str, question: str, kinds=None, embedder=None):
    scope = Scope(bench.stream.client, (project,))
    return recall(bench.database, scope, question, kinds=kinds, embedder=embedder).hits


FACTS = """SELECT statement, standing, evidence FROM fact_versions
           WHERE retired_at IS NULL AND valid_to IS DISTINCT FROM valid_from ORDER BY statement DESC"""
EVENTS = "SELECT kind, title, session, evidence, files FROM events"


@pytest.mark.parametrize("question", ["privacy policy", "a1a1a1a", OLD, "what was done on main?"])
def test_a_commit_without_a_session_is_found_by_words_and_hash(bench, question):
    project = store(bench, commit(OLD, MESSAGE))
    assert ("commit.read", project) in bench.then
    read(bench, project)
    (hit,) = found(bench, project, question, ["commit"])
    assert (hit.title, hit.evidence[0].commit) == ("Move the collector", OLD)


def test_its_message_gives_an_event_and_a_fact_with_the_commit_as_evidence(bench):
    project = store(bench, commit(OLD, MESSAGE))
    read(bench, project)
    (event,), facts = bench.rows(EVENTS), bench.rows(FACTS)
    assert (event["kind"], event["session"], event["files"]) == ("decision", None, ["shop/hits.py"])
    assert [(e["kind"], e["commit"]) for e in event["evidence"]] == [("commit", OLD)]
    assert [[(e["kind"], e["commit"]) for e in fact["evidence"]] for fact in facts] == [[("commit", OLD)]] * 2
    assert [fact["standing"] for fact in facts] == ["person", "person"]
    assert sorted(n for n in ("9100", "90 days") if any(n in fact["statement"] for fact in facts)) == [
        "90 days",
        "9100",
    ]
    kinds = {hit.kind for hit in found(bench, project, "after how long are raw hits deleted, on which port?")}
    assert {"fact", "event", "commit"} <= kinds


def test_its_files_are_proof_at_the_same_time(bench):
    told = commit(OLD, "Talk to the database")
    manifest = {"path": "requirements.txt", "text": "psycopg==3.2"}
    told["body"] |= {"files": [{"path": "requirements.txt"}], "manifests": [manifest]}
    project = store(bench, told)
    read(bench, project)
    assert "code" in {fact["standing"] for fact in bench.rows(FACTS)}
    assert bench.rows("SELECT 1 FROM commits WHERE proved_at IS NULL OR read_at IS NULL") == []
    assert found(bench, project, "psycopg", ["fact"])


def test_a_message_that_nothing_bears_out_is_an_inference(bench):
    project = store(bench, commit(OLD, MESSAGE, files=()))
    read(bench, project)
    assert [fact["standing"] for fact in bench.rows(FACTS)] == ["model", "model"]


def test_a_second_reading_and_a_crash_before_the_mark_change_nothing(bench):
    project = store(bench, commit(OLD, MESSAGE))
    read(bench, project)
    before = (
        bench.rows(EVENTS),
        bench.rows(FACTS),
        bench.rows("SELECT unit, kind FROM search_units ORDER BY 1"),
    )
    bench.rows("UPDATE commits SET read_at = NULL RETURNING 1")  # as an older version left it
    with bench.database.tenant(bench.stream.client) as connection:
        assert commits.unread(connection, bench.stream.client) == [project]
    read(bench, project)
    after = (
        bench.rows(EVENTS),
        bench.rows(FACTS),
        bench.rows("SELECT unit, kind FROM search_units ORDER BY 1"),
    )
    assert after == before
    with bench.database.tenant(bench.stream.client) as connection:
        assert commits.unread(connection, bench.stream.client) == []


def test_a_sessions_commit_is_found_at_once_and_read_with_its_session(bench):
    project = store(bench, prompt("delete old hits", 0), commit(OLD, MESSAGE, 1))
    read(bench, project)
    (hit,) = found(bench, project, "privacy policy", ["commit"])
    assert hit.session is not None
    assert bench.rows(EVENTS) == bench.rows(FACTS) == []


def amend(second: float):
    body = {"how": "amend", "pairs": [[OLD, NEW]]}
    return envelope("rewrite", second, agent="git", session=None, body=body)


@pytest.mark.parametrize("seen", ["before the new one", "after it", "not until both are there"])
def test_an_amended_commit_takes_the_place_of_the_old_one(bench, seen):
    project = store(bench, commit(OLD, MESSAGE))
    new = commit(NEW, MESSAGE.replace("9100", "9200"), 60)
    if seen != "not until both are there":
        read(bench, project)
    for one in [amend(61), new] if seen == "before the new one" else [new, amend(61)]:
        bench.then.clear()
        store(bench, one)
        assert ("commit.read", project) in bench.then
        if seen != "not until both are there":
            read(bench, project)
    read(bench, project)
    with bench.database.tenant(bench.stream.client) as connection:
        unproved = links.unproved(connection, bench.stream.client, 9)
    for identifier in unproved:  # as the sweep does
        distil.commit(runtime(bench), bench.stream.client, identifier)
    shas = [hit.evidence[0].commit for hit in found(bench, project, "privacy policy", ["commit", "event"])]
    assert set(shas) == {NEW}
    assert len(shas) == 2
    facts = bench.rows(FACTS)
    assert [fact["statement"] for fact in facts if "9100" in fact["statement"]] == []
    assert len([fact for fact in facts if "9200" in fact["statement"]]) == 1
    assert {e["commit"] for fact in facts for e in fact["evidence"]} == {NEW}
    assert len(found(bench, project, "which port does the collector listen on?", ["fact"])) == 1


def test_a_commit_of_the_same_words_keeps_the_fact_when_the_old_one_goes(bench):
    project = store(bench, commit(OLD, MESSAGE))
    read(bench, project)
    store(bench, commit(NEW, MESSAGE, 60), amend(61))
    read(bench, project)
    facts, (event,) = bench.rows(FACTS), bench.rows(EVENTS)
    assert len(facts) == 2
    assert {e["commit"] for told in (*facts, event) for e in told["evidence"]} == {NEW}


def test_a_cleaned_commit_is_found_as_it_reads_now(bench):
    client, project = bench.stream.client, store(bench, commit(OLD, "Hide the walnut\n\nFor the gate."))
    read(bench, project)
    with bench.database.tenant(client) as connection:
        connection.execute(text("UPDATE commits SET message = 'Hide the code'"))
        again.note(connection, client, again.PROJECT, [project])
    again.index_noted(bench.database, client)
    assert found(bench, project, "walnut", ["commit"]) == ()
    assert [hit.title for hit in found(bench, project, "hide the code", ["commit"])] == ["Hide the code"]


def test_many_commits_are_read_in_batches_and_embedded_apart(bench, monkeypatch):
    monkeypatch.setattr(commits, "AT_ONCE", 3)
    monkeypatch.setattr(commits, "AT_MOST", 2)
    monkeypatch.setattr(index, "EMBEDDED", 5)
    told = [commit(f"{n:040x}", f"Step {n}\n\nTouches gear {n}.", n) for n in range(8)]
    project, letters, client = store(bench, *told), Letters(), bench.stream.client
    house = runtime(bench, letters)
    assert commits.read(house, client, project)
    assert not commits.read(house, client, project)
    assert index.unembedded(house, client)
    assert index.embed(house, client)
    assert not index.embed(house, client)
    assert not index.unembedded(house, client)
    assert bench.rows("SELECT count(*) AS n FROM search_vectors") == [{"n": 8}]


def test_whoever_wrote_a_unit_the_sweep_sees_that_it_has_no_vector(bench):
    project, client, letters = new_id(), bench.stream.client, Letters()
    house = runtime(bench, letters)
    with bench.database.tenant(client) as connection:
        values = {"client": client, "project": project, "id": new_id()}
        connection.execute(
            text("INSERT INTO projects (client, project, name) VALUES (:client, :project, 'shop')"), values
        )
        connection.execute(
            text("""
                INSERT INTO fact_versions (client, fact, version, project, subject, attribute, scope, value, value_key,
                    statement, standing, cardinality, kind, valid_from, recorded_at, evidence, files)
                VALUES (:client, :id, :id, :project, 'project', 'database', '', 'Postgres', 'postgres',
                    'The database is Postgres.', 'person', 'one', 'stack', now(), now(), '[]', '{}')
            """),
            values,
        )
    index_facts(bench.database, client, project)  # as a command does that has no embedder
    assert index.unembedded(house, client)
    assert not index.unembedded(runtime(bench), client)
    index.embed(house, client)
    assert bench.rows("SELECT kind FROM search_vectors") == [{"kind": "fact"}]
    assert not index.unembedded(house, client)
