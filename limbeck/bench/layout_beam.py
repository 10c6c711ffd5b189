"""BEAM: long chats in batches; a group of messages around one main question counts as a session.

Read are the folders of its repository (``N/chat.json`` with ``probing_questions``), also those of 10M, whose chats lie
in plans, and its rows as a data set holds them, where a batch is a bare list and the questions may be a text.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from limbeck.bench.labelled import (
    NO_EVIDENCE,
    NO_QUESTION,
    NOT_THERE,
    TWICE,
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

# Where a message came from in its making, behind its words: ``->-> 1,2``, ``->-> 2,N/A``, ``->> 2,22, 24``.
_MARK = re.compile(r"\s*-(?:>-|>)>\s*\d+(?:\s*,\s*(?:\d+|N/A))*\s*$")
BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
APART = timedelta(minutes=30)
CHATS = ("chat_trunecated.json", "chat.json")  # the first is spelt as published, and goes before the other
BROKEN = (KeyError, IndexError, TypeError, ValueError, AttributeError, OSError, SyntaxError)
ABSTENTION = "abstention"
NOTE = "abstention questions have no gold; updates name both turns"

Message = dict[str, Any]


@dataclass(slots=True)
class _Chat:
    """A chat's groups, and where each message number lies: (group, exchange id), more than one where numbers repeat."""

    key: str
    held: list[Held] = field(default_factory=list)
    places: dict[int, list[tuple[str, str]]] = field(default_factory=dict)


def read(folder: Path) -> LabelledSet:
    """Every chat below ``folder`` that has both files, in the order of their numbers; unreadable ones are told of."""
    corpora, broken = [], []
    lost: Counter[str] = Counter()
    for place in sorted({chat.parent for name in CHATS for chat in folder.glob(f"*/{name}")}, key=_numbered):
        try:
            questions = _questions(place)
            if questions is None:
                broken.append(f"{place.name} (no questions)")
                continue
            chat = next(place / name for name in CHATS if (place / name).is_file())
            corpora.append(_corpus(f"{folder.name}/{place.name}", _load(chat), questions))
        except BROKEN as error:
            broken.append(f"{place.name} ({type(error).__name__})")
            lost["its chat cannot be read"] += _many(place)
    return _set(folder.name, corpora, broken, lost)


def rows(name: str, data: list[Mapping[str, Any]]) -> LabelledSet:
    """Chats as rows of a data set: ``chat`` and ``probing_questions``, the latter also as the text of a dict."""
    corpora, broken = [], []
    names = Names()
    for place, raw in enumerate(data):
        own = names.own(str(raw.get("conversation_id", place)))
        try:
            told = raw["probing_questions"]
            questions = ast.literal_eval(told) if isinstance(told, str) else told
            corpora.append(_corpus(f"{name}/{own}", raw["chat"], questions))
        except BROKEN as error:
            broken.append(f"{own} ({type(error).__name__})")
    return _set(name, corpora, broken, Counter())


def _set(name: str, corpora: list[Corpus], broken: list[str], lost: Counter[str]) -> LabelledSet:
    if not corpora:
        raise ValueError(f"no chat in it can be read: {', '.join(broken) or 'none has questions'}")
    note = f"{NOTE}; unreadable: {', '.join(broken)}" if broken else NOTE
    return LabelledSet(name, tuple(corpora), note, lost)


def _numbered(place: Path) -> tuple[int, str]:
    return (int(place.name) if place.name.isdecimal() else 0, place.name)


def _questions(folder: Path) -> dict[str, Any] | None:
    for place in (folder / "probing_questions" / "probing_questions.json", folder / "probing_questions.json"):
        if place.is_file():
            found = _load(place)
            return found if isinstance(found, dict) else None
    return None


def _many(folder: Path) -> int:
    """How many questions a chat has that cannot be read; one, where they cannot be read either."""
    try:
        return sum(map(len, (_questions(folder) or {}).values()))
    except BROKEN:
        return 1


