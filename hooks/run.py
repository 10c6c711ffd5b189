"""One run of a hook: read, keep little, redact, hand over. All it prints is the brief at a session's start."""

from __future__ import annotations

import os
from time import time

from capture import spool
from capture.config import HookConfig, Limits
from capture.config import read as read_config
from capture.deliver import deliver
from capture.envelope import encode
from capture.errors import BadHookConfig, OversizedEnvelope, SpoolRefused
from capture.ids import new_id
from capture.observation import envelope
from capture.project import find
from hooks.payload import Unreadable
from hooks.stdin import drain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from capture.event import Event

    class Adapter(Protocol):
        """What a folder ``hooks/<agent>`` offers in its ``adapter`` module."""

        def wants_input(self, arguments: list[str]) -> bool:
            """Whether this call is told something on standard input."""
            ...

        def read(self, arguments: list[str], raw: bytes) -> list[Event]:
            """Return the events in one call; Unreadable where the input is no JSON object."""
            ...


SHORTEST_TEXT = 1000


class Progress:
    """How far a run came, so that a second try neither asks for its input again nor delivers twice."""

    __slots__ = ("chunks", "delivered", "drained")

    def __init__(self) -> None:
        """Nothing has been read or delivered yet."""
        self.chunks: list[bytes] = []
        self.drained = False
        self.delivered = 0


class Sealed:
    """A finished envelope: its encoded ``line``, and whether it is an ``errand`` for the shipper."""

    __slots__ = ("errand", "line")

    def __init__(self, line: bytes, errand: bool) -> None:
        """Hold both."""
        self.line = line
        self.errand = errand


def adapter(agent: str) -> Adapter:
    """Return the adapter in the folder ``hooks/<agent>``; ImportError where there is none."""
    if not agent.isidentifier():
        raise ImportError(agent)
    module: Adapter = __import__(f"hooks.{agent}.adapter", fromlist=["read"])
    return module


def main(home: str, arguments: list[str], progress: Progress) -> None:
    """Run the hook for ``arguments`` (the agent, then its own) with the configuration in ``home``.

    What cannot be read or taken is counted in the spool. Any other exception means that nothing after
    ``progress`` was done.
    """
    agent = adapter(arguments[0])
    if not progress.drained and agent.wants_input(arguments[1:]):
        drain(progress.chunks)
    progress.drained = True
    if os.environ.get("LIMBECK_SKIP"):
        return
    try:
        config = read_config(home)
    except BadHookConfig:
        spool.count(f"{home}/spool", spool.REFUSED)
        return
    try:
        events = agent.read(arguments[1:], b"".join(progress.chunks))
    except Unreadable:
        spool.count(config.spool, spool.UNREADABLE)
        return
    said = _brief(events, home, config)
    ready = seal(events[progress.delivered :], config)
    for sealed in ready:
        try:
            deliver(sealed.line, config, sealed.errand)
        except SpoolRefused:
            pass  # counted where limbeck status shows it
        progress.delivered += 1
    if ready and (said or config.ask is not None):
        _say(said or _known(events, ready, home, config))


def _brief(events: list[Event], home: str, config: HookConfig) -> bytes | None:
    """What a session that starts is told; which brief it was is noted in the event."""
    if config.brief is None or not events or events[0].kind != "session.start":
        return None
    from hooks.context import prepared

    events[0].cwd = events[0].cwd or _cwd()
    return prepared(events[0], home, config)


def _known(events: list[Event], ready: list[Sealed], home: str, config: HookConfig) -> bytes | None:
    """What a prompt is told."""
    if events[0].kind != "prompt":
        return None
    from hooks.ask import prepared

    return prepared(events[0], ready[0].line, home, config)


def _say(said: bytes | None) -> None:
    if said:
        from hooks.context import say

        say(said)


def seal(
    events: list[Event],
    config: HookConfig,
    ident: Callable[[], str] = new_id,
    clock: Callable[[], float] = time,
) -> list[Sealed]:
    """Return the envelopes of ``events`` that the policy admits. ``ident`` makes ids, ``clock`` tells Unix seconds."""
    sealed = []
    for event in events:
        event.cwd = event.cwd or _cwd()
        project = find(event.cwd)
        policy = config.policy.joined(project.root)
        limits, at, name = config.limits, int(clock() * 1000), ident()
        made = envelope(event, project, policy, limits, ident=name, at=at, from_start=True)
        while made is not None:
            try:
                sealed.append(Sealed(encode(made), "needs" in made))
                break
            except OversizedEnvelope:
                if limits.text <= SHORTEST_TEXT:
                    raise
                limits = Limits(text=limits.text // 2)
                made = envelope(event, project, policy, limits, ident=name, at=at, from_start=True)
    return sealed


def _cwd() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None
