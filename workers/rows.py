"""From events to the rows they become. Pure: ids and times are given."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from workers.incoming import Incoming

Row = tuple[Any, ...]

MIRRORED = (
    "client",
    "id",
    "received_at",
    "project",
    "session",
    "event_id",
    "origin",
    "origin_version",
    "at",
    "clock",
)
COLUMNS: dict[str, tuple[str, ...]] = {
    "exchanges": (
        *MIRRORED,
        *("agent", "turn", "subagent", "subagent_type", "role", "text", "chars", "cut", "reason"),
    ),
    "observations": (
        *MIRRORED,
        *("agent", "turn", "call", "subagent", "subagent_type", "tool", "server", "target", "shape"),
        *("outcome", "exit_code", "ms", "files", "count", "last_at"),
    ),
    "commits": (
        *MIRRORED,
        *("sha", "parents", "message", "author", "branch", "files", "manifests", "languages"),
        *("languages_before", "exchange", "link"),
    ),
    "messages": (*MIRRORED, "kind", "title", "text", "source"),
    "code_observations": (*MIRRORED, "sha", "commit", "path", "added", "deleted"),
    "windows": ("client", "observation", "fingerprint", "span", "received_at"),
    "ledger": (
        *(
            "client",
            "entry",
            "event_id",
            "key",
            "digest",
            "twins",
            "disposition",
            "kind",
            "mirror",
            "event_at",
        ),
    ),
}


@dataclass(slots=True)
class Place:
    """Where an event belongs: its rows' client, time of arrival, project and session."""

    client: str
    received_at: datetime
    project: str
    session: str | None
    exchange: str | None = None
    link: str | None = None


@dataclass(slots=True)
class Batch:
    """Rows to write, by table, in the order of their columns."""

    rows: dict[str, list[Row]] = field(default_factory=lambda: {table: [] for table in COLUMNS})

    def add(self, table: str, row: Row) -> None:
        """Append one row."""
        self.rows[table].append(row)


def exchange_role(event: Incoming) -> str | None:
    """Who speaks in this event; None where it is no exchange."""
    if event.kind == "prompt":
        return "machine" if event.body.get("machine") else "person"
    return {"reply": "reply", "subagent": "subagent", "compaction": "compaction"}.get(event.kind)


def exchange(event: Incoming, place: Place, row_id: str, role: str) -> Row:
    """A row of ``exchanges``."""
    text = str(event.body.get("text") or "")
    return (
        *_mirrored(event, place, row_id),
        event.agent,
        event.turn,
        event.subagent,
        event.subagent_type,
        role,
        text,
        int(event.body.get("chars") or len(text)),
        bool(event.body.get("cut")),
        event.body.get("reason") or event.body.get("trigger"),
    )


def observation(event: Incoming, place: Place, row_id: str, count: int, last_at: datetime) -> Row:
    """A row of ``observations`` that stands for ``count`` identical calls, the last at ``last_at``."""
    body = event.body
    return (
        *_mirrored(event, place, row_id),
        event.agent,
        event.turn,
        event.call,
        event.subagent,
        event.subagent_type,
        str(body.get("tool") or ""),
        body.get("server"),
        body.get("target"),
        body.get("shape"),
        body.get("outcome") or "unknown",
        body.get("exit"),
        body.get("ms"),
        [str(path) for path in body.get("files") or ()],
        count,
        last_at,
    )


def commit(event: Incoming, place: Place, row_id: str) -> Row:
    """A row of ``commits``."""
    body = event.body
    return (
        *_mirrored(event, place, row_id),
        body["sha"],
        body.get("parents") or [],
        body.get("message") or "",
        body.get("author"),
        body.get("branch"),
        json.dumps(body.get("files") or []),
        json.dumps(body.get("manifests") or []),
        json.dumps(body.get("languages") or {}),
        json.dumps(body.get("languages_before") or {}),
        place.exchange,
        place.link,
    )


def message(event: Incoming, place: Place, row_id: str) -> Row:
    """A row of ``messages``."""
    body = event.body
    kind = "note" if event.event == "note" else "message"
    return (
        *_mirrored(event, place, row_id),
        kind,
        body.get("title") or "",
        body.get("text") or "",
        body.get("source"),
    )


def code_observation(event: Incoming, place: Place, row_id: str, commit_id: str | None, changed: Any) -> Row:
    """A row of ``code_observations`` for one changed file of a commit or of a rescan."""
    return (
        *_mirrored(event, place, row_id),
        event.body.get("sha"),
        commit_id,
        changed["path"],
        changed.get("added"),
        changed.get("deleted"),
    )


def _mirrored(event: Incoming, place: Place, row_id: str) -> Row:
    return (
        place.client,
        row_id,
        place.received_at,
        place.project,
        place.session,
        event.id,
        event.origin,
        event.version,
        event.at,
        event.clock,
    )
