"""When a drain is wanted, and whose batch comes first."""

from __future__ import annotations

import pytest

from workers.lease import BATCH, earlier, keys, wanted


@pytest.mark.parametrize(
    ("waiting", "at_work", "more"),
    [
        (0, 0, 0),
        (0, 1, 0),
        (1, 0, 1),
        (1, 1, 0),
        (2 * BATCH, 1, 0),
        (2 * BATCH + 1, 0, 2),
        (2 * BATCH + 1, 1, 1),
        (10**6, 2, 0),
    ],
)
def test_a_backlog_calls_for_a_second_drain(waiting, at_work, more):
    assert wanted(waiting, at_work) == more


@pytest.mark.parametrize(
    ("value", "first", "before"),
    [
        (None, "5-0", False),
        (b"holder", "5-0", False),
        (b"holder 5-0", "5-1", True),
        (b"holder 5-1", "5-0", False),
        (b"holder 9-0", "10-0", True),
        (b"holder 5-10", "5-9", False),
    ],
)
def test_batches_are_ordered_by_their_first_entry(value, first, before):
    assert earlier(value, first) is before


def test_every_key_of_a_client_has_its_hash_tag():
    assert keys("acme") == ["limbeck:{acme}:lease:0", "limbeck:{acme}:lease:1"]
