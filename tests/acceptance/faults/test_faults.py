"""The short form of `make test-faults`: one of each kind of fault, a few hundred events, nothing lost."""

from __future__ import annotations

from tests.faults.course import run

FAULTS = {"hook": 2, "task process": 2, "worker": 1, "redis": 1, "postgres": 1, "everything": 1, "stall": 1}


def test_nothing_accepted_is_lost_whatever_is_killed(tmp_path):
    found = run(tmp_path, 7, FAULTS, 600)
    assert found["accepted"] > 500
    assert found["lost"] == 0
