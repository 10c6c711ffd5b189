"""A rendering is kept for a minute, for its own client and project, and never more than a few."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from projection.okf.generation import Generation
from server.renderings import LASTS, MOST, Renderings

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def bundle(number: int) -> Generation:
    return Generation(number, NOON, "shop", {}, b"{}", True)


def test_it_is_found_for_a_minute_by_its_own_alone():
    kept = Renderings()
    kept.keep("a", "p", bundle(1), NOON)
    assert kept.find("a", "p", 1, NOON + LASTS - timedelta(seconds=1)) == bundle(1)
    for client, project, number in (("b", "p", 1), ("a", "q", 1), ("a", "p", 2)):
        assert kept.find(client, project, number, NOON) is None
    assert kept.find("a", "p", 1, NOON + LASTS) is None


def test_the_oldest_goes_where_there_are_too_many():
    kept = Renderings()
    for number in range(MOST + 1):
        kept.keep("a", "p", bundle(number), NOON)
    assert [kept.find("a", "p", number, NOON) is None for number in range(MOST + 1)] == [True] + [
        False
    ] * MOST
