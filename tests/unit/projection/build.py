"""States and facts for these tests, by a line or by hypothesis."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from projection.okf.state import Check, Day, EventNote, SessionNote, State, Totals
from schema.backlog import Backlog, Item, UseCase, WorkEntry
from schema.records import Cardinality, Evidence, Fact, FactKind, Freshness, Slot, Standing

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def uuid(number: int) -> str:
    return str(UUID(int=(7 << 76) | (2 << 62) | number))


def fact(number: int, statement: str = "The API uses bearer tokens", **fields: Any) -> Fact:
    given: dict[str, Any] = {
        "id": uuid(number),
        "version": uuid(number),
        "slot": Slot(f"subject {number}", "choice"),
        "cardinality": Cardinality.ONE,
        "kind": FactKind.DECISION,
        "value": "bearer",
        "statement": statement,
        "standing": Standing.PERSON,
        "valid_from": NOON + timedelta(minutes=number),
        "recorded_at": NOON + timedelta(minutes=number, seconds=1),
    }
    return Fact(**{**given, **fields})


def session(
    number: int, title: str = "Sign in", text: str = "- chose bearer tokens", **fields: Any
) -> SessionNote:
    at = NOON + timedelta(hours=number)
    given = {"started_at": at - timedelta(minutes=30), "at": at, "distilled_at": at, "by": "offline"}
    return SessionNote(uuid(number), "claude", title, text, **{**given, **fields})


def event(number: int, title: str = "Chose bearer tokens", text: str = "", **fields: Any) -> EventNote:
    return EventNote(uuid(number), "decision", title, text, NOON + timedelta(hours=number), **fields)


def item(number: str, title: str, text: str = "", state: str = "open", use_case: str | None = None) -> Item:
    return Item(uuid(9000), uuid(1), number, number[:2], title, text, state, use_case, 0, 1, NOON, NOON)


def work(on: str, outcome: str = "", tests: str = "", **fields: Any) -> WorkEntry:
    given = {"by": "ada", "origin": "person", "commit": "c" * 40, **fields}
    return WorkEntry(uuid(9500), on, None, NOON, outcome=outcome, tests=tests, **given)


def small() -> State:
    """One of everything, linked."""
    held = fact(
        1,
        session=uuid(50),
        evidence=(
            Evidence("exchange", uuid(60), NOON, uuid(50)),
            Evidence("commit", uuid(61), NOON, uuid(50), "a" * 40),
        ),
        files=("src/auth.py",),
    )
    old = fact(
        2,
        "The API uses cookies",
        slot=held.slot,
        value="cookies",
        valid_to=NOON,
        valid_from=NOON - timedelta(days=9),
        superseded_by=held.id,
        reason="replaced",
    )
    case = item("US1001", "Sign in", "People sign in.", "in-progress")
    child = item("FE2001", "Token endpoint", state="review", use_case="US1001")
    return State(
        project="shop",
        facts=(held,),
        versions=(old, held),
        checks=(Check(held.id, Freshness.FRESH, "b" * 40, NOON),),
        sessions=(session(50),),
        events=(event(70, session=uuid(50)),),
        backlog=Backlog((UseCase(case, (child,), (work("FE2001", "done", "12 passed"),)),)),
        days=(
            Day(date(2026, 3, 2), sessions=1, recorded=1, closed=1, events=1),
            Day(date(2026, 3, 1), sessions=2),
        ),
        totals=Totals(1, 1, 1, 1, 1),
    )


TEXT = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "a: b",
            'she said "no"',
            "---",
            "...",
            "\n---\n",
            "# heading\n\n## 2026-01-01",
            "🔥 emoji 🏳️‍🌈",
            "{a: [b}",
            "- x\n- y",
            "[x](y.md)",
            "[x](/etc/passwd)",
            "```\ncode",
            "<!-- hidden",
            "| a | b |",
            "'%&*!@`",
            "null",
            "1e3",
            "\u2028\u0085\ufeff\x00\x7f",
            "yes",
            "\\",
        ]
    ),
)
NAME = TEXT.filter(lambda text: bool(text.strip()))
MOMENT = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))


@st.composite
def facts(draw: st.DrawFn, number: int) -> Fact:
    begun = draw(MOMENT)
    return fact(
        number,
        draw(NAME),
        slot=Slot(draw(NAME), draw(NAME), draw(TEXT)),
        value=draw(NAME),
        kind=draw(st.sampled_from(FactKind)),
        standing=draw(st.sampled_from(Standing)),
        valid_from=begun,
        recorded_at=begun,
        reason=draw(TEXT),
        session=draw(st.sampled_from([None, uuid(1001), uuid(1002)])),
        files=tuple(draw(st.lists(NAME, max_size=2))),
        evidence=(
            Evidence("exchange", uuid(2000 + number), begun, draw(st.sampled_from([None, uuid(1001)]))),
        ),
    )


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state whose texts hold anything."""
    held = [draw(facts(number)) for number in range(draw(st.integers(0, 4)))]
    sessions = [session(1001 + n, draw(NAME), draw(TEXT)) for n in range(draw(st.integers(0, 2)))]
    events = [event(3000 + n, draw(NAME), draw(TEXT)) for n in range(draw(st.integers(0, 2)))]
    cases = [
        UseCase(
            item(f"US{1001 + n}", draw(NAME), draw(TEXT)),
            (item(f"FE{2001 + n}", draw(NAME), draw(TEXT), use_case=f"US{1001 + n}"),),
            (work(f"FE{2001 + n}", draw(TEXT), draw(TEXT), review=draw(TEXT), by=draw(NAME)),),
        )
        for n in range(draw(st.integers(0, 2)))
    ]
    loose = [item("BU3001", draw(NAME), draw(TEXT))] if draw(st.booleans()) else []
    return State(
        project=draw(NAME),
        facts=tuple(held),
        versions=tuple(held),
        sessions=tuple(sessions),
        events=tuple(events[::-1]),
        backlog=Backlog(tuple(cases), tuple(loose)),
        days=(Day(date(2026, 3, 2), recorded=1),),
    )
