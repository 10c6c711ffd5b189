"""A text that the provider refuses is marked and told of, and every other unit has its vector."""

from __future__ import annotations

import logging

import numpy as np
from sqlalchemy import text

from recall import index, vectors
from recall.errors import TextRefused

from .conftest import CLIENT


class Choosy:
    """Takes no text of poison."""

    model, dimension = "choosy/8", 8

    def embed(self, texts):
        if any("poison" in one for one in texts):
            raise TextRefused("the provider answered 400")
        return np.ones((len(texts), 8), dtype=np.float32)


def test_the_others_of_a_batch_have_their_vectors(tenants, unit, caplog):
    told = [unit("Postgres holds the orders"), unit("poison for the provider", ref="bad"), unit("Redis too")]
    with tenants.tenant(CLIENT) as connection:
        index.put(connection, CLIENT, told)
    with caplog.at_level(logging.WARNING, logger="recall.vectors"):
        assert vectors.embed(tenants, CLIENT, Choosy()) == 3
    assert [record.getMessage() for record in caplog.records] == [
        "choosy/8 takes no text of turn bad: found by words alone"
    ]
    with tenants.tenant(CLIENT) as connection:
        assert connection.scalar(text("SELECT count(*) FROM search_vectors")) == 2
        assert vectors.progress(connection, CLIENT, "choosy/8") == vectors.Progress(3, 3, refused=1)
        assert not vectors.waiting(connection, CLIENT)
    caplog.clear()
    assert vectors.embed(tenants, CLIENT, Choosy()) == 0
    assert caplog.records == []


def test_a_batch_of_refused_texts_alone_is_marked_too(tenants, unit):
    with tenants.tenant(CLIENT) as connection:
        index.put(connection, CLIENT, [unit("poison")])
    assert vectors.embed(tenants, CLIENT, Choosy()) == 1
    with tenants.tenant(CLIENT) as connection:
        assert vectors.progress(connection, CLIENT, "choosy/8") == vectors.Progress(1, 1, refused=1)
