"""From a mirrored session to current facts, once in effect whatever runs twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from distill.offline.distiller import OfflineDistiller
from distill.run import distil_session, prove_commit
from schema.errors import DatabaseConflict

from .conftest import Shelf, commit, day, manifest


def test_a_decision_becomes_event_summary_and_fact(shelf: Shelf) -> None:
    session = shelf.say("P: Let's go with Postgres instead of SQLite, because several workers write at once.")
    assert shelf.values() == {("database", "Postgres")}
    assert shelf.fact("Postgres").session == session
    assert shelf.rows("SELECT kind, text FROM events") == [
        ("decision", "Let's go with Postgres instead of SQLite, because several workers write at once.")
    ]
    assert len(shelf.rows("SELECT 1 FROM session_summaries")) == 1


def test_a_second_distillation_leaves_one_summary_and_no_duplicate(shelf: Shelf) -> None:
    session = shelf.say(
        "P: We use Postgres for the database.", "P: Always run ruff before you commit.", "P: todo: add paging"
    )
    first = shelf.rows("SELECT id::text FROM session_summaries")
    before = shelf.rows("SELECT version::text FROM fact_versions ORDER BY 1")
    events = shelf.rows("SELECT id::text FROM events ORDER BY 1")
    shelf.distil(session)
    assert shelf.rows("SELECT id::text FROM session_summaries") == first
    assert shelf.rows("SELECT version::text FROM fact_versions ORDER BY 1") == before
    assert shelf.rows("SELECT id::text FROM events ORDER BY 1") == events
    assert len(shelf.rows("SELECT 1 FROM drafts")) == 1


def test_late_events_are_distilled_into_the_same_rows(shelf: Shelf) -> None:
    session = shelf.say("P: Use WebSockets for live updates.")
    assert shelf.values() == {("live update", "WebSockets")}
    shelf.tell(["P: We gave up on WebSockets; the proxy closes them."], start=day(0.1), session=session)
    shelf.distil(session)
    assert shelf.values() == set()
    assert [row[0] for row in shelf.rows("SELECT kind FROM events ORDER BY at")] == ["decision", "dead_end"]
    shelf.distil(session)
    assert shelf.values() == set()


def test_what_a_session_takes_back_lets_the_old_fact_stand_again(shelf: Shelf) -> None:
    shelf.say("P: Use polling for live updates.")
    session = shelf.say("P: Use WebSockets for live updates.", start=day(1))
    assert shelf.values() == {("live update", "WebSockets")}
    shelf.tell(["P: We gave up on WebSockets; the proxy closes them."], start=day(1.1), session=session)
    shelf.distil(session)
    assert shelf.values() == {("live update", "polling")}


def test_a_later_session_supersedes_and_history_keeps_both(shelf: Shelf) -> None:
    shelf.say("P: We use Kestrel for the message bus.")
    shelf.say("P: We switched from Kestrel to Plover.", start=day(3))
    assert shelf.values() == {("message bus", "Plover")}
    assert shelf.values(as_of=day(1)) == {("message bus", "Kestrel")}
    old = shelf.fact("Kestrel")
    assert old.valid_to is not None
    assert old.superseded_by == shelf.fact("Plover").id


def test_history_as_of_a_time_holds_what_had_begun_by_then(shelf: Shelf) -> None:
    shelf.say("P: We use Kestrel for the message bus.")
    shelf.say("P: We switched from Kestrel to Plover.", start=day(3))
    shelf.say("P: We switched from Plover to Osprey.", start=day(6))
    assert [fact.value for fact in shelf.facts(history=True, as_of=day(4))] == ["Kestrel", "Plover"]
    assert [fact.value for fact in shelf.facts(history=True)] == ["Kestrel", "Plover", "Osprey"]


def test_code_moves_the_backend_from_python_to_rust(shelf: Shelf) -> None:
    shelf.say("P: The backend is written in Python.")
    python = commit(1, languages={"Python": 900}, languages_before={"Python": 800})
    prove_commit(shelf.database, shelf.client, shelf.project, python)
    assert shelf.fact("Python").standing == "code"
    rust = commit(5, languages={"Rust": 1200, "Python": 20}, languages_before={"Python": 900})
    prove_commit(shelf.database, shelf.client, shelf.project, rust)
    assert shelf.values() == {("backend", "Rust")}
    assert shelf.fact("Python").superseded_by == shelf.fact("Rust").id
    assert shelf.fact("Rust").evidence[0].commit == rust.sha


def test_a_removed_dependency_ends_and_an_unreadable_file_ends_nothing(shelf: Shelf) -> None:
    text = '[project]\nname = "x"\ndependencies = ["fastapi>=0.1", "httpx"]\n'
    prove_commit(
        shelf.database, shelf.client, shelf.project, commit(1, manifests=(manifest("pyproject.toml", text),))
    )
    assert {"fastapi", "httpx"} <= {value for _, value in shelf.values()}
    broken = commit(2, manifests=(manifest("pyproject.toml", "[project"),))
    prove_commit(shelf.database, shelf.client, shelf.project, broken)
    assert {"fastapi", "httpx"} <= {value for _, value in shelf.values()}
    less = text.replace(', "httpx"', "")
    prove_commit(
        shelf.database, shelf.client, shelf.project, commit(3, manifests=(manifest("pyproject.toml", less),))
    )
    values = {value for _, value in shelf.values()}
    assert "fastapi" in values
    assert "httpx" not in values


def test_a_weaker_word_against_code_waits_for_review(shelf: Shelf) -> None:
    prove_commit(
        shelf.database, shelf.client, shelf.project, commit(1, languages={"Python": 900}, languages_before={})
    )
    session = shelf.say("P: The backend is written in Rust.", start=day(3))
    assert shelf.values() == {("backend", "Python")}
    assert len(shelf.rows("SELECT 1 FROM fact_flags WHERE state = 'open'")) == 1
    shelf.distil(session)
    assert len(shelf.rows("SELECT 1 FROM fact_flags")) == 1


@pytest.mark.parametrize("number", range(2))
def test_parallel_workers_leave_one_current_value(shelf: Shelf, number: int) -> None:
    sessions = [
        shelf.tell([f"P: We use Tool{index} for the message bus."], start=day(index)) for index in range(6)
    ]

    def distil(session: str) -> None:
        while True:
            try:
                distil_session(shelf.database, shelf.client, session, OfflineDistiller())
            except DatabaseConflict:
                continue
            return

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(distil, [*sessions, *sessions]))
    assert shelf.values() == {("message bus", "Tool5")}
    assert len(shelf.rows("SELECT 1 FROM session_summaries")) == 6
    assert len(shelf.facts(history=True)) == 6


def test_an_empty_commit_whose_message_claims_a_change_waits_for_review(shelf: Shelf) -> None:
    shelf.say("P: We use Postgres for the database.")
    shelf.say("P: Go on.", "C: Replace Postgres with MongoDB | ", start=day(1))
    assert shelf.values() == {("database", "Postgres")}
    assert shelf.rows("SELECT reason FROM fact_flags WHERE state = 'open'") == [
        ("the new value is only inferred, the current one is said by a person",)
    ]


def test_a_flag_is_settled_once_the_proposed_value_stands(shelf: Shelf) -> None:
    python = commit(1, languages={"Python": 900}, languages_before={"Python": 800})
    prove_commit(shelf.database, shelf.client, shelf.project, python)
    shelf.say("P: The backend is written in Rust instead of Python.", start=day(3))
    assert len(shelf.rows("SELECT 1 FROM fact_flags WHERE state = 'open'")) == 1
    rust = commit(5, languages={"Rust": 1200}, languages_before={"Python": 900})
    prove_commit(shelf.database, shelf.client, shelf.project, rust)
    assert shelf.values() == {("backend", "Rust")}
    assert shelf.rows("SELECT 1 FROM fact_flags WHERE state = 'open'") == []


def test_a_flag_against_the_value_that_stands_stays_open(shelf: Shelf) -> None:
    python = commit(1, languages={"Python": 900}, languages_before={"Python": 800})
    prove_commit(shelf.database, shelf.client, shelf.project, python)
    shelf.say("P: The backend is written in Rust instead of Python.", start=day(3))
    more = commit(5, languages={"Python": 1200}, languages_before={"Python": 900})
    prove_commit(shelf.database, shelf.client, shelf.project, more)
    assert len(shelf.rows("SELECT 1 FROM fact_flags WHERE state = 'open'")) == 1
