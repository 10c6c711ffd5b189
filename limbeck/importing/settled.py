"""Waiting until what was sent is stored, as long as there is somebody who stores it."""

from __future__ import annotations

from collections.abc import Callable

from schema.errors import LimbeckError

POLL_S = 0.2
PATIENCE_S = 10.0  # a drain is woken several times a second, a worker beats every five seconds


class NothingStores(LimbeckError):
    """{waiting} events wait in the queue and no worker is at work. They stay there; start one with `limbeck up` (or
    `limbeck worker`), and see with `limbeck status` that they are stored."""

    permanent = False


def until_stored(
    waiting: Callable[[], int],
    at_work: Callable[[], bool],
    pause: Callable[[float], object],
    tell: Callable[[int], object] = lambda _waiting: None,
) -> None:
    """Return once nothing waits. Raises NothingStores after ``PATIENCE_S`` without progress and without a worker.

    ``waiting`` counts the events in the queue, ``at_work`` says whether a worker lives, ``pause`` lets seconds go by,
    ``tell`` hears how many are left.
    """
    least, idle = waiting(), 0.0
    left = least
    while left:
        tell(left)
        pause(POLL_S)
        idle += POLL_S
        left = waiting()
        if left < least:
            least, idle = left, 0.0
        elif idle >= PATIENCE_S and not at_work():
            raise NothingStores(waiting=left)
