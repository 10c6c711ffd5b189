"""Bundles that are being fetched in several answers: kept for a minute, so that their pages fit together."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta
from threading import Lock

from projection.okf.generation import Generation

LASTS = timedelta(minutes=1)
MOST = 4  # a bundle is some megabytes


class Renderings:
    """The latest few renderings, by client, project and generation. Safe to use from several threads."""

    def __init__(self) -> None:
        """Nothing is kept yet."""
        self._kept: OrderedDict[tuple[str, str, int], tuple[datetime, Generation]] = OrderedDict()
        self._lock = Lock()

    def keep(self, client: str, project: str, made: Generation, now: datetime) -> None:
        """Keep one until a minute from ``now``; beyond the most, the oldest goes."""
        with self._lock:
            self._forget(now)
            self._kept[client, project, made.number] = (now + LASTS, made)
            self._kept.move_to_end((client, project, made.number))
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)

    def find(self, client: str, project: str, number: int, now: datetime) -> Generation | None:
        """Return one that is still kept."""
        with self._lock:
            self._forget(now)
            found = self._kept.get((client, project, number))
        return None if found is None else found[1]

    def _forget(self, now: datetime) -> None:
        for key in [key for key, (until, _) in self._kept.items() if until <= now]:
            del self._kept[key]
