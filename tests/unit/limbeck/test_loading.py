"""What a worker loads before it forks: the model that comes along, and nothing over the network."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from limbeck.commands import worker
from recall.embedding.choose import Choice
from recall.errors import EmbeddingUnavailable


class Embedder:
    """One that is away."""

    def __init__(self) -> None:
        self.asked = 0

    def embed(self, _texts):
        self.asked += 1
        raise EmbeddingUnavailable("away")


@pytest.fixture
def app(monkeypatch):
    monkeypatch.setattr(worker.gc, "freeze", lambda: None)
    embedder = Embedder()
    settings = SimpleNamespace(embeddings=Choice(provider="openai", key="a key"))
    return SimpleNamespace(runtime=SimpleNamespace(embedder=embedder, settings=settings))


def test_a_provider_that_is_away_keeps_no_worker_from_starting(app):
    worker._load_once(app, {"distil"})
    assert app.runtime.embedder.asked == 0


def test_the_model_that_comes_along_is_loaded_for_all(app):
    app.runtime.settings.embeddings = Choice()
    with pytest.raises(EmbeddingUnavailable):
        worker._load_once(app, {"distil"})
    assert app.runtime.embedder.asked == 1
