"""Labelled sets of long chats: LoCoMo and REALTALK (two people), LongMemEval (a person and an assistant).

A turn of two people's chat reads ``Name: words [photo: caption]``, as somebody would paste it. What is broken in a
question (no text, evidence that names no turn) leaves that question out and never stops a run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from limbeck.bench.labelled import Ask, Corpus, Held, LabelledSet, number
from schema.records import Exchange, Role

_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)", re.IGNORECASE)
_FORMS = ("%I:%M %p on %d %B, %Y", "%Y/%m/%d (%a) %H:%M", "%Y/%m/%d", "%d.%m.%Y, %H:%M:%S", "%d.%m.%Y, %H:%M")
NOTE = "questions whose evidence names no turn are left out"
BEGIN = datetime(2023, 1, 1, tzinfo=UTC)
APART = timedelta(days=1)  # between sessions that tell no time
STEP = timedelta(seconds=30)  # between turns that tell none


def locomo(name: str, data: list[dict[str, Any]]) -> LabelledSet:
    """Conversations of two people; ``evidence`` names turns as D<session>:<turn>."""
    corpora = [
        _talk(f"{name}/{raw.get('sample_id', place)}", raw["conversation"], raw["qa"])
        for place, raw in enumerate(data)
    ]
    return LabelledSet(name, tuple(corpora), NOTE)


def is_realtalk(data: object) -> bool:
    """Whether ``data`` is one chat of REALTALK: an object that holds its sessions beside its questions."""
    return isinstance(data, dict) and "qa" in data and any(_SESSION.fullmatch(field) for field in data)


def realtalk(folder: Path) -> LabelledSet:
    """Every ``Chat_*.json`` in ``folder``: a chat of two people with its questions, its turns named as LoCoMo's."""
    read = [(path.stem, json.loads(path.read_text("utf-8"))) for path in sorted(folder.glob("Chat_*.json"))]
    corpora = (_talk(f"realtalk/{name}", data, data["qa"]) for name, data in read if is_realtalk(data))
    return LabelledSet("realtalk", tuple(corpora), NOTE)


def one_realtalk(name: str, data: dict[str, Any]) -> LabelledSet:
    """A single chat of REALTALK."""
    return LabelledSet(name, (_talk(f"realtalk/{name}", data, data["qa"]),), NOTE)


def longmemeval(name: str, data: list[dict[str, Any]]) -> LabelledSet:
    """Every question has a haystack of sessions of its own; ids with ``_abs`` in them are to be declined."""
    corpora = []
    for raw in data:
        key = f"{name}/{raw['question_id']}"
        sessions, turns = _haystack(key, raw)
        declined = "_abs" in raw["question_id"]
        ask = Ask(
            str(raw["question"]),
            frozenset() if declined else frozenset(raw["answer_session_ids"]),
            raw.get("question_type", ""),
            turns=frozenset() if declined else turns,
        )
        asked = _time(raw.get("question_date")) or _last(sessions)
        corpora.append(Corpus(key, sessions, (ask,), asked))
    return LabelledSet(name, tuple(corpora))


def _talk(key: str, fields: Mapping[str, Any], questions: list[Any]) -> Corpus:
    """A chat of two people: its sessions are the fields ``session_1`` and so on."""
    sessions = tuple(_sessions(key, fields))
    asks = (_ask(key, qa) for qa in questions if isinstance(qa, dict) and qa.get("question"))
    return Corpus(key, sessions, tuple(ask for ask in asks if ask.gold), _last(sessions))


def _sessions(key: str, fields: Mapping[str, Any]) -> Iterator[Held]:
    numbered = sorted(
        (int(match[1]), turns)
        for field, turns in fields.items()
        if (match := _SESSION.fullmatch(field)) and isinstance(turns, list) and turns
    )
    begin = BEGIN
    for session, turns in numbered:
        begin = _time(fields.get(f"session_{session}_date_time")) or _time(turns[0].get("date_time")) or begin
        exchanges, at = [], begin
        for place, turn in enumerate(turns, start=1):
            at = _time(turn.get("date_time")) or begin + (place - 1) * STEP
            named = _turn(turn.get("dia_id")) or (session, place)
            exchanges.append(Exchange(_turn_id(key, named), Role.PERSON, _spoken(turn), at))
        yield Held(str(session), tuple(exchanges))
        begin = at + APART


def _spoken(turn: Mapping[str, Any]) -> str:
    words = turn.get("clean_text") or turn.get("text") or ""
    caption = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn.get('speaker', 'Somebody')}: {words}{caption}"


def _ask(key: str, qa: Mapping[str, Any]) -> Ask:
    evidence = qa.get("evidence") or ()
    written = [evidence] if isinstance(evidence, str) else evidence
    named = [(int(session), int(turn)) for one in written for session, turn in _TURN.findall(str(one))]
    return Ask(
        str(qa["question"]),
        frozenset(str(session) for session, _ in named),
        str(qa.get("category", "")),
        turns=frozenset(_turn_id(key, one) for one in named),
    )


def _turn(written: object) -> tuple[int, int] | None:
    match = _TURN.search(str(written or ""))
    return (int(match[1]), int(match[2])) if match else None


def _turn_id(key: str, named: tuple[int, int]) -> str:
    return number(key, f"D{named[0]}:{named[1]}")


def _haystack(key: str, raw: dict[str, Any]) -> tuple[tuple[Held, ...], frozenset[str]]:
    held, gold = [], set()
    ids, dates = raw["haystack_session_ids"], raw["haystack_dates"]
    for session, date, turns in zip(ids, dates, raw["haystack_sessions"], strict=True):
        begin = _time(date) or BEGIN
        exchanges = []
        for place, turn in enumerate(turns):
            identifier = number(key, session, str(place))
            role = Role.PERSON if turn["role"] == "user" else Role.REPLY
            exchanges.append(Exchange(identifier, role, str(turn.get("content") or ""), begin + place * STEP))
            if turn.get("has_answer"):
                gold.add(identifier)
        held.append(Held(session, tuple(exchanges)))
    return tuple(held), frozenset(gold)


def _last(sessions: tuple[Held, ...]) -> datetime:
    """When the last word was said: a question that tells no time of its own is asked then."""
    return max(exchange.at for held in sessions for exchange in held.exchanges)


def _time(written: object) -> datetime | None:
    """``1:56 pm on 8 May, 2023``, ``2023/05/20 (Sat) 02:21``, ``29.12.2023, 11:23:21``, ISO; None for anything else."""
    for form in _FORMS:
        try:
            return datetime.strptime(str(written).strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    try:
        at = datetime.fromisoformat(str(written))
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
