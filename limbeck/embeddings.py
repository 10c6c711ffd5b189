"""The embedder that the settings name, as recall wants it said."""

from __future__ import annotations

from limbeck.settings import Settings
from recall.embedding.choose import Choice

FOLDER = "model"  # in the home


def embeddings_of(settings: Settings) -> Choice:
    """Return the settings' choice; nothing is loaded yet."""
    return Choice(
        provider=settings.embeddings,
        url=settings.embeddings_url,
        model=settings.embeddings_model,
        dimension=settings.embeddings_dimension,
        key=settings.embeddings_key,
        folder=settings.home / FOLDER,
    )
