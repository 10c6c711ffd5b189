"""Labelled sets of coding sessions: DevMemBench, and commits with the sessions that made them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from limbeck.bench.labelled import Ask, Corpus, Held, LabelledSet, number
from schema.records import Exchange, Role


def devmembench(folder: Path) -> LabelledSet:
    """``sessions.json`` and ``questions.json`` of DevMemBench; questions without a session are to be declined."""
    sessions = tuple(_devmem_session(raw) for raw in _load(folder / "sessions.json"))
    asks = tuple(
        Ask(raw["question"], frozenset(raw["haystackSessionIds"]), raw["questionType"])
        for raw in _load(folder / "questions.json")
    )
    last = max(held.exchanges[-1].at for held in sessions)
    return LabelledSet(folder.name, (Corpus(folder.name, sessions, asks, last + timedelta(days=1)),))


def commits(folder: Path) -> LabelledSet:
    """Sessions and the commits made in them: the question is a commit's subject, gold the sessions that made it."""
    sessions = tuple(_entire_session(raw) for raw in _load(folder / "sessions.json"))
    asks = tuple(
        Ask(raw["subject"], frozenset(raw["gs"]), "commit", files=tuple(raw.get("files", ())))
        for raw in _load(folder / "queries.json")
    )
    last = max(held.exchanges[-1].at for held in sessions if held.exchanges)
    note = "the gold sessions come from the same commits as the files: with files known it is an upper bound"
    return LabelledSet(folder.name, (Corpus(folder.name, sessions, asks, last + timedelta(days=1)),), note)


def _devmem_session(raw: dict[str, Any]) -> Held:
    begin = datetime.fromisoformat(raw["metadata"]["date"]).replace(tzinfo=UTC)
    return Held(
        raw["sessionId"],
        tuple(
            Exchange(
                number("devmembench", raw["sessionId"], str(place)),
                Role.PERSON if message["role"] == "user" else Role.REPLY,
                message["content"],
                begin + timedelta(minutes=place),
            )
            for place, message in enumerate(raw["messages"])
        ),
    )


def _entire_session(raw: dict[str, Any]) -> Held:
    """Tool calls stand for the files they touched and are no talk."""
    begin = _time(raw["created"])
    return Held(
        raw["sid"],
        tuple(
            Exchange(
                number("commits", raw["sid"], str(place)),
                Role.PERSON if turn["role"] == "user" else Role.REPLY,
                turn["text"],
                _time(turn["ts"]) if turn.get("ts") else begin,
            )
            for place, turn in enumerate(raw["turns"])
            if turn["role"] != "tool"
        ),
        files=tuple(raw.get("files", ())),
    )


def _time(written: str) -> datetime:
    at = datetime.fromisoformat(written)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
