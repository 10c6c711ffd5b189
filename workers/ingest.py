"""A batch of events becomes rows: each entry gets exactly one disposition, in one transaction.

The order of decisions: known entry (nothing), known identity (redelivered), open window (merged), else stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection

from schema import uses
from schema.ids import new_id
from workers import links, mirror, outcomes, projects, quarantine, rows, sessions
from workers.identity import TWIN_REACH, digest, key, looks, project_keys
from workers.incoming import Incoming
from workers.rows import Batch, Place
from workers.window import Windows

QUIET_AFTER = timedelta(minutes=5)


@dataclass(slots=True)
class Stored:
    """What a batch came to: after the commit, ``due`` sessions are to distil, and the ``messages`` of these projects
    to be indexed."""

    dispositions: Counter[str] = field(default_factory=Counter)
    due: set[str] = field(default_factory=set)
    messages: set[str] = field(default_factory=set)
    rewritten: set[str] = field(default_factory=set)  # projects with amended or rebased commits
    committed: set[str] = field(default_factory=set)  # projects with commits to be read


def ingest(
    connection: Connection,
    client: str,
    events: Sequence[Incoming],
    rejected: Sequence[quarantine.Rejected] = (),
    *,
    now: datetime,
    quiet_after: timedelta = QUIET_AFTER,
) -> Stored:
    """Write ``events`` (decoded and redacted, in stream order) and quarantine ``rejected``.

    Runs inside ``Database.tenant(client)``; ``now`` is the time of arrival. Any error leaves nothing behind.
    """
    mirror.serialise(connection, client)
    entries = [event.entry for event in events] + [one.entry for one in rejected]
    done = mirror.known_entries(connection, client, entries)
    stored = Stored()
    held = [one for one in rejected if one.entry not in done]
    quarantine.hold(connection, client, held)
    stored.dispositions["quarantined"] += len(held)
    fresh = [event for event in events if event.entry not in done]
    if fresh:
        _Writer(connection, client, now, quiet_after, stored).run(fresh)
    mirror.count(connection, client, {name: n for name, n in stored.dispositions.items() if n})
    return stored


class _Writer:
    """The state of one batch while its events are placed one after another."""

    def __init__(
        self, connection: Connection, client: str, now: datetime, quiet_after: timedelta, stored: Stored
    ) -> None:
        self.connection, self.client, self.now, self.quiet_after = connection, client, now, quiet_after
        self.stored = stored
        self.received_at = now.isoformat()
        self.batch = Batch()
        self.live: dict[sessions.Name, sessions.Live] = {}
        self.said: dict[str, tuple[str, bytes | None]] = {}
        self.homes: dict[str, str] = {}
        self.keys: dict[str, str | None] = {}
        self.twins: dict[bytes, list[tuple[datetime, str | None]]] = {}
        self.prints: dict[str, str] = {}
        self.windows: dict[str, Windows] = {}
        self.opened: dict[str, tuple[Incoming, Place, int, datetime]] = {}
        self.merged: dict[str, mirror.Merged] = {}
        self.commits: dict[str, str | None] = {}
        self.after: list[tuple[Incoming, Place]] = []
        self.replies: list[str] = []

    def run(self, events: Sequence[Incoming]) -> None:
        """Place every event, then write once."""
        self._load(events)
        hits: dict[str, Counter[str]] = {"hook": Counter(), "worker": Counter()}
        for event in events:
            self._place(event)
            if event.redactions:
                hits["hook"].update(event.redactions)
            if event.caught:
                hits["worker"].update(event.caught)
        for row_id, (event, place, count, last_at) in self.opened.items():
            self.batch.add("observations", rows.observation(event, place, row_id, count, last_at))
        sessions.save(self.connection, self.client, list(self.live.values()))
        mirror.write(self.connection, self.batch)
        mirror.merge_into(self.connection, self.client, list(self.merged.values()))
        self._follow_up()
        self._count_uses()
        for net, caught in hits.items():
            mirror.count_redactions(self.connection, self.client, net, caught)
        self.stored.due.update(live.id for live in self.live.values() if live.due)

    def _count_uses(self) -> None:
        """Which memories sessions were given at their start, and which ones replies name."""
        fresh = [
            event for event, _ in self.after if event.kind == "session.start" and event.body.get("brief")
        ]
        uses.given(self.connection, self.client, [str(event.body["brief"]) for event in fresh], self.now)
        uses.cite(self.connection, self.client, self.replies, self.now)

    def _load(self, events: Sequence[Incoming]) -> None:
        """Read once what the whole batch needs to know."""
        connection, client = self.connection, self.client
        own = {(event.agent, event.session) for event in events if event.session and event.agent != "git"}
        self.live = sessions.load(connection, client, own)
        self.projects = projects.resolve(
            connection,
            client,
            [event for event in events if not (self._astray(event) or self._placeless(event))],
        )
        self.said = {event.entry: (named := key(event), digest(event, named)) for event in events}
        self.keys = mirror.known_keys(connection, client, [named for named, _ in self.said.values()])
        digests = [found for _, found in self.said.values() if found]
        self.twins = mirror.known_twins(connection, client, digests) if digests else {}
        calls = [event for event in events if event.kind == "tool"]
        if calls:
            self.prints = {event.entry: looks(event, self._project(event)).fingerprint for event in calls}
            times = [event.at for event in calls]
            prints = list(set(self.prints.values()))
            self.windows = mirror.windows(connection, client, prints, min(times), max(times))

    def _placeless(self, event: Incoming) -> bool:
        """True for what belongs to no project: the beginning or end of a session that has no name."""
        return event.kind in ("session.start", "session.end") and not event.session

    def _astray(self, event: Incoming) -> bool:
        """True outside any repository in a session whose project is known: the session's project is meant."""
        known = (event.agent, event.session or "") in self.live
        return known and not (event.project.get("remote") or event.project.get("id"))

    def _project(self, event: Incoming) -> str:
        found = self.homes.get(event.entry)
        if found is None:
            astray = self._astray(event)
            found = (
                self.live[event.agent, event.session or ""].project
                if astray
                else self.projects[project_keys(event)[0]]
            )
            self.homes[event.entry] = found
        return found

    def _place(self, event: Incoming) -> None:
        identity, said = self.said[event.entry]
        again, row = self._seen(event, identity, said)
        if again:
            self._record(event, "redelivered", identity, said, row)
            return
        if self._placeless(event):
            disposition, row = "stored", None
        else:
            disposition, row = self._store(event, self._where(event))
        self._record(event, disposition, identity, said, row)
        self.keys[identity] = row
        if said:
            self.twins.setdefault(said, []).append((event.at, row))

    def _seen(self, event: Incoming, identity: str, said: bytes | None) -> tuple[bool, str | None]:
        """True (with the row it is) where this event was accepted before."""
        if identity in self.keys:
            return True, self.keys[identity]
        for at, row in self.twins.get(said, ()) if said else ():
            if event.origin == "import" or abs(event.at - at) < 2 * TWIN_REACH:
                return True, row
        return False, None

    def _where(self, event: Incoming) -> Place:
        """The project and session of an event; a session first heard of is made here."""
        project = self._project(event)
        if not event.session or event.agent == "git":
            return Place(self.client, self.received_at, project, None)
        name = (event.agent, event.session)
        live = self.live.get(name)
        if live is None:
            live = self.live[name] = sessions.fresh(event, project)
            if event.kind == "session.start" and live.cwd:
                quiet = sessions.replace_quiet(self.connection, self.client, live, event.at, self.quiet_after)
                self.stored.due.update(quiet)
        live.see(event)
        return Place(self.client, self.received_at, project, live.id)

    def _store(self, event: Incoming, place: Place) -> tuple[str, str | None]:
        """Add the rows of a new event; return its disposition and mirror row."""
        if event.kind == "tool":
            return self._observe(event, place)
        row_id = new_id(int(event.at.timestamp() * 1000))
        role = rows.exchange_role(event)
        if role is not None:
            self.batch.add("exchanges", rows.exchange(event, place, row_id, role))
            if event.kind == "reply":
                self.replies.append(str(event.body.get("text") or ""))
        elif event.kind == "commit":
            self.batch.add("commits", rows.commit(event, place, row_id))
            self.commits[row_id] = event.session
            self.stored.committed.add(place.project)
            for changed in event.body.get("files") or ():
                observed = new_id(int(event.at.timestamp() * 1000))
                self.batch.add(
                    "code_observations", rows.code_observation(event, place, observed, row_id, changed)
                )
        elif event.kind == "symbols":
            return "stored", self._measure(event, place)
        elif event.kind == "message":
            self.batch.add("messages", rows.message(event, place, row_id))
            self.stored.messages.add(place.project)
        else:
            self.after.append((event, place))
            return "stored", place.session
        return "stored", row_id

    def _measure(self, event: Incoming, place: Place) -> str | None:
        """Add what a commit did to symbols; the event's row is that of its first file."""
        at = int(event.at.timestamp() * 1000)
        ids = []
        for file in event.body.get("files") or ():
            ids.append(new_id(at))
            self.batch.add("measures", rows.measure(event, place, ids[-1], file))
            for told in file.get("symbols") or ():
                self.batch.add("symbols", rows.symbol(event, place, new_id(at), file["path"], told))
        return ids[0] if ids else None

    def _observe(self, event: Incoming, place: Place) -> tuple[str, str | None]:
        """Open a five-minute window, or merge into the open one."""
        fingerprint = self.prints[event.entry]
        found = self.windows.setdefault(fingerprint, Windows())
        window = found.find(event.at)
        if window is None:
            row_id = new_id(int(event.at.timestamp() * 1000))
            window = found.open(event.at, row_id)
            self.opened[row_id] = (event, place, 1, event.at)
            span = mirror.span(window.start, window.end)
            self.batch.add(
                "windows",
                {
                    "client": self.client,
                    "observation": row_id,
                    "fingerprint": fingerprint,
                    "span": span,
                    "received_at": self.received_at,
                },
            )
            return "stored", row_id
        row_id = window.observation
        if row_id in self.opened:
            first, where, count, last_at = self.opened[row_id]
            self.opened[row_id] = (first, where, count + 1, max(last_at, event.at))
        else:
            merged = self.merged.setdefault(row_id, mirror.Merged(window, 0, event.at))
            merged.more += 1
            merged.last_at = max(merged.last_at, event.at)
        return "merged", row_id

    def _record(
        self, event: Incoming, disposition: str, identity: str, said: bytes | None, row: str | None
    ) -> None:
        """The event's line in the ledger."""
        twins = mirror.span(event.at - TWIN_REACH, event.at + TWIN_REACH) if said else None
        self.stored.dispositions[disposition] += 1
        self.batch.add(
            "ledger",
            {
                "client": self.client,
                "entry": event.entry,
                "event_id": event.id,
                "key": identity,
                "digest": rows.octets(said) if said else None,
                "twins": twins,
                "disposition": disposition,
                "kind": event.kind,
                "mirror": row,
                "event_at": event.at.isoformat(),
            },
        )

    def _follow_up(self) -> None:
        """What needs the rows in place: commits find their sessions, rewrites and outcomes their targets."""
        for event, place in self.after:
            if event.kind == "rewrite":
                pairs = event.body.get("pairs") or ()
                mirror.rewrite(self.connection, self.client, place.project, pairs)
                self.stored.rewritten.add(place.project)
                self.stored.due.update(
                    links.rewritten(self.connection, self.client, place.project, pairs, event.session)
                )
            elif event.kind == "outcomes":
                moved = outcomes.complete(self.connection, self.client, event)
                self.stored.dispositions.update(moved)
        if self.commits:
            mirror.catch_up(self.connection, self.client, list(self.commits))
            self.stored.due.update(links.link(self.connection, self.client, self.commits))
