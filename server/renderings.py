"""Bundles as they were rendered last, for who asks next: kept while they are what the database holds, and no longer.

A generation's number stands for its content, and whatever changes what a bundle shows leaves a mark, in every process.
So a rendering is given again only where the project stands at its number without a mark. Forgetting for good marks all,
and what this process kept is dropped at once.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from threading import Lock

from projection.okf.generation import Standing
from server.operation import Output
from server.redacted import redacted

LASTS = 300.0  # seconds after its last use
MOST, MOST_BYTES = 4, 32_000_000
TURNS = 16


class FileOutput(Output):
    """A file of the bundle."""

    path: str
    sha256: str
    bytes: int
    text: str


@dataclass(frozen=True, slots=True)
class Rendering:
    """A bundle as it is answered: its files in the order of their paths, the manifest among them."""

    number: int
    generated_at: datetime
    project: str
    files: tuple[FileOutput, ...]

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return sum(one.bytes for one in self.files)

    def stands(self, now: Standing | None) -> bool:
        """Whether it is what the database holds ``now``; a project's name leaves no mark and is compared."""
        if now is None or now.number != self.number:
            return False
        return self.project in (now.project, redacted(now.project, {}))


@dataclass(slots=True)
class _Kept:
    rendering: Rendering
    begun: float  # before anything was read for it
    used: float


class Renderings:
    """The latest renderings, by client and project. Safe to use from several threads; ``clock`` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing is kept yet."""
        self._clock = clock
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()
        self._dropped: dict[str, float] = {}
        self._lock = Lock()
        self._turns = tuple(Lock() for _ in range(TURNS))

    def current(
        self,
        client: str,
        project: str,
        now: Standing | None,
        look: Callable[[], Standing | None],
        make: Callable[[], Rendering],
    ) -> Rendering:
        """Return the project's bundle: the one that is kept where it stands ``now``, else what ``make`` renders.

        Of several who ask at once one renders; the others ``look`` again, and take what was begun after they asked.
        """
        key, asked = (client, project), self._clock()
        if (kept := self._find(key)) is not None and kept.rendering.stands(now):
            return kept.rendering
        with self._turns[hash(key) % TURNS]:
            kept = self._find(key)
            if kept is not None and (kept.begun >= asked or kept.rendering.stands(look())):
                return kept.rendering
            begun = self._clock()
            made = make()
            self._keep(key, _Kept(made, begun, self._clock()))
            return made

    def drop(self, client: str) -> None:
        """Drop what is kept of ``client``, and keep nothing that was begun before now: something was forgotten."""
        with self._lock:
            self._dropped[client] = self._clock()
            for key in [key for key in self._kept if key[0] == client]:
                del self._kept[key]

    def sweep(self) -> None:
        """Drop what nobody asked for lately."""
        with self._lock:
            for key in [key for key, kept in self._kept.items() if self._clock() - kept.used >= LASTS]:
                del self._kept[key]

    def _find(self, key: tuple[str, str]) -> _Kept | None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                kept.used = self._clock()
                self._kept.move_to_end(key)
            return kept

    def _keep(self, key: tuple[str, str], kept: _Kept) -> None:
        with self._lock:
            if kept.begun <= self._dropped.get(key[0], -math.inf):
                return
            self._kept[key] = kept
            self._kept.move_to_end(key)
            while (
                len(self._kept) > MOST or sum(one.rendering.size for one in self._kept.values()) > MOST_BYTES
            ):
                self._kept.popitem(last=False)


RENDERINGS = Renderings()
