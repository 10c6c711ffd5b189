"""The supervisor's stop request."""

from __future__ import annotations

import os
import signal

from limbeck.services.bell import Bell


def test_it_is_heard_once_rung_and_stays_so():
    bell = Bell()
    assert not bell.heard(0)
    for _ in range(100_000):
        bell.ring()
    assert bell.heard(0)
    assert bell.heard(0)


def test_a_signal_handler_rings_it_while_the_same_thread_waits():
    bell = Bell()
    before = signal.signal(signal.SIGUSR1, lambda _number, _frame: bell.ring())
    try:
        os.kill(os.getpid(), signal.SIGUSR1)
        assert bell.heard(30)
    finally:
        signal.signal(signal.SIGUSR1, before)
