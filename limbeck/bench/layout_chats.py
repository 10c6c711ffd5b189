"""Labelled sets of two people's chats: LoCoMo, and REALTALK, whose turns are named as LoCoMo's.

A turn reads ``Name: words [photo: caption]``, as somebody would paste it. What is broken in a question (no text,
evidence that names no turn) leaves that question out, counted with its reason, and never stops a run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from limbeck.bench.labelled import (
    NO_EVIDENCE,
    NO_QUESTION,
    NOT_THERE,
    Ask,
    Corpus,
    Held,
    LabelledSet,
    Names,
    number,
    sifted,
)
from limbeck.bench.told_times import time_of
from schema.records import Exchange, Role

_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)", re.IGNORECASE)
BEGIN = datetime(2023, 1, 1, tzinfo=UTC)
APART = timedelta(days=1)  # between sessions that tell no time
STEP = timedelta(seconds=30)  # between turns that tell none


@dataclass(slots=True)
class _Chat:
    """A chat's sessions, and where each turn that evidence may name lies: (session, exchange id)."""

    key: str
    held: list[Held] = field(default_factory=list)
    turns: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)


def locomo(name: str, data: list[dict[str, Any]]) -> LabelledSet:
    """Conversations of two people; ``evidence`` names turns as D<session>:<turn>."""
    names = Names()
    corpora = [
        _talk(names.own(f"{name}/{raw.get('sample_id', place)}"), raw["conversation"], raw["qa"])
        for place, raw in enumerate(data)
    ]
    return LabelledSet(name, tuple(corpora))


def is_realtalk(data: object) -> bool:
    """Whether ``data`` is one chat of REALTALK: an object that holds its sessions beside its questions."""
    return isinstance(data, dict) and "qa" in data and any(_SESSION.fullmatch(field) for field in data)


def realtalk(folder: Path) -> LabelledSet:
    """Every ``Chat_*.json`` in ``folder``: a chat of two people with its questions."""
    read = [
        (path.stem, json.loads(path.read_text("utf-8-sig"))) for path in sorted(folder.glob("Chat_*.json"))
    ]
    corpora = (_talk(f"realtalk/{name}", data, data["qa"]) for name, data in read if is_realtalk(data))
    return LabelledSet("realtalk", tuple(corpora))


def one_realtalk(name: str, data: dict[str, Any]) -> LabelledSet:
    """A single chat of REALTALK."""
    return LabelledSet(name, (_talk(f"realtalk/{name}", data, data["qa"]),))


def _talk(key: str, fields: Mapping[str, Any], questions: list[Any]) -> Corpus:
    """A chat of two people: its sessions are the fields ``session_1`` and so on."""
    chat = _Chat(key)
    for session, turns in _numbered(fields):
        _hold(chat, fields, session, turns)
    asks, left_out = sifted(_ask(chat, qa) for qa in questions)
    last = max(exchange.at for held in chat.held for exchange in held.exchanges)
    return Corpus(key, tuple(chat.held), asks, last, left_out)


def _numbered(fields: Mapping[str, Any]) -> list[tuple[int, list[Any]]]:
    """The sessions that hold turns, in the order of their numbers."""
    found = (
        (int(match[1]), [turn for turn in turns if isinstance(turn, dict)])
        for name, turns in fields.items()
        if (match := _SESSION.fullmatch(name)) and isinstance(turns, list)
    )
    return sorted(((session, turns) for session, turns in found if turns), key=lambda pair: pair[0])


def _hold(chat: _Chat, fields: Mapping[str, Any], session: int, turns: list[Any]) -> None:
    """Add one session; a turn's name is the first turn's that has it."""
    after = chat.held[-1].exchanges[-1].at + APART if chat.held else BEGIN
    begin = time_of(fields.get(f"session_{session}_date_time")) or time_of(turns[0].get("date_time")) or after
    exchanges: list[Exchange] = []
    for place, turn in enumerate(turns, start=1):
        at = time_of(turn.get("date_time")) or begin + (place - 1) * STEP
        identifier = number(chat.key, str(session), str(place))
        exchanges.append(Exchange(identifier, Role.PERSON, _spoken(turn), at))
        chat.turns.setdefault(_turn(turn.get("dia_id")) or (session, place), (str(session), identifier))
    chat.held.append(Held(str(session), tuple(exchanges)))


def _spoken(turn: Mapping[str, Any]) -> str:
    words = turn.get("clean_text") or turn.get("text") or ""
    caption = _plain(turn.get("blip_caption"))
    return f"{turn.get('speaker') or 'Somebody'}: {_plain(words)}" + (
        f" [photo: {caption}]" if caption else ""
    )


def _plain(words: object) -> str:
    """Words as text, whatever they are: a list is read one after the other."""
    if isinstance(words, list | tuple):
        return ", ".join(map(_plain, words))
    return "" if words is None else str(words)


def _ask(chat: _Chat, qa: object) -> Ask | str:
    """A question with the turns that answer it; the sessions alone where the turns are not there."""
    if not isinstance(qa, dict) or not str(qa.get("question") or "").strip():
        return NO_QUESTION
    named = list(_named(qa.get("evidence")))
    if not named:
        return NO_EVIDENCE
    sessions = {held.session for held in chat.held}
    found = [chat.turns[one] for one in named if one in chat.turns]
    gold = {session for session, _ in found} | {
        str(session)
        for session, turn in named
        if (session, turn) not in chat.turns and str(session) in sessions
    }
    if not gold:
        return NOT_THERE
    return Ask(
        str(qa["question"]),
        frozenset(gold),
        str(qa.get("category", "")),
        turns=frozenset(identifier for _, identifier in found),
    )


def _named(evidence: object) -> Iterator[tuple[int, int]]:
    """Every D<session>:<turn> in a text, a list, or lists in it: ``D8:6; D9:17``, ``D:11:26``, ``D30:05``."""
    if isinstance(evidence, list | tuple):
        for one in evidence:
            yield from _named(one)
        return
    for session, turn in _TURN.findall(str(evidence or "")):
        yield int(session), int(turn)


def _turn(written: object) -> tuple[int, int] | None:
    return next(_named(written), None)
