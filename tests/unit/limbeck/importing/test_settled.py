"""An import waits for workers as long as there are any."""

from __future__ import annotations

import pytest

from limbeck.importing.settled import PATIENCE_S, POLL_S, NothingStores, until_stored


class Queue:
    """A queue that a worker empties at times; ``alive`` are the looks at which a worker shows."""

    def __init__(self, left, alive=lambda _second: True):
        self.left, self.alive, self.second = list(left), alive, 0.0

    def waiting(self):
        return self.left.pop(0) if len(self.left) > 1 else self.left[0]

    def pause(self, seconds):
        self.second += seconds

    def wait(self):
        until_stored(self.waiting, lambda: self.alive(self.second), self.pause)
        return self.second


def test_it_returns_when_all_is_stored():
    assert Queue([0]).wait() == 0
    assert Queue([3, 2, 0]).wait() == pytest.approx(2 * POLL_S)


def test_without_a_worker_it_ends_and_says_what_to_do():
    queue = Queue([7], alive=lambda _second: False)
    with pytest.raises(NothingStores, match=r"7 events wait .* `limbeck up`"):
        queue.wait()
    assert queue.second == pytest.approx(PATIENCE_S, abs=POLL_S)


def test_a_worker_that_is_slow_is_waited_for():
    slow = Queue([5] * 1000 + [0])
    assert slow.wait() > 10 * PATIENCE_S


def test_progress_counts_also_where_no_worker_shows():
    steps = [left for left in range(9, -1, -1) for _ in range(round(PATIENCE_S / POLL_S) - 1)]
    assert Queue(steps, alive=lambda _second: False).wait() > PATIENCE_S
