"""Labelled sets of long chats: LoCoMo and LongMemEval."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from limbeck.bench.labelled import Ask, Corpus, Held, LabelledSet, number
from schema.records import Exchange, Role

_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D(\d+):(\d+)")


def locomo(name: str, data: list[dict[str, Any]]) -> LabelledSet:
    """Conversations of two people; ``evidence`` names turns as D<session>:<turn>. Photos count by their caption."""
    corpora = []
    for place, raw in enumerate(data):
        key = f"{name}/{raw.get('sample_id', place)}"
        sessions = _locomo_sessions(key, raw["conversation"])
        asks = tuple(_locomo_ask(key, qa) for qa in raw["qa"])
        last = max(held.exchanges[-1].at for held in sessions)
        corpora.append(Corpus(key, sessions, tuple(a for a in asks if a.gold), last + timedelta(days=1)))
    return LabelledSet(name, tuple(corpora), "questions without a well-formed evidence are left out")


def longmemeval(name: str, data: list[dict[str, Any]]) -> LabelledSet:
    """Every question has a haystack of sessions of its own; ids ending in ``_abs`` are to be declined."""
    corpora = []
    for raw in data:
        key = f"{name}/{raw['question_id']}"
        sessions, turns = _haystack(key, raw)
        declined = raw["question_id"].endswith("_abs")
        ask = Ask(
            raw["question"],
            frozenset() if declined else frozenset(raw["answer_session_ids"]),
            raw["question_type"],
            turns=frozenset() if declined else turns,
        )
        corpora.append(Corpus(key, sessions, (ask,), _chat_time(raw["question_date"])))
    return LabelledSet(name, tuple(corpora))


def _locomo_sessions(key: str, conversation: dict[str, Any]) -> tuple[Held, ...]:
    held = []
    for field, turns in conversation.items():
        match = _SESSION.fullmatch(field)
        if match is None or not turns:
            continue
        begin = _chat_time(conversation[f"{field}_date_time"])
        held.append(
            Held(
                match[1],
                tuple(
                    Exchange(
                        number(key, turn["dia_id"]),
                        Role.PERSON,
                        _spoken(turn),
                        begin + timedelta(seconds=30 * place),
                    )
                    for place, turn in enumerate(turns)
                ),
            )
        )
    return tuple(held)


def _spoken(turn: dict[str, Any]) -> str:
    caption = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{caption}"


def _locomo_ask(key: str, qa: dict[str, Any]) -> Ask:
    pairs = [_TURN.findall(written) for written in qa.get("evidence", ())]
    named = [(session, turn) for found in pairs for session, turn in found]
    return Ask(
        str(qa["question"]),
        frozenset(str(int(session)) for session, _ in named),
        str(qa.get("category", "")),
        turns=frozenset(number(key, f"D{int(session)}:{int(turn)}") for session, turn in named),
    )


def _haystack(key: str, raw: dict[str, Any]) -> tuple[tuple[Held, ...], frozenset[str]]:
    held, gold = [], set()
    ids, dates = raw["haystack_session_ids"], raw["haystack_dates"]
    for session, date, turns in zip(ids, dates, raw["haystack_sessions"], strict=True):
        begin = _chat_time(date)
        exchanges = []
        for place, turn in enumerate(turns):
            identifier = number(key, session, str(place))
            role = Role.PERSON if turn["role"] == "user" else Role.REPLY
            exchanges.append(Exchange(identifier, role, turn["content"], begin + timedelta(seconds=place)))
            if turn.get("has_answer"):
                gold.add(identifier)
        held.append(Held(session, tuple(exchanges)))
    return tuple(held), frozenset(gold)


def _chat_time(written: str) -> datetime:
    """``1:56 pm on 8 May, 2023`` and ``2023/05/20 (Sat) 02:21``."""
    for form in ("%I:%M %p on %d %B, %Y", "%Y/%m/%d (%a) %H:%M", "%Y/%m/%d"):
        try:
            return datetime.strptime(written.strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    at = datetime.fromisoformat(written)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
