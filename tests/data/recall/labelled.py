"""The scripted sessions and their questions as a labelled set of the bench."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from limbeck.bench.labelled import Ask, Corpus, Held, LabelledSet, number
from schema.records import Exchange, Role, Unit

HERE = Path(__file__).parent
NOW = datetime(2026, 4, 20, 9, tzinfo=UTC)


def scripted() -> LabelledSet:
    """Every session and question."""
    raw = [row for name in ("sessions_early", "sessions_late") for row in _load(name)]
    facts = _facts(raw)
    sessions = tuple(_session(row, facts.get(row["s"], ())) for row in raw)
    asks = tuple(_ask(category, row) for category, rows in _load("questions").items() for row in rows)
    return LabelledSet("scripted", (Corpus("scripted", sessions, asks, NOW),))


def only(category: str) -> list[dict[str, Any]]:
    """The questions of one category as written."""
    return list(_load("questions")[category])


def fact_id(slot: str, session: str) -> str:
    """The id of the fact that a session gave for a slot."""
    return number("scripted", slot, session)


def _session(row: dict[str, Any], facts: tuple[Unit, ...]) -> Held:
    at = _day(row["at"]) + timedelta(hours=10)
    exchanges = tuple(
        Exchange(
            number("scripted", row["s"], str(place)),
            Role.PERSON if said.startswith("P: ") else Role.REPLY,
            said[3:],
            at + timedelta(minutes=place),
        )
        for place, said in enumerate(row["say"])
    )
    return Held(row["s"], exchanges, files=tuple(row["files"]), units=facts)


def _facts(raw: list[dict[str, Any]]) -> dict[str, tuple[Unit, ...]]:
    found: dict[str, tuple[Unit, ...]] = {}
    for row in raw:
        at = _day(row["at"]) + timedelta(hours=10)
        found[row["s"]] = tuple(
            Unit(
                kind="fact",
                ref=fact_id(fact["slot"], row["s"]),
                project="",
                title="",
                text=fact["text"],
                at=at,
                context=fact["slot"].replace("/", " "),
                standing="person",
                slot=fact["slot"],
                current="until" not in fact,
                valid_from=at,
                valid_to=_day(fact["until"]) + timedelta(hours=10) if "until" in fact else None,
            )
            for fact in row.get("facts", ())
        )
    return found


def _ask(category: str, row: dict[str, Any]) -> Ask:
    return Ask(
        row["ask"],
        frozenset(row["gold"]),
        category,
        files=tuple(row.get("files", ())),
        original=frozenset(row.get("old", ())),
    )


def _day(written: Any) -> datetime:
    return datetime.fromisoformat(str(written)).replace(tzinfo=UTC)


def _load(name: str) -> Any:
    return yaml.safe_load((HERE / f"{name}.yaml").read_text("utf-8"))
