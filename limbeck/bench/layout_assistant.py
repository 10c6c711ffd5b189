"""LongMemEval: a person and an assistant; every question has a haystack of sessions of its own.

A haystack may hold one session twice, at two times; both are held, and both answer where the session does.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
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
)
from limbeck.bench.told_times import time_of
from schema.records import Exchange, Role

BEGIN = datetime(2023, 1, 1, tzinfo=UTC)
STEP = timedelta(seconds=30)
UNEVEN = "its haystack has not as many sessions as ids and dates"
EMPTY = "its haystack is empty"
BROKEN = (LookupError, TypeError, ValueError, AttributeError)


def longmemeval(name: str, data: list[dict[str, Any]]) -> LabelledSet:
    """Questions with their haystacks; ids that end in ``_abs`` are to be declined."""
    corpora: list[Corpus] = []
    lost: Counter[str] = Counter()
    names = Names()
    for raw in data:
        try:
            made = _corpus(names.own(f"{name}/{raw['question_id']}"), raw)
        except BROKEN as error:
            lost[f"it cannot be read ({type(error).__name__})"] += 1
            continue
        if isinstance(made, str):
            lost[made] += 1
        else:
            corpora.append(made)
    if not corpora:
        raise ValueError(f"no question of it can be asked: {dict(lost)}")
    return LabelledSet(name, tuple(corpora), lost=lost)


def _corpus(key: str, raw: dict[str, Any]) -> Corpus | str:
    """One question with its haystack, or why it cannot be asked."""
    ids, dates, sessions = raw["haystack_session_ids"], raw["haystack_dates"], raw["haystack_sessions"]
    if not len(ids) == len(dates) == len(sessions):
        return UNEVEN
    if not str(raw.get("question") or "").strip():
        return NO_QUESTION
    declined = "_abs" in str(raw["question_id"])
    answers = set() if declined else set(map(str, raw.get("answer_session_ids") or ()))
    if not (declined or answers):
        return NO_EVIDENCE
    held: list[Held] = []
    gold: set[str] = set()
    turns: set[str] = set()
    names = Names()
    for session, date, said in zip(map(str, ids), dates, sessions, strict=True):
        own = names.own(session)
        held.append(Held(own, _exchanges(key, own, said, time_of(date) or BEGIN)))
        if session in answers:
            gold.add(own)
            turns |= {
                number(key, own, str(place))
                for place, turn in enumerate(said)
                if turn.get("has_answer") is True
            }
    if not any(one.exchanges for one in held):
        return EMPTY
    if not (declined or gold):
        return NOT_THERE
    ask = Ask(
        str(raw["question"]), frozenset(gold), str(raw.get("question_type", "")), turns=frozenset(turns)
    )
    last = max(exchange.at for one in held for exchange in one.exchanges)
    return Corpus(key, tuple(held), (ask,), time_of(raw.get("question_date")) or last)


def _exchanges(key: str, session: str, said: list[dict[str, Any]], begin: datetime) -> tuple[Exchange, ...]:
    return tuple(
        Exchange(
            number(key, session, str(place)),
            Role.PERSON if turn["role"] == "user" else Role.REPLY,
            str(turn.get("content") or ""),
            begin + place * STEP,
        )
        for place, turn in enumerate(said)
    )
