"""The embedder in the server: loaded at the first question that needs it, let go after a while without one."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from limbeck.services.memory import give_back

if TYPE_CHECKING:
    from recall.embedding.choose import Choice
    from recall.embedding.embedder import Embedder

IDLE_AFTER = 600.0  # seconds
log = logging.getLogger("limbeck.server")


class OnDemand:
    """Gives the embedder of a choice, and forgets it once nobody asked for ten minutes: it is most of the memory.

    Safe to use from several threads; times are those of ``clock`` (seconds).
    """

    def __init__(self, choice: Choice, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing is loaded yet."""
        self._choice, self._clock = choice, clock
        self._lock = threading.Lock()
        self._loaded: Embedder | None = None
        self._asked = 0.0

    def __call__(self) -> Embedder | None:
        """Return the embedder, None where meaning is not searched or it cannot be loaded (the log says why)."""
        from recall.embedding.choose import chosen
        from recall.embedding.together import Together
        from schema.errors import LimbeckError

        with self._lock:
            self._asked = self._clock()
            if self._loaded is None:
                try:
                    loaded = chosen(self._choice)
                    self._loaded = None if loaded is None else Together(loaded)
                    give_back()
                except LimbeckError as error:
                    log.warning("questions are answered without meaning: %s", error)
            return self._loaded

    def change(self, choice: Choice) -> None:
        """Let ``choice`` hold from the next question on; the model of the one before is not kept."""
        with self._lock:
            if choice == self._choice:
                return
            loaded, self._choice, self._loaded = self._loaded, choice, None
            if loaded is not None:
                from recall.embedding.minilm import bundled

                bundled.cache_clear()

    def let_go(self) -> bool:
        """Forget the model where nobody asked for it lately; returns whether it did."""
        if self._loaded is None:
            return False
        from recall.embedding.minilm import bundled

        with self._lock:
            idle = self._loaded is not None and self._clock() - self._asked >= IDLE_AFTER
            if idle:
                self._loaded = None
                bundled.cache_clear()
        if idle:
            give_back()
        return idle
