"""Shapes the rules were not written with: at least 85 % by the hook alone, and by both nets together."""

import random
from collections.abc import Sequence

from capture.net import second_net
from capture.redact import redact
from limbeck.bench.samples import Sample, leaks, sample
from tests.unit.capture.redact.unseen import cases
from tests.unit.capture.redact.unseen_trades import SHAPES


def shares(made: Sequence[Sample]) -> tuple[float, float]:
    """How many of ``made`` keep their secret, by the hook and by both nets."""
    first = [redact(one.text)[0] for one in made]
    hook = sum(not leaks(one, out) for one, out in zip(made, first, strict=True))
    both = sum(not leaks(one, second_net(out)[0]) for one, out in zip(made, first, strict=True))
    return hook / len(made), both / len(made)


def test_unseen_shapes():
    hook, both = shares([Sample(shape, text, secret) for shape, text, secret in cases(seed=3)])
    assert hook >= 0.85
    assert both >= 0.90


def test_shapes_of_other_trades():
    rng = random.Random(3)
    hook, both = shares([sample("unseen", shape, rng) for shape in SHAPES for _ in range(5)])
    assert hook >= 0.85
    assert both >= 0.85
