"""Labelled sets of coding sessions: DevMemBench, and commits with the sessions that made them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from limbeck.bench.labelled import ROOT, Ask, Called, Corpus, Held, LabelledSet, number
from schema.records import Exchange, Role

# How an agent's harness begins what it says of a conversation that it has compacted.
CONTINUED = "This session is being continued from a previous conversation"
_FIELD = re.compile(r'"(file_path|notebook_path|path|command)"\s*:\s*"((?:[^"\\]|\\.)*)"')


def devmembench(folder: Path) -> LabelledSet:
    """``sessions.json`` and ``questions.json`` of DevMemBench; questions without a session are to be declined."""
    sessions = tuple(_devmem_session(raw) for raw in _load(folder / "sessions.json"))
    asks = tuple(
        Ask(raw["question"], frozenset(raw["haystackSessionIds"]), raw["questionType"])
        for raw in _load(folder / "questions.json")
    )
    last = max(held.exchanges[-1].at for held in sessions)
    return LabelledSet(folder.name, (Corpus(folder.name, sessions, asks, last),))


def commits(folder: Path) -> LabelledSet:
    """Sessions and the commits made in them: the question is a commit's subject, gold the sessions that made it."""
    sessions = tuple(_entire_session(raw) for raw in _load(folder / "sessions.json"))
    asks = tuple(
        Ask(raw["subject"], frozenset(raw["gs"]), "commit", files=tuple(raw.get("files", ())))
        for raw in _load(folder / "queries.json")
    )
    last = max(held.exchanges[-1].at for held in sessions if held.exchanges)
    note = "the gold sessions come from the same commits as the files: with files known it is an upper bound"
    return LabelledSet(folder.name, (Corpus(folder.name, sessions, asks, last),), note)


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
    """Tool calls are no talk; where the repository lay is told by the files that they and the session name."""
    begin = _time(raw["created"])
    exchanges, calls = [], []
    for place, turn in enumerate(raw["turns"]):
        at = _time(turn["ts"]) if turn.get("ts") else begin
        if turn["role"] == "tool":
            calls.append(_call(turn, at))
        else:
            exchanges.append(
                Exchange(number("commits", raw["sid"], str(place)), _role(turn), turn["text"], at)
            )
    files = tuple(raw.get("files", ()))
    root = _root([call.path for call in calls if call.path], files) or ROOT
    return Held(raw["sid"], tuple(exchanges), files, tuple(calls), root)


def _role(turn: dict[str, Any]) -> Role:
    if turn["role"] != "user":
        return Role.REPLY
    return Role.COMPACTION if turn["text"].startswith(CONTINUED) else Role.PERSON


def _call(turn: dict[str, Any], at: datetime) -> Called:
    """A tool call by its name and its input, which may be cut short."""
    given = turn.get("text") or ""
    fields = {name: _unquoted(value) for name, value in _FIELD.findall(given)}
    path = fields.get("file_path") or fields.get("notebook_path") or fields.get("path")
    return Called(at, str(turn.get("name") or "unknown"), path, fields.get("command"))


def _unquoted(value: str) -> str:
    try:
        return str(json.loads(f'"{value}"'))
    except ValueError:
        return value


def _root(paths: Sequence[str], files: Sequence[str]) -> str | None:
    """The folder in which most of ``paths`` (absolute) are some of ``files`` (relative to it)."""
    wanted = tuple(f"/{file}" for file in files)
    found = Counter(
        path.removesuffix(end)
        for path in paths
        for end in wanted
        if path.startswith("/") and path.endswith(end)
    )
    return found.most_common(1)[0][0] if found else None


def _time(written: str) -> datetime:
    at = datetime.fromisoformat(written)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
