"""A labelled session as the events that hooks send: the same fields, the same redaction, the same limits."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from capture.config import Limits
from capture.envelope import encode
from capture.errors import OversizedEnvelope
from capture.event import OK, Call, Event
from capture.observation import envelope
from capture.policy import Policy
from capture.project import Project
from hooks.machine import machine
from limbeck.bench.labelled import Called, Corpus, Held, number
from schema.records import Exchange, Role

AGENT = "claude"
KINDS = {
    Role.PERSON: "prompt",
    Role.MACHINE: "prompt",
    Role.REPLY: "reply",
    Role.SUBAGENT: "subagent",
    Role.COMPACTION: "compaction",
}
SHORTEST_TEXT = 500


def remote(corpus: Corpus) -> str:
    """The remote address that a corpus' sessions tell, so that all of them are one project."""
    return f"bench.invalid/{number(corpus.name)}"


def session_id(corpus: Corpus, held: Held) -> str:
    """The agent's own id of a session."""
    return number(corpus.name, held.session)


def of_session(corpus: Corpus, held: Held) -> Iterator[bytes]:
    """Yield the encoded envelopes of one session from its start to its end, in the order of their times."""
    told = [(exchange.at, exchange) for exchange in held.exchanges]
    made: list[tuple[datetime, Exchange | Called]] = [*told, *((call.at, call) for call in held.calls)]
    made.sort(key=lambda pair: pair[0])
    if not made:
        return
    begin, end = made[0][0], made[-1][0]
    made += [(end, Called(end, "Edit", path=path)) for path in held.files]
    session, project = session_id(corpus, held), Project(held.root, remote=remote(corpus))

    def sealed(event: Event, ident: str, at: datetime) -> Iterator[bytes]:
        event.session, event.cwd = session, held.root
        return _sealed(event, project, ident, at)

    yield from sealed(Event(AGENT, "SessionStart", "session.start"), number(session, "start"), begin)
    turn = number(session, "turn")
    for place, (at, one) in enumerate(made):
        if isinstance(one, Called):
            call = number(session, "call", str(place))
            tool = Call(one.tool, command=one.command, path=one.path, outcome=OK)
            yield from sealed(Event(AGENT, "PostToolUse", "tool", turn=turn, call=call, tool=tool), call, at)
            continue
        if one.role in (Role.PERSON, Role.MACHINE):
            turn = one.id
        yield from sealed(_said(one, turn), one.id, at)
    ended = Event(AGENT, "SessionEnd", "session.end", extra={"reason": "other"})
    yield from sealed(ended, number(session, "end"), end)


def _said(exchange: Exchange, turn: str) -> Event:
    event = Event(AGENT, KINDS[exchange.role], KINDS[exchange.role], turn=turn, text=exchange.text)
    if event.kind == "prompt":
        event.extra = {"machine": exchange.role is Role.MACHINE or machine(exchange.text)}
    if exchange.role is Role.SUBAGENT:
        event.subagent = {"id": exchange.id, "type": "subagent"}
    return event


def _sealed(event: Event, project: Project, ident: str, at: datetime) -> Iterator[bytes]:
    """The event's envelope, its text shortened as far as the envelope must be; none where nothing of it is kept."""
    limit = Limits().text
    while limit >= SHORTEST_TEXT:
        made = envelope(
            event, project, Policy(), Limits(text=limit), ident=ident, at=int(at.timestamp() * 1000)
        )
        if made is None:
            return
        try:
            yield encode(made)
        except OversizedEnvelope:
            limit //= 2
            continue
        return
