"""A text that a provider refuses takes no other with it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.embedding.refused import one_by_one
from recall.errors import EmbeddingUnavailable, TextRefused


class Choosy:
    """Refuses a batch with a bad text in it; a text's vector tells its length."""

    model, dimension = "choosy", 1

    def __init__(self, *, nothing: bool = False) -> None:
        self.calls, self.nothing = 0, nothing

    def embed(self, texts):
        self.calls += 1
        if self.nothing or any("bad" in text for text in texts):
            raise TextRefused("the provider answered 400")
        return np.array([[len(text)] for text in texts], dtype=np.float32).reshape(len(texts), 1)


def told(found):
    return [None if row is None else row.tolist() for row in found]


@given(st.lists(st.sampled_from(["bad", "one", "four", "bad too"]), max_size=20))
def test_only_what_is_refused_has_no_vector(texts):
    found = told(one_by_one(Choosy(), texts))
    assert found == [None if "bad" in text else [float(len(text))] for text in texts]


def test_one_among_many_costs_few_requests():
    embedder = Choosy()
    one_by_one(embedder, ["good"] * 63 + ["bad"])
    assert embedder.calls == 14  # the whole, two halves six times, and a harmless word


def test_where_nothing_is_taken_the_request_is_wrong():
    embedder = Choosy(nothing=True)
    with pytest.raises(EmbeddingUnavailable, match="answered 400") as raised:
        one_by_one(embedder, ["one", "two", "three", "four"])
    assert not isinstance(raised.value, TextRefused)
    assert embedder.calls == 4  # the whole, a half, its half, and a harmless word
