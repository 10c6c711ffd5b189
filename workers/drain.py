"""One drain of one client's stream: read until empty or a few seconds, commit, then acknowledge.

At most two drains work on a stream (workers.lease). Entries that another consumer took and never acknowledged are
taken over after 15 s, those tried least first and in ever smaller groups: so an event that kills its worker is soon
counted alone (by the stream's own delivery count) and goes to quarantine after its fifth attempt.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from time import monotonic, perf_counter

from sqlalchemy.exc import DataError, ProgrammingError, StatementError

from schema.database import Database
from schema.errors import DatabaseConflict, DatabaseRefused, DatabaseUnavailable
from schema.ids import new_id
from workers import net
from workers.incoming import Incoming, Malformed, event_id_of, read
from workers.ingest import Stored, ingest
from workers.lease import BATCH, Lease, LeaseLost
from workers.quarantine import ATTEMPTS, Rejected
from workers.stream import Entry, Stream

TAKEN_TOGETHER = {1: 50, 2: 7}  # by how often an entry was handed out before; from three on it is alone
SECONDS = 5.0
ALIVE_EVERY_S = 3.0
CONFLICTS = 3
REFUSALS = (
    *(DataError, ProgrammingError, StatementError, DatabaseConflict, DatabaseRefused),
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
)
log = logging.getLogger(__name__)


@dataclass(slots=True)
class Drained:
    """How many entries were handled, whether more may be waiting, and the seconds spent by stage."""

    entries: int = 0
    more: bool = False
    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Count the time inside to ``stage``."""
        start = perf_counter()
        try:
            yield
        finally:
            self.spent[stage] = self.spent.get(stage, 0.0) + perf_counter() - start


def drain(
    database: Database,
    stream: Stream,
    *,
    then: Callable[[str, str], None],
    quiet_after: timedelta,
    seconds: float = SECONDS,
) -> Drained:
    """Empty the stream for at most ``seconds``; ``then`` hears the task and id of each thing to do after a commit.

    Nothing happens where other drains hold every slot. Raises DatabaseUnavailable: entries stay pending then.
    """
    lease = Lease(stream, new_id())
    drained = Drained()
    if not lease.take():
        return drained
    job = _Job(database, stream, then, quiet_after, lease, drained)
    until = monotonic() + seconds
    try:
        while True:
            handled = job.next_batch() + job.take_over()
            drained.entries += handled
            if not handled:
                return drained
            if monotonic() > until:
                drained.more = True
                return drained
    except LeaseLost:
        return drained
    finally:
        lease.release()


