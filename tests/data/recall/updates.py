"""Statements that replace one another, made from templates: who says last is right.

Each subject's setting is told twice, weeks apart, among other subjects' settings of the same kind; nothing but the
words and the time tells which statement is current.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from limbeck.bench.labelled import Ask, Corpus, Held, LabelledSet, number
from schema.records import Exchange, Role

SUBJECTS = ("billing", "search", "checkout", "inventory", "reporting", "notification", "login", "shipping")
SETTINGS = {
    "request timeout": (
        "{subject} requests time out after {value} seconds",
        "the request timeout of {subject}",
        10,
    ),
    "batch size": (
        "the {subject} importer works with a batch size of {value} rows",
        "the batch size of {subject}",
        500,
    ),
    "retry count": ("{subject} gives up after a retry count of {value}", "the retry count of {subject}", 3),
    "cache lifetime": (
        "the {subject} cache lifetime is {value} minutes",
        "the cache lifetime of {subject}",
        15,
    ),
    "memory limit": (
        "the {subject} container has a memory limit of {value} MB",
        "the memory limit of {subject}",
        256,
    ),
}
LEADS = ("We settled this: {said}.", "Small change, {said} from now on.")
BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)


def generated() -> LabelledSet:
    """Forty settings, each stated and restated, with a question each."""
    sessions: list[Held] = []
    asks: list[Ask] = []
    pairs = [(subject, setting) for setting in SETTINGS for subject in SUBJECTS]
    for restated in (False, True):
        for place, (subject, setting) in enumerate(pairs):
            template, _, value = SETTINGS[setting]
            said = template.format(subject=subject, value=value * (3 if restated else 1) + place)
            at = BEGIN + timedelta(days=45 if restated else 0, hours=5 * place)
            name = f"{subject}-{setting.replace(' ', '-')}-{'new' if restated else 'old'}"
            talk = (LEADS[restated].format(said=said), "Noted and applied.")
            sessions.append(
                Held(
                    name,
                    tuple(
                        Exchange(
                            number("updates", name, str(step)),
                            Role.REPLY if step else Role.PERSON,
                            words,
                            at + timedelta(minutes=step),
                        )
                        for step, words in enumerate(talk)
                    ),
                )
            )
    for subject, setting in pairs:
        stem = f"{subject}-{setting.replace(' ', '-')}"
        new, old = (number("updates", f"{stem}-{when}", "0") for when in ("new", "old"))
        question = f"What is {SETTINGS[setting][1].format(subject=subject)}?"
        asks.append(
            Ask(
                question,
                frozenset({f"{stem}-new"}),
                "update",
                updated=frozenset({new}),
                original=frozenset({old}),
            )
        )
    now = BEGIN + timedelta(days=90)
    return LabelledSet("updates", (Corpus("updates", tuple(sessions), tuple(asks), now),))