def _corpus(key: str, chat: object, questions: Mapping[str, Any]) -> Corpus:
    made = _Chat(key)
    at = BEGIN
    names = Names()
    for batch, (label, anchor, groups) in enumerate(_batches(chat), start=1):
        for place, group in enumerate(groups):
            session = names.own(f"{label or batch}.{place}")
            told = _anchor(group) or (time_of(anchor) if place == 0 else None)
            at = max(told or at, at + APART)
            made.held.append(Held(session, tuple(_exchanges(made, session, group, at))))
    if not made.held:
        raise ValueError("there are no messages in it")
    asks, left_out = sifted(_ask(made, category, raw) for category, raw in _probes(questions))
    return Corpus(key, tuple(made.held), asks, at, left_out)


def _batches(found: object) -> Iterator[tuple[str, object, list[list[Message]]]]:
    """Every batch below ``found``: its number, its time and its groups, in order."""
    if isinstance(found, dict) and "turns" in found:
        turns = found["turns"]
        groups = turns if turns and isinstance(turns[0], list) else list(_around_questions(turns))
        yield (
            str(found.get("batch_number", "")),
            found.get("time_anchor"),
            [group for group in groups if group],
        )
    elif isinstance(found, dict):
        for plan in found.values():
            yield from _batches(plan)
    elif isinstance(found, list) and found and isinstance(found[0], dict) and "role" in found[0]:
        yield "", None, list(_around_questions(found))
    elif isinstance(found, list):
        for inner in found:
            yield from _batches(inner)


def _around_questions(messages: list[Message]) -> Iterator[list[Message]]:
    """Part a bare list of messages before each main question; before each of the person's where none is so called."""
    told = any(message.get("question_type") == "main_question" for message in messages)
    group: list[Message] = []
    for message in messages:
        begins = message.get("question_type") == "main_question" if told else message["role"] == "user"
        if begins and group:
            yield group
            group = []
        group.append(message)
    if group:
        yield group


def _exchanges(chat: _Chat, session: str, group: list[Message], at: datetime) -> Iterator[Exchange]:
    for step, message in enumerate(group):
        identifier = number(chat.key, session, str(step))
        for named in _ids(message.get("id")):
            chat.places.setdefault(named, []).append((session, identifier))
        role = Role.PERSON if message["role"] == "user" else Role.REPLY
        words = _MARK.sub("", str(message.get("content") or ""))
        yield Exchange(identifier, role, words, at + timedelta(seconds=step))


def _probes(questions: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for category, group in questions.items():
        for raw in group if isinstance(group, list) else [group]:
            yield category, raw


def _ask(chat: _Chat, category: str, raw: object) -> Ask | str:
    if not isinstance(raw, dict) or not str(raw.get("question") or "").strip():
        return NO_QUESTION
    if category == ABSTENTION:
        return Ask(str(raw["question"]), frozenset(), category)
    sources = raw.get("source_chat_ids") or []
    named = set(_ids(sources))
    there = {one for one in named if one in chat.places}
    sure = {one for one in there if len(chat.places[one]) == 1}
    if not sure:
        return TWICE if there else NOT_THERE if named else NO_EVIDENCE

    def turns(of: object) -> frozenset[str]:
        return frozenset(chat.places[one][0][1] for one in _ids(of) if one in sure)

    by_time = sources if isinstance(sources, dict) else {}
    return Ask(
        str(raw["question"]),
        frozenset(chat.places[one][0][0] for one in sure),
        category,
        turns=turns(sources),
        updated=turns(by_time.get("updated_info", ())),
        original=turns(by_time.get("original_info", ())),
    )


def _ids(found: object) -> Iterator[int]:
    """Every message number in what may be a number, its digits, or lists and dicts of them."""
    if isinstance(found, bool):
        return
    if isinstance(found, int):
        yield found
    elif isinstance(found, str):
        yield from map(int, re.findall(r"\d+", found))
    elif isinstance(found, dict):
        yield from _ids(list(found.values()))
    elif isinstance(found, list | tuple):
        for item in found:
            yield from _ids(item)


def _anchor(group: list[Message]) -> datetime | None:
    """The time that the group's first message tells, if it does."""
    return time_of(group[0].get("time_anchor"))


def _load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8-sig"))
