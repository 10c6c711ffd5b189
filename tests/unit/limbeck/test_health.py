"""Health: the sum, and when something stands still."""

from __future__ import annotations

import pytest

from limbeck.services.health import Counts, Health, problems
from limbeck.services.waiting import events

WORKING = {"worker@a": 3.0}
SCHEDULED = {"schedule-1@a": 3.0}


def test_all_is_well_where_nothing_waits_and_a_worker_beats():
    assert problems(Health("c", workers=WORKING, schedules=SCHEDULED)) == []


def test_fresh_work_is_no_problem():
    health = Health(
        "c", oldest_pending=5, oldest_spooled=5, oldest_undistilled=60, workers=WORKING, schedules=SCHEDULED
    )
    assert problems(health) == []


@pytest.mark.parametrize(
    ("ages", "says"),
    [
        ({"oldest_pending": 61.0}, "event has waited 61 s"),
        ({"oldest_spooled": 61.0}, "spool has waited 61 s"),
        ({"oldest_undistilled": 901.0}, "session has waited 901 s"),
    ],
)
def test_what_waits_too_long_stands_still(ages, says):
    (problem,) = problems(Health("c", workers=WORKING, schedules=SCHEDULED, **ages))
    assert says in problem


@pytest.mark.parametrize("workers", [{}, {"worker@a": 31.0}])
def test_without_a_live_worker_the_queue_stands_still(workers):
    (problem,) = problems(Health("c", workers=workers, schedules=SCHEDULED))
    assert "No worker" in problem


@pytest.mark.parametrize("schedules", [{}, {"schedule-1@a": 31.0}])
def test_without_a_live_schedule_nothing_periodic_happens(schedules):
    (problem,) = problems(Health("c", workers=WORKING, schedules=schedules))
    assert "No schedule gives a sign of life" in problem


def test_every_received_event_is_stored_merged_redelivered_quarantined_or_pending():
    assert Counts(received=10, stored=4, merged=3, redelivered=1, quarantined=1, pending=1).agree
    assert not Counts(received=11, stored=4, merged=3, redelivered=1, quarantined=1, pending=1).agree


def test_the_spool_is_counted_by_its_lines(tmp_path):
    (tmp_path / "current.jsonl").write_bytes(b'\n{"v":1}\n\n{"v":1}\n')
    (tmp_path / "sealed-1.jsonl").write_bytes(b'\n{"v":1}\n')
    (tmp_path / "errands").mkdir()
    (tmp_path / "errands" / "1.json").write_bytes(b"{}")
    assert events(tmp_path) == 4


def test_an_empty_spool_waits_for_nothing(tmp_path):
    (tmp_path / "current.jsonl").write_bytes(b"")
    assert events(tmp_path) == events(tmp_path / "no") == 0
