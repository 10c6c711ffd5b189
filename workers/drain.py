"""One drain of one client's stream: read until empty or a few seconds, commit, then acknowledge.

Single-flight by a lease. Entries that another consumer took and never acknowledged are taken over after 15 s, one at
a time, those tried least first: so an event that kills its worker is counted alone (by the stream's own delivery
count), never takes others with it, and goes to quarantine after its fifth attempt.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic

from sqlalchemy.exc import DataError

from schema.database import Database
from schema.errors import DatabaseConflict
from schema.ids import new_id
from workers import net
from workers.incoming import Incoming, Malformed, read
from workers.ingest import Stored, ingest
from workers.quarantine import ATTEMPTS, Rejected
from workers.stream import Entry, Stream

BATCH = 500
SECONDS = 5.0
CONFLICTS = 3
REFUSALS = (DataError, DatabaseConflict, KeyError, TypeError, ValueError)
log = logging.getLogger(__name__)


@dataclass(slots=True)
class Drained:
    """How many entries were handled, and whether more may be waiting."""

    entries: int = 0
    more: bool = False


def drain(
    database: Database,
    stream: Stream,
    *,
    then: Callable[[str, str], None],
    quiet_after: timedelta,
    seconds: float = SECONDS,
) -> Drained:
    """Empty the stream for at most ``seconds``; ``then`` hears the task and id of each thing to do after a commit.

    Nothing happens where another drain holds the lease. Raises DatabaseUnavailable: entries stay pending then.
    """
    drained = Drained()
    holder = new_id()
    if not stream.take_lease(holder):
        return drained
    job = _Job(database, stream, then, quiet_after)
    try:
        until = monotonic() + seconds
        while True:
            handled = job.handle(stream.read(BATCH)) + job.take_over()
            drained.entries += handled
            if not handled:
                return drained
            if monotonic() > until:
                drained.more = True
                return drained
            if not stream.renew_lease(holder):
                return drained
    finally:
        stream.release_lease(holder)


@dataclass(slots=True)
class _Job:
    database: Database
    stream: Stream
    then: Callable[[str, str], None]
    quiet_after: timedelta

    def take_over(self) -> int:
        """Handle the entries of dead consumers, each alone; return how many."""
        handled = 0
        for identifier, deliveries in self.stream.abandoned(BATCH):
            handled += self.handle(self.stream.take_over([identifier], deliveries))
        return handled

    def handle(self, entries: Sequence[Entry]) -> int:
        """Store ``entries`` and acknowledge them; a batch that fails for good is split to find the one at fault."""
        if not entries:
            return 0
        now = datetime.now(UTC)
        events: list[Incoming] = []
        rejected: list[Rejected] = []
        for entry in entries:
            if entry.deliveries > ATTEMPTS:
                rejected.append(_reject(entry, f"it failed {ATTEMPTS} times, or ended its worker each time"))
                continue
            found = read(entry.id, entry.payload, now)
            if isinstance(found, Malformed):
                rejected.append(_reject(entry, found.reason))
            else:
                events.append(found)
        net.clean(events)
        try:
            stored = self._store(events, rejected, now)
        except (
            REFUSALS
        ) as error:  # something in the batch cannot be stored: find which entry, and keep it aside
            if len(entries) > 1:
                return sum(self.handle([entry]) for entry in entries)
            log.warning("entry %s is refused: %s", entries[0].id, type(error).__name__)
            held = [_reject(entries[0], f"the database refused it: {type(error).__name__}")]
            stored = self._store([], held, now)
        self.stream.acknowledge([entry.id for entry in entries])
        for commit in stored.commits:
            self.then("commit.prove", commit)
        for session in sorted(stored.due):
            self.then("session.distil", session)
        return len(entries)

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


def _reject(entry: Entry, reason: str) -> Rejected:
    """Keep the payload, redacted; where even that ended the worker twice, keep the entry without it."""
    payload = None
    if entry.payload is not None and entry.deliveries <= ATTEMPTS + 2:
        payload = net.clean_text(entry.payload.decode("utf-8", "replace"))
    return Rejected(entry.id, reason, entry.deliveries, payload)
