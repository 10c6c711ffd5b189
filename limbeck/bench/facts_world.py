"""The way in and the way out of the fact measures: envelopes through ingest, distilled offline, asked
through recall.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text

from capture.ids import new_id
from distill.offline.distiller import OfflineDistiller
from distill.run import distil_session
from distill.store import facts as fact_store
from limbeck.bench.facts_script import envelopes
from recall.answer import Hit, Scope
from recall.run import index_session
from recall.search import recall
from schema.database import Database
from schema.records import Fact
from workers.incoming import Malformed, read
from workers.ingest import ingest

CLIENT = "bench"


class World:
    """One client in a database of its own."""

    def __init__(self, database: Database) -> None:
        """Make the client known; projects appear with their first session."""
        self.database, self.client = database, CLIENT
        self._entries = itertools.count(1)
        database.add_client(CLIENT)

    def tell(self, project: str, script: Iterable[str], start: datetime) -> str:
        """Bring one session through ingest and the offline distiller, and make it findable; return its id."""
        name = f"session-{new_id()}"
        self._ingest(envelopes(script, project=project, session=name, start=start))
        with self.database.tenant(self.client) as connection:
            session = connection.scalar(
                text("SELECT session::text FROM sessions WHERE client = :client AND agent_session = :name"),
                {"client": self.client, "name": name},
            )
        distil_session(self.database, self.client, str(session), OfflineDistiller())
        index_session(self.database, self.client, str(session))
        return str(session)

    def project(self, name: str) -> str:
        """The id of a project by its name."""
        with self.database.tenant(self.client) as connection:
            found = connection.scalar(
                text("SELECT project::text FROM projects WHERE client = :client AND remote = :remote"),
                {"client": self.client, "remote": f"bench.example/{name}"},
            )
        return str(found)

    def ask(self, project: str, question: str, kinds: Sequence[str] | None = ("fact",)) -> tuple[Hit, ...]:
        """Ask one project; only facts unless ``kinds`` says otherwise."""
        scope = Scope(self.client, (self.project(project),))
        return recall(self.database, scope, question, kinds=kinds, limit=5).hits

    def facts(self, project: str) -> tuple[Fact, ...]:
        """The current facts of a project."""
        with self.database.tenant(self.client) as connection:
            return fact_store.view(connection, self.client, self.project(project))

    def _ingest(self, made: Sequence[dict[str, Any]]) -> None:
        now = datetime.now(UTC)
        events = []
        for envelope in made:
            found = read(f"{next(self._entries)}-0", json.dumps(envelope).encode(), now)
            if isinstance(found, Malformed):
                raise ValueError(found.reason)
            events.append(found)
        with self.database.tenant(self.client) as connection:
            ingest(connection, self.client, events, now=now)
