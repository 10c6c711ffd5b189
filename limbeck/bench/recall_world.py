"""Write a labelled set the way the product does: into the stream, through ingest, distilled, indexed and embedded.

The tasks are those of ``workers.tasks``, run one after the other in this process on servers of its own.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from capture.queue import stream_key
from limbeck.bench import recall_events
from limbeck.bench.labelled import Corpus
from limbeck.bench.scratch import scratch_queue, scratch_server
from limbeck.errors import NotWritten
from limbeck.services.postgres import APPLICATION
from recall.embedding.choose import Choice
from schema.database import Database
from schema.projects import lookup
from workers import tasks
from workers.runtime import Runtime
from workers.settings import WorkerSettings

CLIENT = "bench"
PORTION = 500  # events that are appended before the ingest task runs
TELL_EVERY_S = 15.0
FEW_SESSIONS = 100  # so few need no folding, which looks at all that was written before

Report = Callable[[str], object]
Task = Callable[..., None]


class Desk:
    """Where the product's tasks are declared, as on a Celery application, and wait to be run here."""

    def __init__(self, runtime: Runtime) -> None:
        """``runtime`` is what the tasks work with."""
        self.runtime = runtime
        self._tasks: dict[str, Task] = {}
        self._sent: deque[tuple[str, Sequence[str]]] = deque()
        tasks.register(self)

    def task(self, run: Task, *, name: str) -> Task:
        """Declare a task."""
        self._tasks[name] = run
        return run

    def send_task(self, name: str, arguments: Sequence[str] = (), **_options: Any) -> None:
        """Let a task wait for its turn."""
        self._sent.append((name, arguments))

    def work(self, name: str, *arguments: str) -> None:
        """Run a task and all that it and its followers send."""
        self.send_task(name, arguments)
        while self._sent:
            sent, given = self._sent.popleft()
            self._tasks[sent](*given)


@dataclass(frozen=True, slots=True)
class Written:
    """A corpus in the memory: its project, and what its sessions and exchanges are called in the labels, by row."""

    project: str
    sessions: dict[str, str]
    exchanges: dict[str, str]
    units: int


@dataclass(slots=True)
class World:
    """The database with the product's tasks at work on it; ``seconds`` sums up what writing took."""

    database: Database
    desk: Desk
    seconds: float = 0.0

    def write(self, corpus: Corpus, report: Report = len) -> Written:
        """Send a corpus' sessions as events and work until they can be recalled. Raises NotWritten."""
        redis, began, told = self.desk.runtime.redis, time.perf_counter(), time.monotonic()
        waiting, count = 0, 0
        for place, held in enumerate(corpus.sessions, start=1):
            lines = list(recall_events.of_session(corpus, held))
            with redis.pipeline(transaction=False) as pipe:
                for line in lines:
                    pipe.xadd(stream_key(CLIENT), {"e": line})
                pipe.execute()
            waiting, count = waiting + len(lines), count + len(lines)
            if waiting >= PORTION or place == len(corpus.sessions):
                self.desk.work("ingest.drain", CLIENT)
                waiting = 0
            if time.monotonic() - told > TELL_EVERY_S:
                told = time.monotonic()
                report(f"  {place} of {len(corpus.sessions)} sessions written, {count} events")
        if len(corpus.sessions) > FEW_SESSIONS:
            self.desk.work("sweep.fold", CLIENT)
        self.seconds += time.perf_counter() - began
        return self._written(corpus)

    def _written(self, corpus: Corpus) -> Written:
        """Check that every session arrived whole, and say what is what."""
        names = {
            recall_events.session_id(corpus, held): held.session
            for held in corpus.sessions
            if held.exchanges or held.calls
        }
        with self.database.tenant(CLIENT) as connection:
            project = lookup(connection, CLIENT, [f"remote:{recall_events.remote(corpus)}"])
            if project is None:
                raise NotWritten(corpus=corpus.name, done=0, of=len(names), kept=0)
            where = {"client": CLIENT, "project": project}
            sessions: dict[str, str] = dict(connection.execute(_SESSIONS, where).all())
            exchanges: dict[str, str] = dict(connection.execute(_EXCHANGES, where).all())
            units = int(connection.scalar(_UNITS, where) or 0)
            kept = int(connection.scalar(_KEPT, {"client": CLIENT}) or 0)
        if len(sessions) != len(names) or kept:
            raise NotWritten(corpus=corpus.name, done=len(sessions), of=len(names), kept=kept)
        return Written(project, {row: names[own] for row, own in sessions.items()}, exchanges, units)


_SESSIONS = text("""
    SELECT session::text, agent_session FROM sessions
    WHERE client = :client AND project = CAST(:project AS uuid) AND state = 'distilled' AND indexed_at >= distilled_at
""")
_EXCHANGES = text("""
    SELECT id::text, event_id::text FROM exchanges WHERE client = :client AND project = CAST(:project AS uuid)
""")
_UNITS = text("SELECT count(*) FROM search_units WHERE client = :client AND project = CAST(:project AS uuid)")
_KEPT = text("SELECT sum(events) FROM ledger_counts WHERE client = :client AND disposition = 'quarantined'")


@contextmanager
def world(embed: bool = True) -> Iterator[World]:
    """Start both servers, and end them afterwards; with ``embed`` units get vectors of the offline model."""
    with scratch_server() as postgres, scratch_queue() as valkey:
        runtime = Runtime(
            WorkerSettings(
                database_url=postgres.url(APPLICATION),
                redis_url=valkey.url(),
                embeddings=Choice("offline" if embed else "off"),
            )
        )
        runtime.database.add_client(CLIENT)
        runtime.stream(CLIENT).prepare()
        try:
            yield World(runtime.database, Desk(runtime))
        finally:
            runtime.redis.close()
            runtime.database.close()
