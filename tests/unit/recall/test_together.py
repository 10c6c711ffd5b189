"""Questions of the same time share a batch, one asked again is not embedded again, and an error reaches who waits."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from recall.embedding.together import MOST, Together
from recall.errors import EmbeddingUnavailable, TextRefused


class Counting:
    """Vectors that tell their text apart; notes every batch, and waits in the first one until it is let go."""

    model, dimension = "counting", 2

    def __init__(self, held: bool = False) -> None:
        self.batches: list[list[str]] = []
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.away = False
        if not held:
            self.go_on.set()

    def embed(self, texts):
        self.batches.append(list(texts))
        self.begun.set()
        assert self.go_on.wait(20)
        if any("bad" in text for text in texts):
            raise TextRefused("answered 400")
        if self.away:
            raise EmbeddingUnavailable("away")
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


def test_it_stands_for_the_other():
    inner = Counting()
    together = Together(inner)
    assert (together.model, together.dimension) == ("counting", 2)
    assert together.embed(["abc"]).tolist() == [[3.0, 1.0]]
    assert together.embed(["a", "bb"]).tolist() == [[1.0, 1.0], [2.0, 1.0]]
    assert together.embed([]).shape == (0,)
    assert inner.batches == [["abc"], ["a", "bb"], []]


def test_what_was_asked_lately_is_not_embedded_again_and_only_so_much_is_kept():
    inner = Counting()
    together = Together(inner)
    for _ in range(3):
        assert together.embed(["same"]).tolist() == [[4.0, 1.0]]
    assert inner.batches == [["same"]]
    for number in range(MOST):
        together.embed([f"other {number}"])
    together.embed(["same"])
    assert inner.batches[-1] == ["same"]
    assert len(together._lately) == MOST


def test_those_that_come_while_one_is_embedded_go_together():
    inner = Counting(held=True)
    together = Together(inner)
    answers: dict[str, list[list[float]]] = {}

    def ask(name: str, text: str) -> None:
        answers[name] = together.embed([text]).tolist()

    first = threading.Thread(target=ask, args=("first", "a"))
    first.start()
    assert inner.begun.wait(20)
    others = [threading.Thread(target=ask, args=(f"{n}", "b" * (2 + n % 3))) for n in range(6)]
    for one in others:
        one.start()
    while len(together._waiting) < 3:
        pass
    inner.go_on.set()
    for one in (first, *others):
        one.join(20)
    assert inner.batches[0] == ["a"]
    assert sorted(text for batch in inner.batches[1:] for text in batch) == ["bb", "bbb", "bbbb"]
    assert answers == {"first": [[1.0, 1.0]]} | {f"{n}": [[2.0 + n % 3, 1.0]] for n in range(6)}


def test_an_error_reaches_who_asked_and_the_next_question_tries_again():
    inner = Counting()
    together = Together(inner)
    inner.away = True
    with pytest.raises(EmbeddingUnavailable):
        together.embed(["a"])
    inner.away = False
    assert together.embed(["a"]).tolist() == [[1.0, 1.0]]


def test_a_refused_question_takes_none_of_its_batch_with_it():
    inner = Counting(held=True)
    together = Together(inner)
    answers: dict[str, object] = {}

    def ask(text: str) -> None:
        try:
            answers[text] = together.embed([text]).tolist()
        except TextRefused as error:
            answers[text] = type(error)

    first = threading.Thread(target=ask, args=("a",))
    first.start()
    assert inner.begun.wait(20)
    others = [threading.Thread(target=ask, args=(text,)) for text in ("bb", "bad", "cccc")]
    for one in others:
        one.start()
    while len(together._waiting) < 3:
        pass
    inner.go_on.set()
    for one in (first, *others):
        one.join(20)
    assert answers == {"a": [[1.0, 1.0]], "bb": [[2.0, 1.0]], "bad": TextRefused, "cccc": [[4.0, 1.0]]}
    assert together.embed(["bb"]).tolist() == [[2.0, 1.0]]
