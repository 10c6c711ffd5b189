"""The resident shipper: a cheap look five times a second, one process at a time, patient with a queue that is down."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from filelock import FileLock, Timeout

from capture.config import HookConfig
from capture.config import read as read_file
from capture.errors import CaptureError
from capture.spool import reserve
from limbeck.ship import errands
from limbeck.ship.errors import AnotherShipper, HookConfigUnusable, NoQueue, NoToken, QueueUnavailable
from limbeck.ship.files import keep_torn
from limbeck.ship.later import Later
from limbeck.ship.sender import HttpSender, RedisSender, Sender, SocketSender, url_of
from limbeck.ship.shipping import ship
from schema.folders import PRIVATE, make

LOOK_EVERY = 0.2
SLOWEST = 5.0
# How long errands may take before the spool is looked at again, so that they never hold up plain events.
ERRANDS_FOR = 0.5

log = logging.getLogger("limbeck.ship")


class Stop(Protocol):
    """What ``threading.Event`` offers of it."""

    def is_set(self) -> bool:
        """Whether to stop."""
        ...

    def wait(self, timeout: float) -> bool:
        """Wait until stopped or ``timeout`` seconds are over."""
        ...


def read_config(home: Path) -> HookConfig:
    """Return what hooks are told in ``home``, or raise HookConfigUnusable."""
    try:
        return read_file(str(home))
    except CaptureError as error:
        raise HookConfigUnusable(why=str(error)) from error


def lock(spool: Path) -> AbstractContextManager[object]:
    """Hold the right to ship ``spool``, or raise AnotherShipper at once."""
    make(spool, PRIVATE)
    reserve(str(spool))
    held = FileLock(spool / "ship.lock", mode=0o600)
    try:
        return held.acquire(timeout=0)
    except Timeout:
        raise AnotherShipper(spool=spool) from None


def sender_for(config: HookConfig, redis_url: str | None, token: str | None = None) -> Sender:
    """Return the way to the queue: ``redis_url``, else what hooks are told. NoQueue where neither says.

    An address of a team's server leads there, with ``token``; NoToken where there is none.
    """
    if redis_url is not None and redis_url.startswith(("https://", "http://")):
        if token is None:
            raise NoToken(url=redis_url)
        return HttpSender(redis_url, token, lambda line: keep_torn(Path(config.spool), line))
    url = redis_url or (url_of(config.queue) if config.queue else None)
    if url is None:
        raise NoQueue
    parts = urlsplit(url)
    if parts.scheme == "unix" and not parts.password:
        return SocketSender(Path(unquote(parts.path)), config.client)
    return RedisSender(url, config.client)


def run(home: Path, stop: Stop, redis_url: str | None = None, token: str | None = None) -> None:
    """Empty the spool below ``home`` into the queue until ``stop`` is set.

    ``redis_url`` is the queue where hooks are not told one (a remote one, or a team's server, which wants ``token``).
    Raises AnotherShipper where one runs already, NoQueue where there is no queue at all. What is down is waited for.
    """
    config = read_config(home)
    spool = Path(config.spool)
    with lock(spool):
        sender, later = sender_for(config, redis_url, token), Later(spool)
        wait = LOOK_EVERY
        try:
            while not stop.is_set():
                try:
                    look(spool, home, sender)
                    later.look(lambda: read_config(home), sender)
                    wait = LOOK_EVERY
                except QueueUnavailable as error:
                    wait = min(wait * 2, SLOWEST)
                    log.warning("%s", error)
                except Exception as error:  # the one shipper must outlive whatever it meets
                    wait = min(wait * 2, SLOWEST)
                    log.warning("the spool %s cannot be read: %s", spool, error)
                stop.wait(wait)
        finally:
            later.close()
            sender.close()


def look(spool: Path, home: Path, sender: Sender, clock: Callable[[], float] = time.monotonic) -> int:
    """Ship what waits, then run errands for a moment; returns how many events were sent."""
    sent = ship(spool, sender).sent
    waiting = errands.waiting(spool)
    if not waiting:
        return sent
    config = read_config(home)
    end = clock() + ERRANDS_FOR
    for path in waiting:
        if errands.attempt(path, config, sender):
            sent += 1
        if clock() >= end:
            break
    return sent


def drain(home: Path, redis_url: str | None = None, token: str | None = None) -> int:
    """Ship everything that waits now, errands and what was left for later included; return how many events were sent.

    Raises AnotherShipper, NoQueue or QueueUnavailable, with what is left kept.
    """
    config = read_config(home)
    spool = Path(config.spool)
    with lock(spool):
        sender, later = sender_for(config, redis_url, token), Later(spool)
        try:
            sent = 0
            while (shipped := ship(spool, sender)).sent or shipped.put_by:
                sent += shipped.sent
            for path in errands.waiting(spool):
                sent += errands.attempt(path, config, sender, clock=_late)
            return sent + later.finish(lambda: config, sender)
        finally:
            later.close()
            sender.close()


def _late() -> float:
    """A clock that makes every errand due."""
    return float("inf")
