"""BEAM: long chats in batches; a group of messages around one main question counts as a session."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from limbeck.bench.labelled import Ask, Corpus, Held, LabelledSet, number
from schema.records import Exchange, Role

_MARK = re.compile(r"\s*->->\s*[\d,]+\s*$")
BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
BROKEN = (KeyError, IndexError, TypeError, ValueError, AttributeError, OSError)
NOTE = "abstention questions have no gold; updates name both turns"


def read(folder: Path) -> LabelledSet:
    """Every chat below ``folder`` that has both files, in the order of their numbers; unreadable ones are told of."""
    corpora, broken = [], []
    for chat in sorted(folder.glob("*/chat.json"), key=_numbered):
        try:
            questions = _questions(chat.parent)
            if questions is not None:
                corpora.append(_corpus(f"{folder.name}/{chat.parent.name}", _load(chat), questions))
        except BROKEN as error:
            broken.append(f"{chat.parent.name} ({type(error).__name__})")
    if not corpora:
        raise ValueError(f"no chat in it can be read: {', '.join(broken) or 'none has questions'}")
    note = f"{NOTE}; unreadable: {', '.join(broken)}" if broken else NOTE
    return LabelledSet(folder.name, tuple(corpora), note)


def _numbered(chat: Path) -> tuple[int, str]:
    name = chat.parent.name
    return (int(name) if name.isdecimal() else 0, name)


def _questions(folder: Path) -> dict[str, Any] | None:
    for place in (folder / "probing_questions" / "probing_questions.json", folder / "probing_questions.json"):
        if place.is_file():
            found = _load(place)
            return found if isinstance(found, dict) else None
    return None


def _corpus(key: str, batches: list[dict[str, Any]], questions: dict[str, list[dict[str, Any]]]) -> Corpus:
    held: list[Held] = []
    at = BEGIN
    session_of: dict[int, str] = {}
    for batch in batches:
        for place, group in enumerate(batch["turns"]):
            session = f"{batch['batch_number']}.{place}"
            at = max(_anchor(group) or at, at + timedelta(minutes=30))
            exchanges = tuple(
                Exchange(
                    number(key, str(message["id"])),
                    Role.PERSON if message["role"] == "user" else Role.REPLY,
                    _MARK.sub("", message["content"]),
                    at + timedelta(seconds=step),
                )
                for step, message in enumerate(group)
            )
            session_of.update({message["id"]: session for message in group})
            held.append(Held(session, exchanges))
    asks = (
        _ask(key, category, raw, session_of)
        for category, group in questions.items()
        for raw in group
        if isinstance(raw, dict) and raw.get("question")
    )
    return Corpus(key, tuple(held), tuple(a for a in asks if a.gold or a.category == "abstention"), at)


def _ask(key: str, category: str, raw: dict[str, Any], session_of: dict[int, str]) -> Ask:
    sources = raw.get("source_chat_ids") or []
    named = sources if isinstance(sources, dict) else {}
    ids = {identifier for identifier in _ids(sources) if identifier in session_of}

    def turns(of: object) -> frozenset[str]:
        return frozenset(number(key, str(i)) for i in _ids(of) if i in session_of)

    return Ask(
        str(raw["question"]),
        frozenset(session_of[i] for i in ids),
        category,
        turns=frozenset(number(key, str(i)) for i in ids),
        updated=turns(named.get("updated_info", ())),
        original=turns(named.get("original_info", ())),
    )


def _ids(found: object) -> Iterator[int]:
    if isinstance(found, int):
        yield found
    elif isinstance(found, str) and found.strip().isdecimal():
        yield int(found)
    elif isinstance(found, dict):
        yield from _ids(list(found.values()))
    elif isinstance(found, list | tuple):
        for item in found:
            yield from _ids(item)


def _anchor(group: list[dict[str, Any]]) -> datetime | None:
    """``March-15-2024``, where the group's first message has one."""
    try:
        return datetime.strptime(group[0]["time_anchor"], "%B-%d-%Y").replace(tzinfo=UTC)
    except BROKEN:
        return None


def _load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
