"""What every source of vectors answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit-length vectors. ``model`` names the space: vectors of two models are never compared."""

    @property
    def model(self) -> str:
        """The model's name and version, stored with each vector."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, each of length 1. Raises EmbeddingUnavailable, TextRefused for all of them."""
