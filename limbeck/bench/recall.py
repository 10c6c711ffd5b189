"""Measure recall on labelled sets: written as the product writes (``recall_world``), asked through ``recall.search``.

The ways a question is asked: fused as the product does, without embeddings, each signal alone, and where a set knows
the files of a question, with these named.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import text

from limbeck.bench.labelled import Ask, Corpus, LabelledSet
from limbeck.bench.ranking import mean, superseded
from limbeck.bench.recall_world import CLIENT, TELL_EVERY_S, Report, World, Written
from recall.answer import Answer, Hit, Scope
from recall.embedding.embedder import Embedder
from recall.errors import BadQuestion
from recall.search import SIGNALS, recall
from schema.database import Database

WORDS = ("words", "session")
SHOWN = 10
DEEP = 50
TALK = ("turn", "fact", "event")  # what says something that was said: a turn, or what was distilled from one


@dataclass(frozen=True, slots=True)
class Way:
    """A way to ask: which signals count, whether the embedder is used, whether the question's files are named."""

    name: str
    signals: tuple[str, ...] = SIGNALS
    embed: bool = True
    files: bool = False


@dataclass(slots=True)
class Outcome:
    """What one way of asking gave over a set."""

    sessions: list[tuple[list[str], frozenset[str]]] = field(default_factory=list)
    turns: list[tuple[list[str], frozenset[str]]] = field(default_factory=list)
    updates: list[tuple[list[str], frozenset[str], frozenset[str]]] = field(default_factory=list)
    declined: list[bool] = field(default_factory=list)
    silent: list[bool] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def ways(embed: bool, files: bool, alone: bool) -> list[Way]:
    """The ways to ask; ``alone`` adds each signal by itself."""
    found = [Way("fused", embed=embed)]
    if embed:
        found.append(Way("keyword only", signals=(*WORDS, "files"), embed=False))
    if alone:
        found.extend(Way(name, signals=(name,), embed=False) for name in WORDS)
        if embed:
            found.append(Way("semantic", signals=("semantic",)))
    if files:
        found.append(Way("fused, files known", embed=embed, files=True))
        if alone:
            found.append(Way("files", signals=("files",), embed=False, files=True))
    return found


def measure(
    world: World,
    labelled: LabelledSet,
    embedder: Embedder | None,
    *,
    half: int | None = None,
    most: int | None = None,
    alone: bool = True,
    report: Report = len,
) -> dict[str, Any]:
    """Write a set and ask its questions (every second one, from ``half``; ``most`` of them); return figures by way."""
    embedder_time = Timed(embedder) if embedder is not None else None
    files = any(ask.files for corpus in labelled.corpora for ask in corpus.asks)
    outcomes = {way: Outcome() for way in ways(embedder is not None, files, alone)}
    chosen = labelled.chosen(half, most)
    progress = Progress(labelled, chosen, report)
    units = 0
    began = time.perf_counter()
    for place, (corpus, asks) in enumerate(chosen, start=1):
        progress.corpus(place, corpus)
        written = world.write(corpus, report)
        units += written.units
        for ask in asks:
            for way, outcome in outcomes.items():
                _ask(world.database, corpus, written, ask, way, embedder_time, outcome)
            progress.asked()
    result: dict[str, Any] = {
        "set": labelled.name,
        "note": labelled.note,
        "units": units,
        "half": {None: "all", 0: "even", 1: "odd"}[half],
        "questions": sum(len(asks) for _, asks in chosen),
        "left_out": labelled.left_out(),
        "seconds": round(time.perf_counter() - began, 1),
        "writing_s": round(world.seconds, 1),
        "index_bytes": size(world.database),
        "ways": {way.name: _figures(outcome) for way, outcome in outcomes.items()},
    }
    if embedder_time is not None:
        result["embed_ms"] = spread(embedder_time.seconds)
    return result


def ask(
    database: Database,
    corpus: Corpus,
    project: str,
    question: Ask,
    way: Way,
    embedder: Embedder | None,
    limit: int = SHOWN,
) -> Answer | None:
    """Ask one question in one way, as the product is asked; None where it is refused."""
    try:
        return recall(
            database,
            Scope(CLIENT, (project,)),
            question.query,
            files=question.files if way.files else (),
            limit=limit,
            budget=1_000_000,
            embedder=embedder if way.embed else None,
            signals=way.signals,
            now=question.now or corpus.now,
        )
    except BadQuestion:
        return None


def _ask(
    database: Database,
    corpus: Corpus,
    written: Written,
    question: Ask,
    way: Way,
    embedder: Embedder | None,
    outcome: Outcome,
) -> None:
    began = time.perf_counter()
    answer = ask(database, corpus, written.project, question, way, embedder)
    outcome.seconds.append(time.perf_counter() - began)
    hits = answer.hits if answer is not None else ()
    sessions = list(dict.fromkeys(written.sessions.get(hit.session or "", hit.ref) for hit in hits))
    if question.gold:
        outcome.sessions.append((sessions, question.gold))
        outcome.silent.append(not hits)
    else:
        outcome.declined.append(not hits)
    if question.turns:
        outcome.turns.append((said(hits, written), question.turns))
    if question.updated and question.original:
        deep = ask(database, corpus, written.project, question, way, embedder, limit=DEEP)
        by_person = [hit for hit in (deep.hits if deep else ()) if hit.standing == "person"]
        outcome.updates.append((said(by_person, written), question.updated, question.original))


