"""Days of many small things: only a whole session tells which day held several of them.

Thirteen chores, thirteen days with four each. Any two chores fall together on exactly one day (the days are the shifts
of a perfect difference set), so a question that names three is answered by one session; but each chore alone was done
on four days, in the same words, and between two chores of a day lies enough other talk that no turn has two of them.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from limbeck.bench.labelled import Ask, Corpus, Held, LabelledSet, number
from schema.records import Exchange, Role

# What was said, and what a question calls it.
CHORES = (
    ("Clean up the label printer's spooler.", "the label printer"),
    ("Renew the carrier contracts' price table.", "the price table"),
    ("Tidy the customs form's wording.", "the customs form"),
    ("Look at the nightly backup's report.", "the nightly backup"),
    ("Bump the barcode scanner's library.", "the barcode scanner"),
    ("Answer the open questions about refunds.", "refunds"),
    ("Trim the warehouse map's icons.", "the warehouse map"),
    ("Check the webhook signatures once more.", "webhook signatures"),
    ("Sort the translations of the tracking page.", "the translations"),
    ("Prune the staging database.", "the staging database"),
    ("Polish the driver app's splash screen.", "the splash screen"),
    ("Go through the address validator's misses.", "the address validator"),
    ("Rotate the on-call calendar.", "the on-call calendar"),
)
SHIFTS = (0, 1, 3, 9)
BETWEEN = (
    "R: That is done, nothing else changed.",
    "P: Good, what comes next on the list?",
    "R: The next one is small as well, I will read it first.",
    "P: Take your time, there is no hurry today.",
)
LEFT_OUT = (1, 3)  # of a day's four, the one that a question does not name
BEGIN = datetime(2026, 2, 2, 9, tzinfo=UTC)


def wholes() -> LabelledSet:
    """Thirteen days, each asked for twice, by other chores of it."""
    days = [[(day + shift) % len(CHORES) for shift in SHIFTS] for day in range(len(CHORES))]
    asks = tuple(
        Ask(
            f"Which day had {_listed([CHORES[chore][1] for chore in chores if chore != chores[left]])} in it?",
            frozenset({f"day-{day}"}),
            "whole",
        )
        for day, chores in enumerate(days)
        for left in LEFT_OUT
    )
    sessions = tuple(_held(day, chores) for day, chores in enumerate(days))
    return LabelledSet("wholes", (Corpus("wholes", sessions, asks, BEGIN + timedelta(days=60)),))


def _held(day: int, chores: list[int]) -> Held:
    said = [line for chore in chores for line in (f"P: {CHORES[chore][0]}", *BETWEEN)]
    name, at = f"day-{day}", BEGIN + timedelta(days=day)
    return Held(
        name,
        tuple(
            Exchange(
                number("wholes", name, str(place)),
                Role.PERSON if line.startswith("P: ") else Role.REPLY,
                line[3:],
                at + timedelta(minutes=3 * place),
            )
            for place, line in enumerate(said)
        ),
    )


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
