"""The quarantine in bulk: listed in bounds, retried all at once, each event known by its own id; what was forgotten."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from schema.scope import Scope
from schema.trace import trace
from workers import drain as draining
from workers.quarantine import oldest
from workers.retry import retry_all

from .build import encoded, envelope, prompt, tool


@pytest.fixture
def held(bench, monkeypatch):
    """Three good events in quarantine and, after them, one that is none, its payload lost."""
    made = [prompt(f"number {number}", number) for number in range(3)]
    with monkeypatch.context() as patch:
        patch.setattr(draining, "ATTEMPTS", 0)
        for one in [*made, b"{"]:
            bench.push(one)
            bench.drain()
    bench.rows(
        "UPDATE quarantine SET payload = NULL WHERE entry = (SELECT max(entry) FROM quarantine) RETURNING 1"
    )
    return made


def test_the_oldest_come_first_and_what_is_left_out_is_counted(bench, held):
    with bench.database.tenant(bench.stream.client) as connection:
        rows, more = oldest(connection, bench.stream.client, limit=2)
        assert [row["event_id"] for row in rows] == [one["id"] for one in held[:2]]
        assert more == 2
        rows, more = oldest(connection, bench.stream.client, limit=9)
    assert (len(rows), more, rows[-1]["event_id"]) == (4, 0, None)


def test_a_captured_event_is_known_also_where_only_its_ledger_line_tells(bench, held):
    told = bench.rows("SELECT event_id::text FROM ledger WHERE disposition = 'quarantined' ORDER BY entry")
    assert [row["event_id"] for row in told] == [*(one["id"] for one in held), None]


def test_all_are_retried_each_by_itself(bench, held):
    came_to = retry_all(bench.database, bench.stream.client)
    assert came_to == Counter({"stored": 3, "held": 1})
    assert bench.sums() == {"stored": 3, "quarantined": 1}
    assert retry_all(bench.database, bench.stream.client) == Counter({"held": 1})


def test_what_was_forgotten_is_told_as_such_and_the_sums_hold(bench):
    bench.push(prompt("forget me", 0), tool(1), tool(2))
    bench.drain()
    before = bench.sums()
    (row,) = bench.rows("SELECT id::text FROM observations")
    at = datetime(2026, 11, 3, tzinfo=UTC)
    bench.rows("UPDATE ledger SET forgotten_at = :at WHERE mirror = :row RETURNING 1", at=at, row=row["id"])
    bench.rows("DELETE FROM observations RETURNING 1")
    bench.rows(
        """
        INSERT INTO events (client, id, project, key, kind, title, text, at, evidence)
        SELECT :client, gen_random_uuid(), project, 'k', 'decision', 'Kept', 'Kept', now(), jsonb_build_array(
            jsonb_build_object('kind', 'observation', 'id', cast(:row AS text), 'at', now())) FROM sessions RETURNING 1
        """,
        client=bench.stream.client, row=row["id"],
    )  # fmt: skip
    (event,) = bench.rows("SELECT id::text FROM events")
    with bench.database.tenant(bench.stream.client) as connection:
        (node,) = trace(connection, Scope(bench.stream.client), event["id"]).because
    assert (node.forgotten_at, node.dropped_at, node.text) == (at, None, "")
    assert bench.sums() == before


def test_an_entry_whose_id_is_no_id_is_held_without_one(bench):
    bench.push(*encoded(envelope("tool") | {"id": "nonsense"}), b'{"v": 1, "id": ["x"]}', b"[" * 5000)
    bench.drain()
    assert [row["event_id"] for row in bench.rows("SELECT event_id FROM quarantine")] == [None] * 3
