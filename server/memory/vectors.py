"""Vectors of what was saved just now: made at once where the model is this machine's own, else by the workers."""

from __future__ import annotations

from contextlib import suppress

from recall.embedding.minilm import MODEL
from recall.run import embed_some
from schema.errors import LimbeckError
from server.operation import Call


def embed_here(call: Call) -> None:
    """Embed what was saved, after its commit. Words find it without; nothing is asked of another machine for it."""
    embedder = call.embedder()
    if embedder is not None and embedder.model == MODEL:
        with suppress(LimbeckError):  # it is saved already
            embed_some(call.database, call.principal.client, embedder)
