"""From events to the rows they become: one dict a row, named like the columns. Pure: ids and times are given.

Times and bytes are written as Postgres reads them, since rows travel as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from workers.incoming import Incoming

Row = dict[str, Any]
TABLES = ("exchanges", "observations", "commits", "messages", "code_observations", "measures", "symbols", "windows",
          "ledger")  # fmt: skip


@dataclass(slots=True)
class Place:
    """Where an event belongs: client, time of arrival, project and session."""

    client: str
    received_at: str
    project: str
    session: str | None


@dataclass(slots=True)
class Batch:
    """Rows to write, by table; the rows of a table all have the same keys."""

    rows: dict[str, list[Row]] = field(default_factory=lambda: {table: [] for table in TABLES})

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
    return _mirrored(event, place, row_id) | {
        "agent": event.agent,
        "turn": event.turn,
        "subagent": event.subagent,
        "subagent_type": event.subagent_type,
        "role": role,
        "text": text,
        "chars": int(event.body.get("chars") or len(text)),
        "cut": bool(event.body.get("cut")),
        "reason": event.body.get("reason") or event.body.get("trigger"),
    }


def observation(event: Incoming, place: Place, row_id: str, count: int, last_at: datetime) -> Row:
    """A row of ``observations`` that stands for ``count`` identical calls, the last at ``last_at``."""
    body = event.body
    return _mirrored(event, place, row_id) | {
        "agent": event.agent,
        "turn": event.turn,
        "call": event.call,
        "subagent": event.subagent,
        "subagent_type": event.subagent_type,
        "tool": str(body.get("tool") or ""),
        "server": body.get("server"),
        "target": body.get("target"),
        "shape": body.get("shape"),
        "outcome": body.get("outcome") or "unknown",
        "exit_code": body.get("exit"),
        "ms": body.get("ms"),
        "files": [str(path) for path in body.get("files") or ()],
        "count": count,
        "last_at": last_at.isoformat(),
    }


def commit(event: Incoming, place: Place, row_id: str) -> Row:
    """A row of ``commits``; links.link finds its session and prompt."""
    body = event.body
    return _mirrored(event, place, row_id) | {
        "sha": body["sha"],
        "parents": body.get("parents") or [],
        "message": body.get("message") or "",
        "author": body.get("author"),
        "branch": body.get("branch"),
        "files": body.get("files") or [],
        "manifests": body.get("manifests") or [],
        "languages": body.get("languages") or {},
        "languages_before": body.get("languages_before") or {},
    }


def message(event: Incoming, place: Place, row_id: str) -> Row:
    """A row of ``messages``."""
    body = event.body
    return _mirrored(event, place, row_id) | {
        "kind": "note" if event.event == "note" else "message",
        "title": body.get("title") or "",
        "text": body.get("text") or "",
        "source": body.get("source"),
    }


def code_observation(event: Incoming, place: Place, row_id: str, commit_id: str | None, changed: Row) -> Row:
    """A row of ``code_observations`` for one changed file of a commit or of a rescan."""
    return _mirrored(event, place, row_id) | {
        "sha": event.body.get("sha") or "",
        "commit": commit_id,
        "path": changed["path"],
        "added": changed.get("added"),
        "deleted": changed.get("deleted"),
    }


def measure(event: Incoming, place: Place, row_id: str, file: Row) -> Row:
    """A row of ``measures``: one file that a commit changed, with its complexity before and after."""
    return _mirrored(event, place, row_id) | {
        "sha": event.body.get("sha") or "",
        "path": file["path"],
        "language": file["language"],
        "complexity_before": file.get("complexity_before"),
        "complexity_after": file.get("complexity_after"),
        "functions_before": file.get("functions_before"),
        "functions_after": file.get("functions_after"),
        "symbols_total": file.get("symbols_total", len(file.get("symbols") or ())),
        "broken": bool(file.get("broken")),
        "skipped": file.get("skipped"),
    }


def symbol(event: Incoming, place: Place, row_id: str, path: str, told: Row) -> Row:
    """A row of ``symbols``: one function, method, class or type that a commit added, changed or removed."""
    return _mirrored(event, place, row_id) | {
        "sha": event.body.get("sha") or "",
        "path": path,
        "name": told["name"],
        "kind": told["kind"],
        "change": told["change"],
        "first_line": told["start"],
        "last_line": told["end"],
        "complexity_before": told.get("before"),
        "complexity_after": told.get("after"),
    }


def octets(value: bytes) -> str:
    """Bytes as Postgres reads them."""
    return "\\x" + value.hex()


def _mirrored(event: Incoming, place: Place, row_id: str) -> Row:
    return {
        "client": place.client,
        "id": row_id,
        "received_at": place.received_at,
        "project": place.project,
        "session": place.session,
        "event_id": event.id,
        "origin": event.origin,
        "origin_version": event.version,
        "at": event.at.isoformat(),
        "clock": event.clock,
    }
