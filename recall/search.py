"""The one search everything calls: a question to ranked, current, diverse answers with their provenance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, text

from recall import candidates, graph, keyword, semantic
from recall.answer import Answer, Hit, Scope, Signal
from recall.candidates import SESSION_KIND, Candidate
from recall.embedding.embedder import Embedder
from recall.errors import EmbeddingUnavailable
from recall.fusion import fuse, ranks
from recall.keyword import Match
from recall.newest import newest_first
from recall.present import grouped, within
from recall.question import Question, parse
from schema.database import Database

KINDS = ("fact", "event", "summary", "commit", "memory", "item", "message", "turn", "session")
POOL = 200  # units each signal may bring
WEIGHTS = {"text": 1.0, "context": 1.0, "session": 1.0, "semantic": 1.0, "files": 1.0}
IN_WINDOW = 0.5
COVERED, NEAR = 0.35, 0.35  # below both, nothing in the index is about the question


@dataclass(slots=True)
class _Found:
    """What the signals say, by unit."""

    lists: dict[str, dict[int, float]] = field(default_factory=dict)
    matches: dict[int, Match] = field(default_factory=dict)
    cosines: dict[int, float] = field(default_factory=dict)
    units: dict[int, Candidate] = field(default_factory=dict)
    signals: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with everything that narrows it."""

    scope: Scope
    question: Question
    kinds: tuple[str, ...]
    files: tuple[str, ...]
    as_of: datetime | None
    history: bool
    vector: NDArray[np.float32] | None
    model: str


def recall(
    database: Database,
    scope: Scope,
    query: str,
    *,
    kinds: Sequence[str] | None = None,
    files: Sequence[str] = (),
    as_of: datetime | None = None,
    history: bool = False,
    limit: int = 5,
    budget: int = 2000,
    embedder: Embedder | None = None,
    now: datetime | None = None,
) -> Answer:
    """Answer ``query`` from what ``scope`` may see.

    ``kinds`` narrows to some of KINDS; ``files`` are files the caller works in; ``as_of`` looks from that time; with
    ``history`` superseded facts are shown too. ``limit`` counts distinct sessions, ``budget`` tokens of text. Without
    ``embedder``, or where it fails, keyword and files answer and the answer says so. ``now`` is for tests and benches.
    Raises BadQuestion, DatabaseUnavailable.
    """
    moment = now or datetime.now(UTC)
    question = parse(query, as_of or moment)
    vector, semantic_state = _vector(embedder, question.text)
    asked = _Asked(
        scope=scope,
        question=question,
        kinds=tuple(kinds) if kinds else KINDS,
        files=tuple(dict.fromkeys([*files, *question.files])),
        as_of=as_of,
        history=history or question.history,
        vector=vector,
        model=embedder.model if embedder else "",
    )
    with database.tenant(scope.client) as conn:
        conn.execute(text("SET LOCAL plan_cache_mode = force_custom_plan"))
        found = _gather(conn, asked)
        found.signals["semantic"] = semantic_state or found.signals.get("semantic", "ran")
        return _answer(conn, asked, found, limit, budget)


def _vector(embedder: Embedder | None, query: str) -> tuple[NDArray[np.float32] | None, str]:
    if embedder is None:
        return None, "off"
    try:
        return embedder.embed([query])[0], ""
    except EmbeddingUnavailable as error:
        return None, f"failed: {error}"


def _gather(conn: Connection, asked: _Asked) -> _Found:
    """Run every signal and fetch what they found."""
    found = _Found()
    client, projects = asked.scope.client, asked.scope.projects
    units = [kind for kind in asked.kinds if kind != SESSION_KIND]
    if asked.vector is not None:
        near = semantic.search(
            conn,
            client,
            vector=asked.vector,
            model=asked.model,
            projects=projects,
            kinds=asked.kinds,
            limit=POOL,
        )
        found.cosines.update(near)
        found.signals["semantic"] = "ran" if near else "no vectors of this model yet"
    found.matches = keyword.search(
        conn,
        client,
        words=asked.question.words,
        projects=projects,
        kinds=units,
        limit=POOL,
        also=list(found.cosines),
    )
    sessions = keyword.search(
        conn, client, words=asked.question.words, projects=projects, kinds=[SESSION_KIND], limit=POOL
    )
    if not units:  # only whole sessions are asked for: they are the units
        found.matches = sessions
    found.signals["keyword"] = "ran"
    owners = graph.sharing(conn, client, files=asked.files, projects=projects, limit=POOL)
    found.signals["files"] = "ran" if asked.files else "no file named"
    wanted = {*found.matches, *found.cosines, *sessions}
    wanted |= set(candidates.of_sessions(conn, client, projects, list(owners), asked.kinds, POOL * 5))
    found.units = candidates.fetch(conn, client, projects, sorted(wanted))
    _narrow(asked, found)
    if asked.vector is not None:
        missing = [unit for unit in found.units if unit not in found.cosines]
        found.cosines |= semantic.of_units(
            conn, client, vector=asked.vector, model=asked.model, projects=projects, units=missing
        )
    by_session = {
        unit.owner: sessions[unit.unit].whole for unit in found.units.values() if unit.unit in sessions
    }
    everyone = found.units
    found.lists = {
        "text": {u: found.matches[u].own for u in everyone if u in found.matches},
        "context": {u: found.matches[u].whole for u in everyone if u in found.matches},
        "session": {u: by_session[c.owner] for u, c in everyone.items() if c.owner in by_session},
        "semantic": {u: found.cosines[u] for u in everyone if u in found.cosines},
        "files": {u: owners[c.owner] for u, c in everyone.items() if c.owner in owners},
    }
    return found


