"""The five-minute window against a reference written from its definition."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from workers.window import Windows

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
seconds = st.integers(min_value=0, max_value=2000)


def at(second: int) -> datetime:
    return EPOCH + timedelta(seconds=second)


def place(order: list[int]) -> tuple[Windows, dict[int, int]]:
    """Feed events in ``order``; return the windows and which event index opened the row of each event."""
    windows, rows = Windows(), {}
    for index, second in enumerate(order):
        window = windows.find(at(second))
        if window is None:
            window = windows.open(at(second), str(index))
        rows[index] = int(window.observation)
    return windows, rows


def test_closed_at_the_start_and_open_at_the_end():
    _, rows = place([0, 0, 299, 300])
    assert rows == {0: 0, 1: 0, 2: 0, 3: 3}


def test_late_event_opens_a_window_that_ends_at_the_next_start():
    windows, rows = place([400, 200, 399, 400, 100])
    assert rows == {0: 0, 1: 1, 2: 1, 3: 0, 4: 4}
    spans = [((w.start - EPOCH).seconds, (w.end - EPOCH).seconds) for w in windows.held]
    assert spans == [(100, 200), (200, 400), (400, 700)]


@given(st.lists(seconds, max_size=40))
def test_in_order_input_gives_the_reference_windows(order: list[int]):
    expected, start = [], None
    for second in sorted(order):
        if start is None or second >= start + 300:
            start = second
            expected.append(second)
    windows, _ = place(sorted(order))
    assert [(w.start - EPOCH).seconds for w in windows.held] == expected


@given(st.lists(seconds, max_size=40))
def test_windows_never_overlap_and_every_event_has_one_row_in_any_order(order: list[int]):
    windows, rows = place(order)
    held = windows.held
    assert all(earlier.end <= later.start for earlier, later in pairwise(held))
    assert all(window.start < window.end <= window.start + timedelta(seconds=300) for window in held)
    assert len(rows) == len(order)
    for index, row in rows.items():
        window = next(w for w in held if w.observation == str(row))
        assert window.start <= at(order[index]) < window.end
