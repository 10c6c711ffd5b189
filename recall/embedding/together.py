"""Questions that come at the same time are embedded as one batch, and one that was asked lately is not embedded again.

Most of the work on a short text is reading the weights, which a batch does once. What is remembered is the vectors of a
few dozen questions under a digest of their words, never the words. One that the provider refuses fails alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from hashlib import blake2b
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from recall.embedding.embedder import Embedder, Vectors
from recall.embedding.refused import one_by_one
from recall.errors import TextRefused

MOST = 64
Vector = NDArray[np.float32]


class Together:
    """An embedder in front of another. Safe to use from several threads."""

    def __init__(self, embedder: Embedder) -> None:
        """Nothing was asked yet."""
        self._embedder = embedder
        self._lately: OrderedDict[bytes, Vector] = OrderedDict()
        self._waiting: dict[bytes, tuple[str, Future[Vector]]] = {}
        self._lock, self._turn = Lock(), Lock()

    @property
    def model(self) -> str:
        """The other's model."""
        return self._embedder.model

    @property
    def dimension(self) -> int:
        """The other's dimension."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, as the other gives it. Raises EmbeddingUnavailable."""
        if len(texts) != 1:
            return self._embedder.embed(texts)
        return self._one(texts[0]).reshape(1, -1)

    def _one(self, text: str) -> Vector:
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._lock:
            if (known := self._lately.get(key)) is not None:
                self._lately.move_to_end(key)
                return known
            _, asked = self._waiting.setdefault(key, (text, Future()))
        with self._turn:  # whose turn it is embeds for all that came meanwhile
            if not asked.done():
                self._all_waiting()
        return asked.result()

    def _all_waiting(self) -> None:
        with self._lock:
            batch, self._waiting = self._waiting, {}
        try:
            rows = one_by_one(self._embedder, [text for text, _ in batch.values()])
        except Exception as error:
            for _, asked in batch.values():
                asked.set_exception(error)
            return
        with self._lock:
            for (key, (_, asked)), row in zip(batch.items(), rows, strict=True):
                if row is None:
                    asked.set_exception(TextRefused("it does not take this text"))
                    continue
                asked.set_result(row)
                self._lately[key] = row
            while len(self._lately) > MOST:
                self._lately.popitem(last=False)
