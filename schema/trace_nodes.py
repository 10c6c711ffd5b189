"""What a trace is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

MOST = 50


@dataclass(frozen=True, slots=True)
class Node:
    """One thing on the way; ``text`` is empty where its row is no more.

    ``dropped_at`` is when retention took it, ``forgotten_at`` when it was forgotten for good.
    """

    kind: str
    id: str
    at: datetime | None
    text: str = ""
    session: str | None = None
    commit: str | None = None
    dropped_at: datetime | None = None
    forgotten_at: datetime | None = None
    link: str | None = None


@dataclass(slots=True)
class Trace:
    """``because`` are the mirror rows it rests on; facts, events, summaries, drafts, items in ``led_to`` rest on it.

    ``symbols`` are what a commit changed. ``more`` names the parts of which only the first are told.
    """

    what: Node
    because: list[Node] = field(default_factory=list)
    sessions: list[Node] = field(default_factory=list)
    prompts: list[Node] = field(default_factory=list)
    commits: list[Node] = field(default_factory=list)
    symbols: list[Node] = field(default_factory=list)
    led_to: list[Node] = field(default_factory=list)
    more: list[str] = field(default_factory=list)


def node_of(row: Mapping[str, Any]) -> Node:
    """The node that a row of a trace's statements tells of."""
    session = row["session"]
    return Node(
        kind=row["kind"],
        id=str(row["id"]),
        at=row["at"],
        text=" ".join((row["text"] or "").split()),
        session=str(session) if session else None,
        commit=row.get("commit"),
        link=row.get("link"),
    )
