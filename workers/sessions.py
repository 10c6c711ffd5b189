"""Sessions in the database: seen, moved by the pure table, handed to the distiller."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, text

from schema.ids import new_id
from workers.incoming import Incoming
from workers.lifecycle import Effect, Signal, State, transition


@dataclass(slots=True)
class Live:
    """A session while a batch moves it. ``due`` says that it must be distilled after the commit."""

    id: str
    project: str
    agent: str
    agent_session: str
    state: State
    started_at: datetime
    last_at: datetime
    ended_at: datetime | None
    end_reason: str | None
    cwd: str | None
    model: str | None
    origin: str
    due: bool = False

    def move(self, signal: Signal) -> None:
        """Apply one signal."""
        self.state, effect = transition(self.state, signal)
        self.due = self.due or effect is Effect.DISTIL

    def see(self, event: Incoming) -> None:
        """Take in one event of this session: where it is late, on time, or the end."""
        if event.kind == "session.end":
            self.move(Signal.END)
            self.ended_at = max(event.at, self.ended_at or event.at)
            self.end_reason = event.body.get("reason") or self.end_reason
        elif self.ended_at is not None and event.at <= self.ended_at:
            self.move(Signal.LATE)
        else:
            self.move(Signal.ACTIVITY)
        self.started_at = min(self.started_at, event.at)
        self.last_at = max(self.last_at, event.at)
        self.model = event.body.get("model") or self.model
        self.cwd = self.cwd or event.cwd


Name = tuple[str, str]


def load(connection: Connection, client: str, names: Iterable[Name]) -> dict[Name, Live]:
    """Lock and return the known sessions among ``names`` (pairs of agent and the agent's own id)."""
    pairs = list(names)
    rows = connection.execute(
        text("""
            SELECT session::text AS id, project::text, agent, agent_session, state, started_at, last_at, ended_at,
                   end_reason, cwd, model, origin
            FROM sessions
            WHERE client = :client AND (agent, agent_session) IN
                  (SELECT * FROM unnest(:agents ::text[], :sessions ::text[]))
            ORDER BY session FOR UPDATE
        """),
        {"client": client, "agents": [pair[0] for pair in pairs], "sessions": [pair[1] for pair in pairs]},
    ).mappings()
    found = (Live(**{**row, "state": State(row["state"])}) for row in rows)
    return {(live.agent, live.agent_session): live for live in found}


def fresh(event: Incoming, project: str) -> Live:
    """A session first heard of through ``event``."""
    return Live(
        id=new_id(int(event.at.timestamp() * 1000)),
        project=project,
        agent=event.agent,
        agent_session=event.session or "",
        state=State.ACTIVE,
        started_at=event.at,
        last_at=event.at,
        ended_at=None,
        end_reason=None,
        cwd=event.cwd,
        model=event.body.get("model"),
        origin=event.origin,
    )


def save(connection: Connection, client: str, sessions: Sequence[Live]) -> None:
    """Write the batch's sessions back; activity makes room for new attempts at distilling."""
    if sessions:
        rows = json.dumps([_row(client, live) for live in sessions], default=datetime.isoformat)
        connection.execute(_SAVE, {"rows": rows})


def _row(client: str, live: Live) -> dict[str, object]:
    columns = {name: getattr(live, name) for name in COLUMNS}
    return {"client": client, "session": live.id, **columns}


COLUMNS = ("project", "agent", "agent_session", "state", "started_at", "last_at", "ended_at", "end_reason", "cwd",
           "model", "origin")  # fmt: skip
_SAVE = text("""
    INSERT INTO sessions (client, session, project, agent, agent_session, state, started_at, last_at, seen_at,
                          ended_at, end_reason, cwd, model, origin)
    SELECT client, session, project, agent, agent_session, state, started_at, last_at, clock_timestamp(), ended_at,
           end_reason, cwd, model, origin
    FROM json_populate_recordset(NULL::sessions, cast(:rows AS json))
    ON CONFLICT (client, session) DO UPDATE SET
        state = excluded.state, started_at = excluded.started_at, last_at = excluded.last_at,
        seen_at = excluded.seen_at, ended_at = excluded.ended_at, end_reason = excluded.end_reason,
        cwd = excluded.cwd, model = excluded.model, distil_attempts = 0, distil_error = NULL, distil_after = NULL
""")


def replace_quiet(
    connection: Connection, client: str, live: Live, at: datetime, quiet_after: timedelta
) -> list[str]:
    """End the sessions that ``live``'s start takes the place of: same project, agent and folder, silent long enough."""
    return _move(
        connection,
        client,
        Signal.REPLACED,
        """
            project = :project AND agent = :agent AND cwd = :cwd AND session <> :session
            AND state IN ('active', 'idle', 'reopened') AND last_at <= :before
        """,
        {
            "project": live.project,
            "agent": live.agent,
            "cwd": live.cwd,
            "session": live.id,
            "before": at - quiet_after,
        },
        via=Signal.QUIET,
    )


def time_out(connection: Connection, client: str, now: datetime, idle_after: timedelta) -> list[str]:
    """End the sessions that have been silent for ``idle_after`` (by arrival: an old import is not silence)."""
    return _move(
        connection,
        client,
        Signal.TIMEOUT,
        "state IN ('active', 'idle', 'reopened') AND seen_at <= :before",
        {"before": now - idle_after},
    )


def mark_quiet(connection: Connection, client: str, now: datetime, quiet_after: timedelta) -> None:
    """Mark sessions silent for ``quiet_after`` as idle."""
    _move(
        connection,
        client,
        Signal.QUIET,
        "state IN ('active', 'reopened') AND seen_at <= :before",
        {"before": now - quiet_after},
    )


def undistilled(connection: Connection, client: str, limit: int, attempts: int) -> list[str]:
    """Ended sessions whose turn at the distiller has come, oldest first.

    Those that failed ``attempts`` times are left, unless a time to try again was set.
    """
    statement = text("""
        SELECT session::text FROM sessions
        WHERE client = :client AND state = 'ended'
          AND (distil_attempts < :attempts OR distil_after IS NOT NULL)
          AND (distil_after IS NULL OR distil_after <= now())
        ORDER BY seen_at LIMIT :limit
    """)
    return list(connection.scalars(statement, {"client": client, "limit": limit, "attempts": attempts}))


def unindexed(connection: Connection, client: str, limit: int) -> list[str]:
    """Distilled sessions that recall does not know of yet as they are, oldest first."""
    statement = text("""
        SELECT session::text FROM sessions
        WHERE client = :client AND state = 'distilled' AND (indexed_at IS NULL OR indexed_at < distilled_at)
        ORDER BY distilled_at LIMIT :limit
    """)
    return list(connection.scalars(statement, {"client": client, "limit": limit}))


def _move(
    connection: Connection,
    client: str,
    signal: Signal,
    condition: str,
    values: dict[str, object],
    via: Signal | None = None,
) -> list[str]:
    """Send ``signal`` to every session that meets ``condition``; return those to distil."""
    due = []
    rows = connection.execute(
        text(f"""
            SELECT session::text, state FROM sessions
            WHERE client = :client AND {condition} ORDER BY session FOR UPDATE
        """),  # noqa: S608 - the condition is one of the constants above
        {"client": client, **values},
    ).all()
    for session, held in rows:
        state = State(held)
        if via is not None:
            state, _ = transition(state, via)
        state, effect = transition(state, signal)
        connection.execute(
            text("""
                UPDATE sessions SET state = :state,
                       ended_at = CASE WHEN :state = 'ended' THEN coalesce(ended_at, last_at) ELSE ended_at END,
                       end_reason = CASE WHEN :state = 'ended' THEN coalesce(end_reason, :reason) ELSE end_reason END
                WHERE client = :client AND session = :session
            """),
            {"state": state.value, "client": client, "session": session, "reason": signal.value},
        )
        if effect is Effect.DISTIL:
            due.append(session)
    return due
