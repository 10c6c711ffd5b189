"""From what the signals found to an order: fused, inside the time asked for, current first, without what is far off."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from recall import candidates
from recall.candidates import FACT_KIND, Candidate
from recall.fitting import ANSWERS, LEAST, fit
from recall.fusion import fuse, scaled
from recall.gather import Asked, Found
from recall.newest import newest_first
from recall.reasons import asks_why, gives_reason
from recall.times import Window
from schema.doubts import doubts

# Measured on the even halves of the labelled sets: docs/recall.md.
WEIGHTS = {"words": 1.0, "session": 1.0, "semantic": 1.5, "files": 2.0}
LONG_WEIGHTS = WEIGHTS | {"session": 0.0, "semantic": 1.0}
# Of all that a question's words weigh: what the best unit, the best session must score by words. Where a question is
# in other words than the answer, what matches best by words is chance, and scaling would make it as good as any.
ENOUGH = {"words": 0.2, "session": 0.2}
TOLD = 1 / 3  # of what the question's words weigh: what a person's words must hold of it to be of one thing
IN_WINDOW, TOLD_AFTER = 0.5, 0.25
TOLD_BETTER = 1.25
SETTLED = 1.2  # a current fact whose words answer the question
WHY = 2.0  # a fact or event that gives the reason asked for
AS_MUCH = 0.75  # of the words of the question, beside what holds most of them
DOUBTED = 0.0  # a fact that something was said against: its words alone count, as those of talk do
OUTDATED = 0.5  # what no longer holds, for who asks for it
# Below these nothing is about the question: the cosine with a part of the covered share of the question's words, or
# that share alone: a smaller one where there are no vectors. Calibrated on questions without an answer.
NEAR, SHARE, COVERED, SPELT = 0.30, 0.3, 0.12, 0.6

# Below this part of the best score nothing that was asked for was found: the lowest tenth of what is shown otherwise.
FAR, FAR_BY_WORDS = 0.22, 0.12


@dataclass(frozen=True, slots=True)
class Ranked:
    """Units in their order with their scores; ``notes`` are sentences for the reader. Empty: nothing is relevant."""

    order: tuple[Candidate, ...] = ()
    scores: Mapping[int, float] | None = None
    notes: tuple[str, ...] = ()


def ranked(conn: Connection, asked: Asked, found: Found) -> Ranked:
    """Order the units of ``found`` for the question, the best first."""
    worded = scaled(found.lists.get("words", {}))
    reasons = _reasons(conn, asked, found)
    facts = {c.ref for c in found.units.values() if c.kind == FACT_KIND and c.current}
    against = doubts(conn, asked.scope.client, sorted(facts))
    priors = {
        u: DOUBTED
        if c.kind == FACT_KIND and c.ref in against
        else c.prior + _outdated(asked, c) + _settled(asked, c, worded, reasons)
        for u, c in found.units.items()
    }
    weights = LONG_WEIGHTS if found.long_texts else WEIGHTS
    scores = fuse(found.lists, weights, priors, _enough(found))
    scores, notes = _in_window(asked, found, _why_first(found, scores, reasons or {}))
    if not scores or not (_relevant(found, scores) or _browsed(asked, found, scores)):
        return Ranked()
    scores = _near_the_best(asked, found, scores)
    order = _ordered(found, scores)
    if not asked.history:
        matched = {unit: match.lexemes for unit, match in found.matches.items()}
        least = TOLD * found.possible["words"]
        scores = newest_first(order, scores, matched, talk=asked.question.present, least=least)
        order = _ordered(found, scores)
    if asked.question.phrases:
        order, said = _with_phrases(conn, asked, order)
        notes.extend(said)
    return Ranked(tuple(order), scores, tuple(notes))


def _enough(found: Found) -> dict[str, float]:
    """What the best unit must score by words to count in full, beside a signal that needs none."""
    return {name: ENOUGH[name] * most for name, most in found.possible.items()} if found.cosines else {}


def _in_window(asked: Asked, found: Found, scores: dict[int, float]) -> tuple[dict[int, float], list[str]]:
    """Narrow to the time the question names, or favour it; where it holds next to nothing, say so and show the rest."""
    window = asked.question.window
    if window is None:
        return scores, []
    inside = {unit for unit, candidate in found.units.items() if window.holds(candidate.at)}
    favoured = {unit: score + _timely(window, found.units[unit].at) for unit, score in scores.items()}
    meant = f"was recorded in the time meant by {window.phrase!r}; other times are shown"
    if not inside:
        return favoured, [f"Nothing {meant}."]
    if not window.strict:
        return favoured, []
    if asked.question.words and not _answered(found, inside):
        return favoured, [f"Little {meant}, too."]
    # What happened in a time is told later, too: what was said soon after it stands, if nothing inside comes near it.
    best = max((scores.get(unit, 0.0) for unit in inside), default=0.0)
    told = {u for u, score in scores.items() if window.told(found.units[u].at) and score > TOLD_BETTER * best}
    return {unit: scores.get(unit, found.units[unit].prior) for unit in inside | told}, []


def _answered(found: Found, inside: Collection[int]) -> bool:
    """True where a unit of ``inside``, or its session as a whole, is about the question."""
    most = max([*found.coverage.values(), *found.covered.values()], default=0.0)
    held = max((found.covered.get(found.units[unit].owner, 0.0) for unit in inside), default=0.0)
    return any(map(_about(found), inside)) or 0 < most <= 2 * held


def _timely(window: Window, at: datetime) -> float:
    """What a unit gains by its time, in a window or soon after it: things are told later than they happen."""
    if window.holds(at):
        return IN_WINDOW
    return TOLD_AFTER if window.told(at) else 0.0


def _near_the_best(asked: Asked, found: Found, scores: dict[int, float]) -> dict[int, float]:
    """Leave out what is far below the best; of a time asked for everything is wanted."""
    if asked.question.window is not None:
        return scores
    least = max(scores.values()) * (FAR if found.cosines else FAR_BY_WORDS)
    about = _about(found)  # where little was found, scaling leaves even a good one nothing
    return {unit: score for unit, score in scores.items() if score >= least or about(unit)}


def _about(found: Found) -> Callable[[int], bool]:
    """Whether a unit is about the question: near in meaning, or with half the words that the fullest one holds."""
    worded = max(found.coverage.values(), default=0.0) / 2 or 1.0
    return lambda unit: found.cosines.get(unit, 0.0) >= NEAR or found.coverage.get(unit, 0.0) >= worded


def _ordered(found: Found, scores: dict[int, float]) -> list[Candidate]:
    def place(unit: Candidate) -> tuple[float, float, int]:
        return -scores[unit.unit], -unit.at.timestamp(), unit.unit

    return sorted((found.units[unit] for unit in scores), key=place)


def _reasons(conn: Connection, asked: Asked, found: Found) -> dict[int, float] | None:
    """Of the facts and events those that say why, with the share of the question's words that each holds (the best
    is 1: how short it is plays no part), where the question asks for a reason; else None.
    """
    if not asks_why(asked.question.text):
        return None
    told = [number for number, unit in found.units.items() if unit.kind in {"fact", "event"}]
    texts = candidates.bodies(conn, asked.scope.client, told)
    most = max(found.coverage.values(), default=0.0) or 1.0
    return {
        number: found.coverage.get(number, 0.0) / most
        for number, body in texts.items()
        if gives_reason(body.text)
    }


def _why_first(found: Found, scores: dict[int, float], reasons: Mapping[int, float]) -> dict[int, float]:
    """Put a fact or event that says why, and holds as much of the question, above those that do not."""
    bare = [
        scores[u]
        for u, unit in found.units.items()
        if unit.kind in {"fact", "event"} and u not in reasons and u in scores
    ]
    best = max(bare, default=0.0)
    lifted = {u: best + 0.1 * scores[u] for u, held in reasons.items() if held >= AS_MUCH and u in scores}
    return {u: max(score, lifted.get(u, score)) for u, score in scores.items()}


def _settled(
    asked: Asked, unit: Candidate, worded: Mapping[int, float], reasons: Mapping[int, float] | None
) -> float:
    """What a current fact gains, as far as its words answer: it was decided on, where talk was only said.

    Who asks why is answered by the facts and events that say why, not by those that say it most briefly.
    """
    asked_now = not (asked.history or asked.question.history)
    if not (asked_now and unit.current):
        return 0.0
    if reasons is not None:
        return WHY * reasons.get(unit.unit, 0.0)
    if unit.kind != FACT_KIND or unit.inferred:
        return 0.0
    fits = fit(unit.slot, asked.question.words)
    answers = ANSWERS if fits == 1 and asked.question.present else 0.0
    return answers + SETTLED * worded.get(unit.unit, 0.0) * (LEAST + (1 - LEAST) * fits)


def _outdated(asked: Asked, unit: Candidate) -> float:
    return OUTDATED if asked.question.history and not unit.current else 0.0


def _relevant(found: Found, scores: dict[int, float]) -> bool:
    """True where a unit shares a file, or is near enough in meaning and words."""
    if any(unit in scores for unit in found.lists.get("files", ())):
        return True
    covered = max((found.coverage.get(unit, 0.0) for unit in scores), default=0.0)
    if covered >= (SPELT if found.cosines else COVERED):
        return True
    return any(
        found.cosines[u] + SHARE * found.coverage.get(u, 0.0) >= NEAR for u in scores if u in found.cosines
    )


def _browsed(asked: Asked, found: Found, scores: dict[int, float]) -> bool:
    """True where a time is asked for, and of its units one at least holds a word (or no word is left to hold)."""
    window = asked.question.window
    timely = {unit for unit in scores if window is not None and window.holds(found.units[unit].at)}
    worded = [found.lists.get(name, {}) for name in ("words", "session")]
    return bool(timely) and (not asked.question.words or any(timely & listed.keys() for listed in worded))


def _with_phrases(
    conn: Connection, asked: Asked, order: list[Candidate]
) -> tuple[list[Candidate], list[str]]:
    """Put the units that say every quoted phrase first; nothing else is shown where only the phrase is asked for.

    Where none says it, keep all and say so.
    """
    texts = candidates.bodies(conn, asked.scope.client, [unit.unit for unit in order])
    phrases = asked.question.phrases
    kept = [unit for unit in order if all(texts[unit.unit].says(phrase) for phrase in phrases)]
    if not kept:
        return order, ["Nothing holds the quoted words just so; the nearest are shown."]
    said = {unit.unit for unit in kept}
    return kept if asked.question.spelt else [*kept, *(u for u in order if u.unit not in said)], []
