"""The numbers of status, spend and quarantine."""

from __future__ import annotations

from datetime import timedelta

from distill.spend import Caps, Ceiling, Usage
from distill.store.spend import Ledger
from workers.ingest import ingest
from workers.quarantine import Rejected

from .conftest import NOW


def test_status_counts_every_event(told, alice, bob):
    told.options.update(daily_usd=1.0, session_usd=0.25)
    state = told.ask(alice, "status")
    assert state.counts.stored == told.rows("SELECT count(*) FROM ledger WHERE disposition = 'stored'")[0][0]
    assert state.counts.received is None
    assert state.undistilled == 0
    assert state.spend.cap_usd == 1.0
    told.options["measure"] = lambda client: {"problems": [f"{client} stands still"], "agree": True}
    assert told.ask(alice, "status").problems == ["local stands still"]
    assert told.ask(alice, "health").status == "degraded"
    del told.options["measure"]
    assert told.ask(alice, "health").status == "ok"
    assert told.ask(alice, "health").counts == state.counts
    assert told.ask(bob, "health").counts is None


def test_spend_by_day_and_session(told, alice):
    session = told.ask(alice, "get_session", id="s-1").session
    ledger = Ledger(told.database, Caps(), clock=lambda: NOW)
    taken = ledger.reserve("local", session.project_id, session.id, "claude-haiku-4-5", Ceiling(5_000, 1_000))
    ledger.settle(taken, Usage(input=1_000, output=100), "end_turn")
    cost = ledger.reserve("local", session.project_id, session.id, "claude-haiku-4-5", Ceiling(9_000, 1_000))
    spent = told.ask(alice, "spend")
    assert [(day.calls, day.input, day.output) for day in spent.days] == [(2, 1_000, 100)]
    assert spent.days[0].usd == 0.0015
    assert spent.days[0].reserved_usd == cost.ceiling.microusd / 1_000_000
    assert spent.today.today_usd == 0.0105
    assert [(one.session, one.project) for one in spent.sessions] == [(session.id, "shop")]


def test_quarantine_in_pages_without_content(told, alice):
    for number in range(3):
        with told.database.tenant("local") as connection:
            kept = Rejected(f"q-{number}", f"no field {number}", 1, '{"secret": 1}')
            ingest(connection, "local", [], [kept], now=NOW + timedelta(seconds=number))
    page = told.ask(alice, "list_quarantine", limit=2)
    rest = told.ask(alice, "list_quarantine", limit=2, cursor=page.next_cursor)
    assert [one.reason for one in (*page.events, *rest.events)] == ["no field 2", "no field 1", "no field 0"]
    assert rest.next_cursor is None
    assert "secret" not in page.model_dump_json()
