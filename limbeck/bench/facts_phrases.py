"""Single sentences that say that something changed, in ways people say it: what is read, doubted, and left standing.

No database and no clock: a sentence, then what the rules believe. Two halves, told apart by the sentence itself, so
that rules can be written against the one and be judged by the other.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import yaml

from distill.align import align
from distill.offline.distiller import OfflineDistiller
from distill.resolve import resolve
from limbeck.bench.facts_script import DATA, START, evidence
from schema.records import Fact

HALVES = ("open", "held out")
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Phrase:
    """One line: what was told before, who says what then, which value held, and which holds after.

    ``now`` is '' where none was said, and ``was`` itself where the sentence changes nothing.
    """

    given: str
    said: str
    was: str
    now: str

    @property
    def half(self) -> str:
        """Which half it belongs to: a matter of its words alone."""
        words = self.said.partition(" | ")[0]
        return HALVES[hashlib.sha256(words.encode()).digest()[0] & 1]

    @property
    def keeps(self) -> bool:
        """True where what held goes on to hold."""
        return self.now == self.was


@dataclass(frozen=True, slots=True)
class Known:
    """What is believed after the last word: the facts, and the ids of those that are in doubt."""

    facts: tuple[Fact, ...]
    doubted: frozenset[str]

    def holds(self, value: str) -> bool:
        """Whether a current fact has ``value``, in doubt or not."""
        return any(_has(fact, value) for fact in self.facts if fact.current)

    def surely(self, value: str) -> bool:
        """Whether a current fact has ``value`` and nothing speaks against it."""
        return any(_has(f, value) and f.id not in self.doubted for f in self.facts if f.current)


def phrases() -> list[Phrase]:
    """Return every line of the set."""
    loaded: list[dict[str, Any]] = yaml.safe_load((DATA / "phrases.yaml").read_text("utf-8"))
    found = []
    for group in loaded:
        given, was = group["given"], str(group["was"])
        told = [(who, said, str(now)) for who, said, now in group["told"]]
        told += [(who, said, was) for who, said in group["keeps"]]
        found += [Phrase(given, _line(who, said, was, now), was, now) for who, said, now in told]
    return found


def known_after(*told: str) -> Known:
    """Return what is believed after ``told``, each a session of its own, a day apart."""
    facts = tuple[Fact, ...]()
    doubted = set[str]()
    for number, line in enumerate(told):
        said = evidence([line], start=START + timedelta(days=number), session=f"s{number}")
        meant = align(OfflineDistiller().distil(said).offered, facts)
        change = resolve(facts, meant, START + timedelta(days=90))
        facts = (*(f for f in facts if f.version not in change.closes), *change.appends)
        doubted |= {a.target.id for a in change.flags if a.target and a.proposal.doubt}
    return Known(facts, frozenset(doubted))


def read(wanted: Iterable[Phrase]) -> dict[str, Any]:
    """Return shares in percent for ``wanted``, and the lines that came out wrong."""
    counted: Counter[str] = Counter()
    failures = list[str]()
    for phrase in wanted:
        known = known_after(phrase.given, phrase.said)
        kind = "kept" if phrase.keeps else "new" if phrase.now else "ended"
        verdict = _verdict(phrase, known)
        counted[kind] += 1
        counted[f"{kind} {verdict}"] += 1
        if verdict not in {"right", "undisturbed"}:
            failures.append(f"{verdict}: {phrase.said} ({phrase.was} -> {phrase.now or '-'})")
    told = counted["new"] + counted["ended"]
    right = counted["new right"] + counted["ended right"]
    return {
        "changes": told,
        "current_first": _share(counted["new right"], counted["new"]),
        "read": _share(right, told),
        "doubted": _share(counted["new doubted"] + counted["ended doubted"], told),
        "stale_undoubted": _share(counted["new stale"] + counted["ended stale"], told),
        "misread": _share(counted["new misread"] + counted["ended misread"], told),
        "kept": counted["kept"],
        "kept_retired": _share(counted["kept retired"], counted["kept"]),
        "kept_doubted": _share(counted["kept doubted"], counted["kept"]),
        "kept_added": _share(counted["kept added"], counted["kept"]),
        "failures": failures[:MOST_SHOWN],
    }


def both_halves() -> dict[str, Any]:
    """Return the figures of each half under names of its own, and what the open one has wrong."""
    told = phrases()
    result: dict[str, Any] = {}
    for half in HALVES:
        found = read(one for one in told if one.half == half)
        failures = found.pop("failures")
        result |= {f"{half.replace(' ', '_')}_{name}": value for name, value in found.items()}
        if half == HALVES[0]:
            result["failures"] = failures
    return result


def _verdict(phrase: Phrase, known: Known) -> str:
    if phrase.keeps:
        if not known.holds(phrase.was):
            return "retired"
        if not known.surely(phrase.was):
            return "doubted"
        return "added" if sum(f.current for f in known.facts) > 1 else "undisturbed"
    if phrase.now and known.holds(phrase.now) and not known.surely(phrase.was):
        return "right"
    if not known.holds(phrase.was):
        return "misread" if phrase.now else "right"
    return "stale" if known.surely(phrase.was) else "doubted"


def _has(fact: Fact, value: str) -> bool:
    return value.lower() in {fact.value.lower(), f"{fact.slot.subject} {fact.value}".lower()}


def _line(who: str, said: str, was: str, now: str) -> str:
    """A commit changes what it speaks of: files by the names of both values."""
    files = (
        f" | config/{was.lower()}.yml, config/{now.lower() or 'app'}.yml, src/app.py" if who == "C" else ""
    )
    return f"{who}: {said}{files}"


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0
