"""A provider may refuse a text (too long, not to its taste); it then refuses the whole batch with it.

The batch is halved until the text is alone, so that every other text has its vector. Where a harmless word is refused
as well, it is the request that is wrong and not the text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recall.embedding.embedder import Embedder
from recall.errors import EmbeddingUnavailable, TextRefused

HARMLESS = "hello"


def one_by_one(embedder: Embedder, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
    """Return a vector a text, None for one that the provider refuses. Raises EmbeddingUnavailable."""
    try:
        return list(embedder.embed(texts))
    except TextRefused as error:
        if len(texts) == 1:
            _check(embedder, error)
            return [None]
    middle = len(texts) // 2
    return one_by_one(embedder, texts[:middle]) + one_by_one(embedder, texts[middle:])


def _check(embedder: Embedder, refused: TextRefused) -> None:
    """Raise EmbeddingUnavailable where nothing at all is taken."""
    try:
        embedder.embed([HARMLESS])
    except TextRefused:
        raise EmbeddingUnavailable(str(refused)) from None
