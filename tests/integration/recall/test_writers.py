"""Several writers at once: no circle of waiting, and afterwards exactly what one writer would have left."""

from __future__ import annotations

import threading
from dataclasses import replace

from sqlalchemy import text

from recall import index, postings
from schema.errors import DatabaseConflict

from .conftest import CLIENT

WRITERS, ROUNDS, UNITS = 3, 6, 8


def test_writers_of_the_same_words(tenants, unit):
    """Each writer rewrites its own session again and again; all share the common words; a sweep folds meanwhile."""
    base = [
        [unit("orders are paid in cents", ref=f"{writer}-{n}", session=f"s{writer}") for n in range(UNITS)]
        for writer in range(WRITERS)
    ]
    failures: list[BaseException] = []
    conflicts: list[DatabaseConflict] = []

    def attempt(action) -> None:
        for _ in range(50):
            try:
                with tenants.tenant(CLIENT) as connection:
                    action(connection)
            except DatabaseConflict as error:
                conflicts.append(error)
                continue
            return
        raise AssertionError("no attempt got through")

    def write(writer: int) -> None:
        try:
            for turn in range(ROUNDS):
                told = [replace(one, text=f"{one.text} in round {'x' * (turn + 2)}") for one in base[writer]]
                attempt(lambda connection, told=told: index.put(connection, CLIENT, told))
        except BaseException as error:
            failures.append(error)

    def fold() -> None:
        try:
            for _ in range(ROUNDS):
                attempt(lambda connection: postings.fold(connection, CLIENT))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(WRITERS)]
    threads.append(threading.Thread(target=fold))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with tenants.tenant(CLIENT) as connection:
        held = connection.scalars(
            text("SELECT unnest(units) FROM search_postings WHERE lexeme = 'cent'")
        ).all()
        assert sorted(held) == connection.scalars(text("SELECT unit FROM search_units ORDER BY unit")).all()
        assert len(held) == WRITERS * UNITS
        lexemes = set(connection.scalars(text("SELECT DISTINCT lexeme FROM search_postings")))
        assert lexemes == {"order", "paid", "cent", "round", "x" * (ROUNDS + 1)}
        sums = connection.execute(
            text(
                "SELECT sum(s.units), sum(s.own), (SELECT sum(own_length) FROM search_units) FROM search_stats s"
            )
        ).one()
        assert sums[0] == WRITERS * UNITS
        assert sums[1] == sums[2]
