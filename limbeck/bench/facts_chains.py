"""A consolidation set: many subjects with the same few relations, stated twice or more; the newer
statement wins.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from limbeck.bench.facts_timelines import invented
from limbeck.bench.facts_words import KNOWN

PER_SESSION = 20
# relation: how it is stated first, how it is stated anew, how it is asked, and whether known products fit
RELATIONS: tuple[tuple[str, str, str], ...] = (
    ("{x} uses {y}.", "{x} now uses {y}.", "What does {x} use?"),
    ("The owner of {x} is {y}.", "The owner of {x} is now {y}.", "Who is the owner of {x}?"),
    ("{x} runs on {y}.", "{x} now runs on {y}.", "What does {x} run on?"),
    ("{x} is deployed to {y}.", "{x} is now deployed to {y}.", "Where is {x} deployed to?"),
    ("{x}'s scheduler is {y}.", "{x}'s scheduler is now {y}.", "What is the scheduler of {x}?"),
)


@dataclass(frozen=True, slots=True)
class Chain:
    """Two facts that follow from one another: the question over both, and each by itself."""

    question: str
    first_question: str
    second_question: str
    between: str
    value: str


@dataclass(slots=True)
class Set:
    """The sessions to tell and what is true after them."""

    facts: int = 0
    sessions: list[list[str]] = field(default_factory=list)
    single: list[tuple[str, str]] = field(default_factory=list)
    double: list[Chain] = field(default_factory=list)


def chains(count: int, seed: int) -> Set:
    """Return a set of about ``count`` statements, the same one for the same seed."""
    random = Random(f"consolidation {seed}")  # noqa: S311 - a measurement's dice
    names = _names(random, count)
    statements: list[tuple[str, str, str]] = []
    truth: dict[tuple[int, str], str] = {}
    subjects = [(names.pop(), random.randrange(len(RELATIONS))) for _ in range(count * 2 // 5)]
    bridges: list[tuple[str, str]] = []
    for subject, relation in subjects:
        truth[relation, subject] = _value(names, random, relation)
        statements.append((RELATIONS[relation][0], subject, truth[relation, subject]))
    for subject, relation in random.sample(subjects, len(subjects) * 9 // 10):
        truth[relation, subject] = _value(names, random, relation)
        statements.append((RELATIONS[relation][1], subject, truth[relation, subject]))
    users = [subject for subject, relation in subjects if relation == 0]
    for user in random.sample(users, min(40, len(users))):
        between = names.pop()
        truth[0, user] = between
        statements.append((RELATIONS[0][1], user, between))
        truth[2, between] = _value(names, random, 2)
        statements.append((RELATIONS[2][0], between, truth[2, between]))
        bridges.append((user, between))
    while len(statements) < count:
        relation, subject = random.choice(sorted(truth))
        if subject in {between for _, between in bridges} or (relation == 0 and subject in dict(bridges)):
            continue
        truth[relation, subject] = _value(names, random, relation)
        statements.append((RELATIONS[relation][1], subject, truth[relation, subject]))
    made = Set(facts=len(statements))
    told = [form.format(x=x, y=y) for form, x, y in statements]
    numbered = [f"{number}. {text}" for number, text in enumerate(told, start=1)]
    made.sessions = [
        [f"P: {line}" for line in numbered[at : at + PER_SESSION]]
        for at in range(0, len(numbered), PER_SESSION)
    ]
    made.single = [(RELATIONS[relation][2].format(x=x), value) for (relation, x), value in truth.items()]
    made.double = [
        Chain(
            f"What does the thing that {user} uses run on?",
            RELATIONS[0][2].format(x=user),
            RELATIONS[2][2].format(x=between),
            between,
            truth[2, between],
        )
        for user, between in bridges
    ]
    return made


def _names(random: Random, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count * 3:
        found[invented(random) + random.choice(("", "", " Hub", " Core", "-api"))] = None
    return list(found)


def _value(names: list[str], random: Random, relation: int) -> str:
    return random.choice(KNOWN) if relation in {0, 2} and random.random() < 0.3 else names.pop()
