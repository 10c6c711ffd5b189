"""Putting, replacing and taking out: nothing of a unit is left behind, nothing is written twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import text

from recall import index, keyword, postings

from .conftest import CLIENT

TABLES = ("search_units", "search_postings", "search_files", "search_vectors")


def counts(connection) -> dict[str, int]:
    return {table: connection.scalar(text(f"SELECT count(*) FROM {table}")) for table in TABLES}


def totals(connection) -> tuple[int, int, int]:
    row = connection.execute(
        text(
            "SELECT coalesce(sum(units), 0), coalesce(sum(own), 0), coalesce(sum(whole), 0) FROM search_stats"
        )
    ).one()
    return tuple(int(value) for value in row)


def search(connection, projects, limit=10, **words):
    corpus, _ = keyword.corpora(connection, CLIENT, words=words, projects=projects, kinds=["turn"])
    return keyword.search(connection, CLIENT, corpus, limit=limit)


def found(connection, project, word) -> set[int]:
    return set(search(connection, [project], **{word: 1.0}))


def test_put_twice_writes_once(tenants, unit):
    units = [unit("Postgres holds the orders", ref="a"), unit("Redis holds the carts", ref="b")]
    with tenants.tenant(CLIENT) as connection:
        assert index.put(connection, CLIENT, units) == 2
        before = counts(connection), totals(connection)
        assert index.put(connection, CLIENT, units) == 0
        assert (counts(connection), totals(connection)) == before


def test_a_changed_text_replaces_the_old_words(tenants, unit, project):
    old = unit("Postgres holds the orders", ref="a", context="a neighbour speaks of invoices")
    with tenants.tenant(CLIENT) as connection:
        index.put(connection, CLIENT, [old, unit("nothing here", ref="b")])
        index.put(connection, CLIENT, [replace(old, text="SQLite holds the orders")])
        assert found(connection, project, "sqlite")
        assert not found(connection, project, "postgres")
        assert found(connection, project, "invoices")


def test_a_changed_standing_keeps_the_postings(tenants, unit):
    fact = unit("The backend is Python", kind="fact", ref="a")
    with tenants.tenant(CLIENT) as connection:
        index.put(connection, CLIENT, [fact])
        blocks = connection.scalars(text("SELECT block FROM search_postings ORDER BY block")).all()
        assert index.put(connection, CLIENT, [replace(fact, current=False, valid_to=fact.at)]) == 0
        assert connection.scalars(text("SELECT block FROM search_postings ORDER BY block")).all() == blocks
        assert connection.scalar(text("SELECT current FROM search_units")) is False


def test_remove_leaves_nothing(tenants, unit):
    units = [unit("Postgres holds the orders", ref=str(n), files=("src/orders.py",)) for n in range(3)]
    with tenants.tenant(CLIENT) as connection:
        index.put(connection, CLIENT, units)
        assert index.remove(connection, CLIENT, "turn", ["0", "1", "2", "never"]) == 3
        assert set(counts(connection).values()) == {0}
        assert totals(connection) == (0, 0, 0)


@pytest.mark.parametrize("removed", [[], ["3", "7"]])
def test_folding_changes_no_score(tenants, unit, project, removed):
    with tenants.tenant(CLIENT) as connection:
        for n in range(20):
            index.put(connection, CLIENT, [unit("orders are paid " * (n + 1), ref=str(n))])
        index.remove(connection, CLIENT, "turn", removed)
        before = search(connection, [project], limit=50, orders=1.0, paid=1.0)
        assert postings.fold(connection, CLIENT) == 2
        after = search(connection, [project], limit=50, orders=1.0, paid=1.0)
        assert len(before) == 20 - len(removed)
        assert after == before
        assert connection.scalar(text("SELECT count(*) FROM search_postings")) == 2


def test_text_that_postgres_cannot_hold_is_made_holdable(tenants, unit, project):
    with tenants.tenant(CLIENT) as connection:
        index.put(connection, CLIENT, [unit("before\x00after \ud800 orders", ref="a")])
        assert found(connection, project, "orders")


def test_a_stranger_sees_and_removes_nothing(tenants, unit, project):
    with tenants.tenant(CLIENT) as connection:
        index.put(connection, CLIENT, [unit("Postgres holds the orders", ref="a")])
    with tenants.tenant("stranger") as connection:
        assert set(counts(connection).values()) == {0}
        assert index.remove(connection, "stranger", "turn", ["a"]) == 0
        assert search(connection, None, postgres=1.0) == {}
    with tenants.tenant(CLIENT) as connection:
        assert found(connection, project, "postgres")
