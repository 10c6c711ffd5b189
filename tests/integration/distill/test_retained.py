"""A session that is distilled again after retention took evidence of it loses nothing by that."""

from __future__ import annotations

import psycopg

from schema.evidence import load_session
from schema.retention import retain

from .conftest import Shelf, day

JANUARY = "2026-01-01 00:00+00", "2026-02-01 00:00+00"


def into_january(shelf: Shelf, owner_url: str) -> None:
    """Put what the mirror holds of exchanges into a month that is long over."""
    with psycopg.connect(owner_url.replace("+psycopg", ""), autocommit=True) as owner:
        owner.execute(
            "CREATE TABLE exchanges_2026_01 PARTITION OF exchanges FOR VALUES FROM ('2026-01-01 00:00+00') "
            "TO ('2026-02-01 00:00+00')"
        )
    shelf.rows("UPDATE exchanges SET received_at = '2026-01-15 12:00+00' RETURNING 1")
    shelf.rows("UPDATE sessions SET state = 'distilled' RETURNING 1")


def standing(shelf: Shelf) -> list[list[tuple[object, ...]]]:
    """Summary, events and facts."""
    return [
        shelf.rows("SELECT id, title, text, evidence FROM session_summaries"),
        shelf.rows("SELECT id, key, kind, title, text, evidence FROM events ORDER BY at, id"),
        shelf.rows("SELECT version, value, statement FROM fact_versions WHERE retired_at IS NULL ORDER BY 1"),
    ]


def test_what_it_came_to_stays_and_what_is_new_is_added(shelf: Shelf, owner_url: str) -> None:
    session = shelf.say(
        "P: Let's go with Postgres instead of SQLite, because several workers write at once.",
        "P: Always run ruff before you commit.",
    )
    into_january(shelf, owner_url)
    before = standing(shelf)
    assert all(before)
    gone = retain(owner_url, day(100))
    assert [one.rows for one in gone if one.name == "exchanges_2026_01"] == [2]
    with shelf.database.tenant(shelf.client) as connection:
        told = load_session(connection, shelf.client, session)
    assert told.exchanges == ()
    assert told.dropped_at is not None
    shelf.distil(session)
    assert standing(shelf) == before
    shelf.tell(["P: We use Plover for the message bus."], start=day(1), session=session)
    shelf.distil(session)
    summary, events, facts = standing(shelf)
    assert summary == before[0]
    assert [row for row in events if row in before[1]] == before[1]
    assert {row[1] for row in facts} >= {row[1] for row in before[2]} | {"Plover"}


def test_a_session_that_lost_nothing_is_replaced_as_ever(shelf: Shelf, owner_url: str) -> None:
    shelf.say("P: Always run ruff before you commit.")
    into_january(shelf, owner_url)
    whole = shelf.say("P: Use WebSockets for live updates.", start=day(2))
    shelf.rows("UPDATE sessions SET state = 'distilled' RETURNING 1")
    retain(owner_url, day(100))
    marked = shelf.rows("SELECT session::text, evidence_dropped_at IS NOT NULL FROM sessions")
    assert dict(marked)[whole] is False
    assert sorted(dict(marked).values()) == [False, True]
    shelf.rows(f"DELETE FROM exchanges WHERE session = '{whole}' RETURNING 1")
    shelf.distil(whole)
    assert shelf.rows(f"SELECT 1 FROM events WHERE session = '{whole}'") == []
