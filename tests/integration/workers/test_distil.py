"""A session and the distiller: counted, tried again, never lost from sight."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from schema.errors import LimbeckError
from schema.records import Distillate
from workers import distil, sessions

from .build import envelope, prompt


class Away(LimbeckError):
    """The model is away."""

    permanent = False


class Scripted:
    """A distiller that does what it is told, one call after another."""

    name = "scripted"

    def __init__(self, *script) -> None:
        self.script, self.calls = list(script), 0

    def distil(self, evidence) -> Distillate:
        self.calls += 1
        step = self.script.pop(0) if self.script else None
        if isinstance(step, BaseException):
            raise step
        return Distillate(title="t", summary=f"{len(evidence.exchanges)} exchanges")


@pytest.fixture
def ended(bench):
    """One ended session; returns its id."""
    bench.push(prompt("do it", 0), envelope("session.end", 5, body={"reason": "other"}))
    bench.drain()
    return bench.due[0]


def run(bench, distiller, session) -> bool:
    return distil.session(
        SimpleNamespace(database=bench.database, distiller=distiller), bench.stream.client, session
    )


def turn(bench) -> list[str]:
    """The sessions whose turn it is."""
    with bench.database.tenant(bench.stream.client) as connection:
        return sessions.undistilled(connection, bench.stream.client, 10, distil.ATTEMPTS)


def wait_over(bench) -> None:
    with bench.database.tenant(bench.stream.client) as connection:
        connection.execute(text("UPDATE sessions SET distil_after = now() WHERE distil_after IS NOT NULL"))


def test_it_is_distilled_once_and_a_second_task_does_nothing(bench, ended):
    distiller = Scripted()
    assert run(bench, distiller, ended)
    assert not run(bench, distiller, ended)
    assert distiller.calls == 1
    assert bench.rows("SELECT state, distil_attempts FROM sessions") == [
        {"state": "distilled", "distil_attempts": 0}
    ]
    assert bench.rows("SELECT text FROM session_summaries") == [{"text": "1 exchanges"}]


def test_what_came_meanwhile_is_distilled_again_into_the_same_summary(bench, ended):
    class Slow(Scripted):
        def distil(self, evidence) -> Distillate:
            if self.calls == 0:
                bench.push(prompt("one more thing", 2))
                bench.drain()
            return super().distil(evidence)

    distiller = Slow()
    run(bench, distiller, ended)
    assert bench.rows("SELECT state FROM sessions") == [{"state": "ended"}]
    before = bench.rows("SELECT id FROM session_summaries")
    assert run(bench, distiller, ended)
    assert bench.rows("SELECT id FROM session_summaries") == before
    assert bench.rows("SELECT text FROM session_summaries") == [{"text": "2 exchanges"}]


def test_a_model_that_is_away_is_asked_again_and_ever_more_rarely(bench, ended):
    waits = []
    for _ in range(distil.ATTEMPTS + 3):
        assert not run(bench, Scripted(Away()), ended)
        assert turn(bench) == []
        (row,) = bench.rows("SELECT distil_after - now() AS wait, distil_error FROM sessions")
        assert row["distil_error"] == "The model is away."
        waits.append(round(row["wait"].total_seconds()))
        wait_over(bench)
        assert turn(bench) == [ended]
    longest = distil.FIRST_WAIT_S * 2 ** (distil.ATTEMPTS - 1)
    near = longest * 0.6  # a slow machine has used up a part of a wait before it is read
    assert all(later > earlier or later > near for earlier, later in pairwise(waits))
    assert waits[1] > waits[0]
    assert run(bench, Scripted(), ended)
    assert bench.rows("SELECT state, distil_error FROM sessions") == [
        {"state": "distilled", "distil_error": None}
    ]


@pytest.mark.parametrize("failure", [ValueError("x"), LimbeckError("for good")])
def test_what_fails_for_good_is_tried_five_times_and_stays_in_sight(bench, ended, failure):
    distiller = Scripted(*[failure] * 20)
    for _ in range(10):
        run(bench, distiller, ended)
        wait_over(bench)
    assert distiller.calls == distil.ATTEMPTS
    assert turn(bench) == []
    (row,) = bench.rows("SELECT state, distil_error FROM sessions")
    assert row["state"] == "ended"
    assert row["distil_error"]


def test_a_crash_counts_as_an_attempt(bench, ended):
    class Died(BaseException):
        """Stands for kill -9."""

    distiller = Scripted(*[Died() for _ in range(20)])
    for _ in range(10):
        try:
            run(bench, distiller, ended)
        except Died:
            continue
    assert distiller.calls == distil.ATTEMPTS
    bench.push(prompt("more", 3))
    bench.drain()
    assert run(bench, Scripted(), ended)


def test_one_at_a_time(bench, ended):
    with bench.database.alone(bench.stream.client, f"distil {ended}") as taken:
        assert taken
        assert not run(bench, Scripted(), ended)


def test_silence_ends_a_session_and_the_sweep_finds_it(bench):
    bench.push(prompt("hello", 0))
    bench.drain()
    later = datetime.now(UTC) + timedelta(minutes=31)
    client = bench.stream.client
    with bench.database.tenant(client) as connection:
        assert sessions.time_out(connection, client, later, timedelta(hours=1)) == []
        ended = sessions.time_out(connection, client, later, timedelta(minutes=30))
    assert ended == turn(bench)
    assert bench.rows("SELECT end_reason FROM sessions") == [{"end_reason": "timeout"}]


def test_the_log_of_a_failure_repeats_nothing_that_was_stored(bench, ended, caplog):
    assert not run(bench, Scripted(RuntimeError("DETAIL: Failing row contains (zanzibar)")), ended)
    assert "zanzibar" not in caplog.text
    assert f"distilling session {ended} failed: RuntimeError" in caplog.text
