"""A session's life."""

from __future__ import annotations

import pytest

from workers.lifecycle import Effect, Signal, State, transition


@pytest.mark.parametrize("state", list(State))
@pytest.mark.parametrize("signal", list(Signal))
def test_every_pair_is_defined(state: State, signal: Signal):
    after, effect = transition(state, signal)
    assert isinstance(after, State)
    assert isinstance(effect, Effect)
    if effect is Effect.DISTIL:
        assert after is State.ENDED


@pytest.mark.parametrize(
    ("signals", "state", "distillations"),
    [
        (["activity", "end", "distilled"], "distilled", 1),
        (["activity", "timeout", "distilled"], "distilled", 1),
        (["end", "distilled", "activity", "end", "distilled"], "distilled", 2),
        (["end", "end"], "ended", 1),
        (["end", "distilled", "late"], "ended", 2),
        (["end", "activity", "distilled"], "reopened", 1),
        (["quiet", "replaced"], "ended", 1),
        (["replaced"], "active", 0),
        (["quiet", "activity"], "active", 0),
        (["end", "distilled", "timeout"], "distilled", 1),
    ],
)
def test_lives(signals: list[str], state: str, distillations: int):
    now, count = State.ACTIVE, 0
    for signal in signals:
        now, effect = transition(now, Signal(signal))
        count += effect is Effect.DISTIL
    assert (now, count) == (state, distillations)