@dataclass(slots=True)
class _Job:
    database: Database
    stream: Stream
    then: Callable[[str, str], None]
    quiet_after: timedelta
    lease: Lease
    drained: Drained

    def next_batch(self) -> int:
        """Handle what nobody has seen yet, in the stream's order; return how many entries."""
        with self.drained.timed("queue"):
            entries = self.lease.read(BATCH)
        if entries:
            self.handle(entries, ordered=True)
        return len(entries)

    def take_over(self) -> int:
        """Handle the entries of dead consumers, in groups that shrink with every attempt; return how many."""
        handled = 0
        with self.drained.timed("queue"):
            abandoned = self.stream.abandoned(BATCH)
        for deliveries, pairs in groupby(abandoned, key=lambda pair: pair[1]):
            ids = [identifier for identifier, _ in pairs]
            size = TAKEN_TOGETHER.get(deliveries, 1)
            for start in range(0, len(ids), size):
                entries = self.stream.take_over(ids[start : start + size], deliveries)
                self.handle(entries)
                self.lease.extend()
                handled += len(entries)
        return handled

    def handle(self, entries: Sequence[Entry], ordered: bool = False) -> None:
        """Store ``entries`` and acknowledge them; ``ordered`` ones wait for those that were read before them."""
        if not entries:
            return
        now = datetime.now(UTC)
        with self.drained.timed("decoding"):
            events, rejected = _decoded(entries, now)
        ids = [entry.id for entry in entries]
        alive = _SignOfLife(self.lease, self.stream, ids)
        with self.drained.timed("redaction"):
            for event, why in net.clean(events, alive):
                events.remove(event)
                rejected.append(Rejected(event.entry, f"it could not be redacted: {why}", 1, None))
        if ordered:
            with self.drained.timed("waiting"):
                self.lease.wait_for_turn(ids[0], alive)
        with self.drained.timed("database"):
            try:
                stored = self._settle(events, rejected, now, {entry.id: entry for entry in entries})
            except DatabaseUnavailable:
                # Not the events' fault: the attempt does not count, however long it lasts.
                self.stream.give_back({entry.id: entry.deliveries - 1 for entry in entries})
                raise
        with self.drained.timed("queue"):
            try:
                if ordered:
                    self.lease.done()  # committed: the next batch need not wait for the rest
            finally:
                self.stream.acknowledge(ids)
        for done in stored:
            for project in sorted(done.committed | done.rewritten):
                self.then("commit.read", project)
            for project in sorted(done.messages):
                self.then("message.index", project)
            for project in sorted(done.rewritten):
                self.then("backlog.settle", project)
            for session in sorted(done.due):
                self.then("session.distil", session)

    def _settle(
        self,
        events: Sequence[Incoming],
        rejected: Sequence[Rejected],
        now: datetime,
        entries: Mapping[str, Entry],
    ) -> list[Stored]:
        """Store all at once; where something cannot be stored, one by one, to find it and keep it aside."""
        try:
            return [self._store(events, rejected, now)]
        except REFUSALS as error:
            if not events:
                raise
            if len(events) + len(rejected) > 1:
                apart = [self._settle([event], [], now, entries) for event in events]
                return [one for found in apart for one in found] + [self._store([], rejected, now)]
            log.warning("entry %s is refused: %s", events[0].entry, type(error).__name__)
            why = f"the database refused it: {type(error).__name__}"
            return [self._store([], [_reject(entries[events[0].entry], why)], now)]

    def _store(self, events: Sequence[Incoming], rejected: Sequence[Rejected], now: datetime) -> Stored:
        for attempt in range(CONFLICTS):
            try:
                with self.database.tenant(self.stream.client) as connection:
                    return ingest(
                        connection,
                        self.stream.client,
                        events,
                        rejected,
                        now=now,
                        quiet_after=self.quiet_after,
                    )
            except DatabaseConflict:
                if attempt == CONFLICTS - 1:
                    raise
        raise AssertionError("unreachable")


class _SignOfLife:
    """Called again and again: every few seconds it tells the others that this drain still works on its batch."""

    def __init__(self, lease: Lease, stream: Stream, ids: Sequence[str]) -> None:
        self._lease, self._stream, self._ids = lease, stream, ids
        self._told = monotonic()

    def __call__(self) -> None:
        if monotonic() - self._told > ALIVE_EVERY_S:
            self._lease.extend()
            self._stream.hold(self._ids)
            self._told = monotonic()


def _decoded(entries: Sequence[Entry], now: datetime) -> tuple[list[Incoming], list[Rejected]]:
    """The events among ``entries``, and those that are none or failed too often."""
    events: list[Incoming] = []
    rejected: list[Rejected] = []
    for entry in entries:
        if entry.deliveries > ATTEMPTS:
            why = f"it failed {ATTEMPTS} times, or ended its worker each time"
            rejected.append(_reject(entry, why))
            continue
        found = read(entry.id, entry.payload, now)
        if isinstance(found, Malformed):
            rejected.append(_reject(entry, found.reason))
        else:
            events.append(found)
    return events, rejected


def _reject(entry: Entry, reason: str) -> Rejected:
    """Keep the payload, redacted; where even that ended the worker twice, keep the entry without it."""
    payload = None
    if entry.payload is not None and entry.deliveries <= ATTEMPTS + 2:
        payload = net.clean_text(entry.payload.decode("utf-8", "replace"))
    event_id = event_id_of(entry.payload) if payload is not None else None
    return Rejected(entry.id, net.clean_text(reason), entry.deliveries, payload, event_id)