def _narrow(asked: _Asked, found: _Found) -> None:
    """Drop what the question rules out: other kinds, superseded facts, what came after ``as_of``."""

    def allowed(unit: Candidate) -> bool:
        if unit.kind not in asked.kinds:
            return False
        if asked.as_of is not None:
            since = unit.valid_from or unit.at
            return since <= asked.as_of and (
                asked.history or unit.valid_to is None or asked.as_of < unit.valid_to
            )
        return asked.history or unit.current

    found.units = {number: unit for number, unit in found.units.items() if allowed(unit)}


def _answer(conn: Connection, asked: _Asked, found: _Found, limit: int, budget: int) -> Answer:
    scores = fuse(found.lists, WEIGHTS, {u: c.prior for u, c in found.units.items()})
    notes: list[str] = []
    window = asked.question.window
    if window is not None:
        inside = {unit for unit, candidate in found.units.items() if window.holds(candidate.at)}
        if not inside:
            notes.append(
                f"Nothing was recorded in the time meant by {window.phrase!r}; other times are shown."
            )
        elif window.strict:
            scores = {unit: score for unit, score in scores.items() if unit in inside}
        else:
            scores = {unit: score + (IN_WINDOW if unit in inside else 0.0) for unit, score in scores.items()}
    if not _relevant(found, scores, asked):
        return Answer(
            asked.question.text, (), found.signals, window, asked.history, "Nothing relevant was found."
        )
    order = _ordered(found, scores)
    if not asked.history:
        matched = {unit: match.lexemes for unit, match in found.matches.items()}
        scores = newest_first(order, scores, matched)
        order = _ordered(found, scores)
    if asked.question.phrases:
        order, note = _with_phrases(conn, asked, order)
        notes.extend(note)
    return _shown(conn, asked, found, scores, grouped(order, limit), budget, " ".join(notes))


def _ordered(found: _Found, scores: dict[int, float]) -> list[Candidate]:
    return [
        found.units[u] for u in sorted(scores, key=lambda u: (-scores[u], -found.units[u].at.timestamp(), u))
    ]


def _relevant(found: _Found, scores: dict[int, float], asked: _Asked) -> bool:
    if asked.files and found.lists["files"]:
        return bool(scores)
    covered = max((found.matches[u].coverage for u in scores if u in found.matches), default=0.0)
    near = max((found.cosines[u] for u in scores if u in found.cosines), default=0.0)
    return covered >= COVERED or near >= NEAR


def _with_phrases(
    conn: Connection, asked: _Asked, order: list[Candidate]
) -> tuple[list[Candidate], list[str]]:
    """Keep the units that say every quoted phrase; where none does, keep all and say so."""
    texts = candidates.bodies(conn, asked.scope.client, [unit.unit for unit in order])
    phrases = asked.question.phrases
    kept = [unit for unit in order if all(texts[unit.unit].says(phrase) for phrase in phrases)]
    if kept:
        return kept, []
    return order, ["Nothing holds the quoted words just so; the nearest are shown."]


def _shown(
    conn: Connection,
    asked: _Asked,
    found: _Found,
    scores: dict[int, float],
    placed: list[tuple[int, Candidate]],
    budget: int,
    note: str,
) -> Answer:
    client = asked.scope.client
    texts = candidates.bodies(conn, client, [unit.unit for _, unit in placed])
    fresh = candidates.freshness(conn, client, [unit.ref for _, unit in placed if unit.kind == "fact"])
    fitted = within({u: body.text for u, body in texts.items()}, [unit.unit for _, unit in placed], budget)
    ranked = {name: ranks(scores_of) for name, scores_of in found.lists.items()}
    hits = []
    for place, unit in placed:
        if unit.unit not in fitted:
            continue
        body = texts[unit.unit]
        signals: dict[str, Signal] = {
            name: places[unit.unit] for name, places in ranked.items() if unit.unit in places
        }
        hits.append(
            Hit(
                kind=unit.kind,
                ref=unit.ref,
                project=unit.project,
                title=body.title,
                text=fitted[unit.unit],
                chars=len(body.text),
                cut=fitted[unit.unit] != body.text,
                at=unit.at,
                place=place,
                score=round(scores[unit.unit], 4),
                session=unit.session,
                files=unit.files,
                standing=unit.standing,
                slot=unit.slot,
                current=unit.current,
                valid_from=unit.valid_from,
                valid_to=unit.valid_to,
                freshness=fresh.get(unit.ref) if unit.kind == "fact" else None,
                evidence=body.evidence,
                signals=signals,
            )
        )
    return Answer(
        asked.question.text,
        tuple(hits),
        found.signals,
        asked.question.window,
        asked.history,
        note,
        left_out=len(placed) - len(hits),
    )
