"""The long form, by `make test-faults`: three seeds, at least 40 kills each, 10,000 events, one poison event."""

from __future__ import annotations

import json
import os
import sys

import pytest

from tests.faults.course import run

SEEDS = [int(seed) for seed in os.environ.get("FAULTS_SEEDS", "1 2 3").split()]
EVENTS = 10_000
FAULTS = {
    "hook": 6,
    "task process": 8,
    "worker": 6,
    "redis": 6,
    "postgres": 6,
    "everything": 5,
    "stall": 6,
    "stop and start": 5,
}


@pytest.mark.timeout(int(os.environ.get("FAULTS_SECONDS", "900")))
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_accepted_is_lost(seed, tmp_path):
    def tell(line):
        sys.__stderr__.write(f"seed {seed}, {line}\n")

    found = run(tmp_path, seed, FAULTS, EVENTS, poison=True, tell=tell)
    tell(json.dumps(found, default=str))
    kills = sum(count for kind, count in found["faults"].items() if kind not in ("stall", "stop and start"))
    assert kills >= 40
    assert all(found["faults"][kind] >= 5 for kind in FAULTS)
