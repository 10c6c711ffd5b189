"""Classification over the mirror: read once, made once, offline and with a model under the cap."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta

import pytest

from backlog.classify.model import ModelClassifier
from backlog.classify.offline import OfflineClassifier
from backlog.classify.run import classify, waiting
from distill.anthropic.caller import Caller, connect
from distill.spend import Caps
from distill.store.spend import Ledger
from projection.documents import store
from projection.documents.formats import from_text
from schema import passages
from schema.drafts import drafts
from schema.ids import new_id
from schema.model import ModelUnavailable, SpendCapReached
from tests.integration.backlog.conftest import START, sha
from tests.integration.distill.provider import Turn, provider

LINES = [
    "P: We need a CSV export of invoices. It must stream row by row.",
    "R: Done. Bug: the reply said so.",
    "P: Bug: the reset mail never arrives",
    "P: run the tests",
]


def run(board, classifier=None, **options):
    return classify(
        board.database, board.client, board.project, classifier or OfflineClassifier(), now=START, **options
    )


def listed(board, *states):
    with board.database.tenant(board.client) as c:
        found = drafts(c, board.client, board.project, states=states or ("draft",))
    return [(d.type, d.title, [e.kind for e in d.evidence]) for d in found]


def tokens(board):
    with board.database.tenant(board.client) as c:
        return waiting(c, board.client).get(board.project, 0)


@contextmanager
def model(board, *turns, caps=None, at_cap="offline"):
    with provider(*turns) as server, connect("key", server.url, timeout=5.0) as client:
        caller = Caller(client, Ledger(board.database, caps or Caps()), pause=lambda _: None)
        yield server, ModelClassifier(caller, at_cap=at_cap)


def reply(*told):
    return Turn({"drafts": list(told)}, tool="record_backlog")


def one(kind, title, evidence="m1", ref="a", **more):
    return {"ref": ref, "type": kind, "title": title, "evidence": [evidence], **more}


def test_what_was_said_committed_and_sent_becomes_drafts_once(board):
    board.tell(LINES)
    later = START + timedelta(hours=1)
    board.commit(sha(1), "fix(mail): the reset mail never arrives", at=later)
    board.commit(sha(2), "feat: webhooks for refunds", at=later)
    board._do(
        """INSERT INTO messages (client, id, received_at, project, event_id, origin, at, kind, title, text)
           VALUES (:client, :id, now(), :project, :id, 'hook', :at, 'note', 'Weekly', :text)""",
        text="Todo: rotate the signing keys",
        id=new_id(),
        project=board.project,
        at=START,
    )
    assert tokens(board) > 0
    done = run(board)
    assert (done.read, len(done.added), done.repeated) == (6, 5, 1)
    assert sorted(listed(board)) == [
        ("BU", "Reset mail never arrives", ["exchange", "commit"]),
        ("FE", "Webhooks for refunds", ["commit"]),
        ("RE", "It must stream row by row", ["exchange"]),
        ("TA", "Rotate the signing keys", ["message"]),
        ("US", "CSV export of invoices", ["exchange"]),
    ]
    assert tokens(board) == 0
    assert run(board).read == 0


def test_it_goes_on_where_it_stopped(board):
    board.tell([f"P: Bug: screen number{n} is blank" for n in range(5)])
    assert [run(board, limit=2).more for _ in range(3)] == [True, True, False]
    assert len(listed(board)) == 5


def test_a_run_that_died_makes_nothing_twice(board):
    board.tell(LINES)
    run(board)
    board._do("UPDATE exchanges SET classified_at = NULL WHERE client = :client")
    again = run(board)
    assert (again.added, again.repeated) == ((), 3)


def test_a_model_makes_two_levels_and_points_to_what_stands(board):
    board.tell(LINES)
    board.make("US", "Mail that arrives")
    answer = reply(
        one("RE", "Rows are streamed", parent="x"),
        one("US", "Export of invoices", ref="x"),
        one("BU", "No reset mail", "m2", parent="US1001"),
        one("TA", "Rests on nothing", "m99"),
    )
    with model(board, answer) as (server, classifier):
        done = run(board, classifier)
    assert (done.by, len(done.added)) == ("anthropic claude-haiku-4-5", 3)
    with board.database.tenant(board.client) as c:
        found = {d.title: d for d in drafts(c, board.client, board.project)}
    assert found["Rows are streamed"].parent == found["Export of invoices"].id
    assert found["No reset mail"].use_case == "US1001"
    sent = server.requests[0]["messages"][0]["content"]
    assert "US1001 US Mail that arrives" in sent
    assert "the reply said so" not in sent
    assert board.rows("SELECT state, microusd > 0 FROM model_calls") == [("settled", True)]


def test_what_the_model_repeats_of_a_rejected_draft_stays_out(board):
    from backlog import drafts as decide

    board.tell(LINES[:1])
    with model(board, reply(one("FE", "Export as CSV"))) as (_, classifier):
        run(board, classifier)
    with board.database.tenant(board.client) as c:
        (draft,) = drafts(c, board.client, board.project)
        decide.reject(c, board.client, board.project, draft.id, by="ann", now=START)
    board._do("UPDATE exchanges SET classified_at = NULL WHERE client = :client")
    with model(board, reply(one("US", "Spreadsheets for everybody"))) as (_, classifier):
        assert run(board, classifier).rejected == 1
    assert listed(board) == []


def test_at_the_cap_the_rules_do_it_or_the_texts_wait(board):
    board.tell(LINES)
    poor = Caps(daily_microusd=10)
    with model(board, reply(), caps=poor, at_cap="wait") as (server, classifier):
        with pytest.raises(SpendCapReached):
            run(board, classifier)
        assert server.requests == []
    assert tokens(board) > 0
    with model(board, reply(), caps=poor) as (_, classifier):
        assert len(run(board, classifier).added) == 3


def test_a_malformed_reply_is_asked_for_once_more_and_then_done_by_the_rules(board):
    board.tell(LINES)
    broken = Turn({"drafts": [{"type": "XX"}]}, tool="record_backlog")
    with model(board, broken) as (server, classifier):
        assert len(run(board, classifier).added) == 3
        assert len(server.requests) == 2


def test_a_model_that_is_away_leaves_the_texts_unread(board):
    board.tell(LINES)
    with model(board, Turn(status=529)) as (_, classifier), pytest.raises(ModelUnavailable):
        run(board, classifier)
    assert tokens(board) > 0
    assert listed(board) == []


def test_another_run_at_the_same_time_reads_nothing(board):
    board.tell(LINES)
    with board.database.alone(board.client, f"classify {board.project}"):
        assert run(board).read == 0
    assert run(board).read == 3


def keep(board, words):
    with board.database.tenant(board.client) as c:
        made = from_text("spec.md", words)
        store.save(c, board.client, board.project, "spec.md", made, by="ann", now=START)


def test_what_is_gone_from_a_document_is_neither_counted_nor_read(board):
    keep(board, "# Old\n\nBug: the old reset mail never arrives.")
    keep(board, "# New\n\nBug: the new invoice is empty.")
    with board.database.tenant(board.client) as c:
        (passage,) = passages.current(c, board.client, board.project)
    assert tokens(board) == len(passage.text) // 4
    run(board)
    assert [title for _, title, _ in listed(board)] == ["New invoice is empty"]
    assert tokens(board) == 0