def said(hits: Iterable[Hit], written: Written) -> list[str]:
    """Return the exchanges that ``hits`` show, the best first: turns, and those that facts and events point at."""
    found: dict[str, None] = {}
    for hit in sorted(hits, key=lambda hit: -hit.score):
        rows = [hit.ref] if hit.kind == "turn" else [pointer.id for pointer in hit.evidence]
        if hit.kind in TALK:
            found.update((written.exchanges[row], None) for row in rows if row in written.exchanges)
    return list(found)


def _figures(outcome: Outcome) -> dict[str, Any]:
    figures: dict[str, Any] = {"sessions": mean(outcome.sessions), "latency_ms": spread(outcome.seconds)}
    if outcome.turns:
        figures["units"] = mean(outcome.turns)
    if outcome.updates:
        figures["updates"] = superseded(outcome.updates) | {"n": len(outcome.updates)}
    if outcome.declined:
        figures["abstention"] = {
            "declined": round(100 * sum(outcome.declined) / len(outcome.declined), 1),
            "n": len(outcome.declined),
            "wrongly declined": round(100 * sum(outcome.silent) / max(len(outcome.silent), 1), 1),
        }
    return figures


def size(database: Database) -> int:
    """Bytes of the search tables with their indexes."""
    with database.tenant(CLIENT) as connection:
        return int(
            connection.scalar(
                text("""
                    SELECT sum(pg_total_relation_size(oid)) FROM pg_class
                    WHERE relkind = 'r' AND relname LIKE 'search\\_%'
                """)
            )
            or 0
        )


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile in milliseconds."""
    if not seconds:
        return {}
    cuts = statistics.quantiles(seconds, n=20) if len(seconds) > 1 else [seconds[0]] * 19
    return {"p50": round(1000 * statistics.median(seconds), 1), "p95": round(1000 * cuts[18], 1)}


class Progress:
    """Tells how far a run is, and how long the rest will take as things go."""

    def __init__(
        self, labelled: LabelledSet, chosen: Sequence[tuple[Corpus, list[Ask]]], report: Report
    ) -> None:
        """``chosen`` are the corpora to be written and their questions."""
        self._name, self._report = labelled.name, report
        self._corpora, self._of = len(chosen), sum(len(asks) for _, asks in chosen)
        self._turns = {
            corpus.name: sum(len(held.exchanges) for held in corpus.sessions) for corpus, _ in chosen
        }
        self._done = self._asked = 0
        self._began = self._told = time.monotonic()

    def corpus(self, place: int, corpus: Corpus) -> None:
        """A corpus begins; what is behind foretells the rest by its number of turns."""
        left = ""
        if self._done:
            rate = (time.monotonic() - self._began) / self._done
            left = f", about {rate * (sum(self._turns.values()) - self._done) / 60:.0f} minutes left"
        self._report(
            f"{self._name}: corpus {place} of {self._corpora}, {self._turns[corpus.name]} turns, "
            f"{self._asked} of {self._of} questions asked{left}"
        )
        self._done += self._turns[corpus.name]

    def asked(self) -> None:
        """A question was asked in every way."""
        self._asked += 1
        if time.monotonic() - self._told > TELL_EVERY_S:
            self._told = time.monotonic()
            self._report(f"  {self._asked} of {self._of} questions asked")


class Timed:
    """An embedder that notes how long each call took; what a set's questions cost is told apart from the search."""

    def __init__(self, inner: Embedder) -> None:
        """``inner`` does the work; vectors of repeated questions are kept."""
        self._inner = inner
        self._kept: dict[str, Any] = {}
        self.seconds: list[float] = []
        self.model, self.dimension = inner.model, inner.dimension

    def embed(self, texts: Sequence[str]) -> Any:
        """Embed as the inner one does."""
        key = "\x1f".join(texts)
        if key not in self._kept:
            began = time.perf_counter()
            self._kept[key] = self._inner.embed(texts)
            self.seconds.append(time.perf_counter() - began)
        return self._kept[key]


def lines(result: dict[str, Any]) -> Iterator[str]:
    """Return a result as a table for people."""
    yield (
        f"{result['set']}: {result['questions']} questions ({result['half']}), {result['units']} units "
        f"written in {result['writing_s']} s, {result['seconds']} s in all"
    )
    if result["note"]:
        yield f"  note: {result['note']}"
    for reason, many in result["left_out"].items():
        yield f"  left out: {many}, since {reason}"
    yield (
        f"  index {result['index_bytes'] / 1e6:.0f} MB, embedding a question "
        f"{result.get('embed_ms', {}).get('p50', 0):.1f} ms (p95 {result.get('embed_ms', {}).get('p95', 0):.1f})"
    )
    names = ("any@1", "any@5", "any@10", "frac@5", "all@5", "mrr", "ndcg@10")
    yield "  " + f"{'distinct sessions':24}" + "".join(f"{name:>9}" for name in names) + "   p50/p95 ms"
    for way, figures in result["ways"].items():
        row = figures["sessions"]
        took = figures["latency_ms"]
        yield (
            "  "
            + f"{way:24}"
            + "".join(f"{row.get(name, 0):9.1f}" for name in names)
            + f"   {took.get('p50', 0):.1f}/{took.get('p95', 0):.1f}"
        )
    for level in ("units", "updates", "abstention"):
        for way, figures in result["ways"].items():
            if level in figures:
                yield f"  {level:12}{way:24}" + ", ".join(f"{k} {v}" for k, v in figures[level].items())
