"""The five-minute window, as pure data.

The first observation of a fingerprint opens a window of 300 s of event time, closed at its start and open at its
end; identical ones inside it are merged into it. Windows of one fingerprint never overlap: an observation that
comes late, before an open window's start, opens one that ends at that start.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass, field
from datetime import datetime, timedelta

LENGTH = timedelta(seconds=300)


@dataclass(slots=True)
class Window:
    """[start, end) of one fingerprint, and the observation that opened it; ``received_at`` once that is stored."""

    start: datetime
    end: datetime
    observation: str
    received_at: datetime | None = None


@dataclass(slots=True)
class Windows:
    """The windows of one fingerprint, in order of time."""

    held: list[Window] = field(default_factory=list)

    def find(self, at: datetime) -> Window | None:
        """Return the window that holds ``at``, if one does."""
        place = bisect_right(self.held, at, key=_start)
        if place and at < self.held[place - 1].end:
            return self.held[place - 1]
        return None

    def open(self, at: datetime, observation: str) -> Window:
        """Open a window at ``at`` (which no window may hold) and return it."""
        place = bisect_right(self.held, at, key=_start)
        end = at + LENGTH
        if place < len(self.held):
            end = min(end, self.held[place].start)
        window = Window(at, end, observation)
        insort(self.held, window, key=_start)
        return window


def _start(window: Window) -> datetime:
    return window.start
