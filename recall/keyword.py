"""The keyword signal: BM25 in SQL over posting blocks, matched by equality so row security keeps the index."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

from recall.candidates import SESSION_KIND
from recall.postings import K1, B
from schema.scope import narrowed, values

# Of one lexeme this many postings are read, best first, and of all lexemes together so many, rare ones first: beyond
# that a common word no longer finds anything and only misses from the score of what others found.
DEPTH = 2_000
MOST_READ = 10_000
MOST_LEXEMES = 63  # as many as a bit mask can remember

# Units and whole sessions are two corpora: a session is as long as all its turns. Inside a corpus a unit is long or
# short for its kind: many brief facts must not make every turn a long one.
_STATS = """
    SELECT kind, sum(units)::float8 AS units, sum(own)::float8 AS own, sum(whole)::float8 AS whole
    FROM search_stats WHERE client = :client AND kind = ANY(:kinds) {projects} GROUP BY kind
"""

_TERMS = """
    WITH asked AS (
        SELECT coalesce(s.stems[1], t.word) COLLATE "C" AS lexeme, max(t.weight) AS weight
        FROM unnest(CAST(:words AS text[]), CAST(:weights AS float8[])) AS t(word, weight)
        CROSS JOIN LATERAL (
            SELECT CASE WHEN left(t.word, 1) <> '=' THEN ts_lexize('english_stem', t.word) END AS stems
        ) s
        WHERE s.stems IS DISTINCT FROM '{{}}'
        GROUP BY 1
    )
    SELECT a.lexeme, a.weight, coalesce(p.units, 0)::float8 AS units, coalesce(p.sessions, 0)::float8 AS sessions
    FROM asked a CROSS JOIN LATERAL (
        SELECT sum(n) FILTER (WHERE kind <> 'session') AS units, sum(n) FILTER (WHERE kind = 'session') AS sessions
        FROM search_postings
        WHERE client = :client AND lexeme = a.lexeme AND kind = ANY(:kinds) {projects}
    ) p
"""

# ``bits`` remembers which lexemes a unit holds, ``own_bits`` which its own text does.
_SEARCH = """
    WITH term AS (
        SELECT * FROM unnest(CAST(:lexemes AS text[]), CAST(:idfs AS float8[]), CAST(:bits AS bigint[]),
                             CAST(:depths AS bigint[])) AS t(lexeme, idf, bit, depth)
    ),
    usual AS (
        SELECT * FROM unnest(CAST(:kinds AS text[]), CAST(:slopes AS float8[])) AS s(kind, slope)
    ),
    block AS (
        SELECT t.idf, t.bit, s.slope, p.* FROM term t CROSS JOIN LATERAL (
            SELECT kind, units, own, {counts} AS counts, {lengths} AS lengths,
                   sum(n) OVER (ORDER BY best DESC, block) - n AS above
            FROM search_postings
            WHERE client = :client AND lexeme = t.lexeme AND kind = ANY(:kinds) {projects}
        ) p JOIN usual s USING (kind)
        WHERE p.above < t.depth
    ),
    scored AS (
        SELECT p.unit, bit_or(b.bit) AS bits, bit_or(CASE WHEN p.own > 0 THEN b.bit ELSE 0 END) AS own_bits,
               sum(b.idf * p.many / (p.many + CAST(:base AS float8) + b.slope * p.length)) AS score
        FROM block b, unnest(b.units, b.own, b.counts, b.lengths) AS p(unit, own, many, length)
        GROUP BY p.unit
    )
    SELECT unit, bits, own_bits, score FROM scored
    WHERE unit IN (SELECT unit FROM scored ORDER BY score DESC, unit LIMIT :limit)
       OR unit = ANY(CAST(:also AS bigint[]))
"""


@dataclass(frozen=True, slots=True)
class Match:
    """A unit's keyword score.

    ``lexemes`` are those of the question in its own text, with their weight; ``coverage`` is the share (0 to 1) of the
    question's weight that its words carry, context included.
    """

    unit: int
    score: float
    lexemes: dict[str, float]
    coverage: float


@dataclass(frozen=True, slots=True)
class Term:
    """A lexeme of the question: its weight in it, its weight times its rarity, and how many units hold it."""

    lexeme: str
    asked: float
    weight: float
    held_by: int


@dataclass(frozen=True, slots=True)
class Usual:
    """How many words a unit of some kind has on average: in its own text, and with its context. At least one."""

    own: float = 1.0
    whole: float = 1.0


@dataclass(frozen=True, slots=True)
class Corpus:
    """Units of some kinds inside some projects (None: all), seen with one question; ``usual`` is told by kind."""

    projects: tuple[str, ...] | None
    kinds: tuple[str, ...]
    units: float
    usual: dict[str, Usual]
    terms: tuple[Term, ...]

    @property
    def possible(self) -> float:
        """What the question's own words (not their synonyms) weigh together."""
        return sum(term.weight for term in self.terms if term.asked >= 1)

    def reads(self) -> list[tuple[Term, int]]:
        """The terms to look up, rare ones first, each with how many postings to read."""
        plan: list[tuple[Term, int]] = []
        left = MOST_READ
        for term in sorted(self.terms, key=lambda term: (term.held_by, term.lexeme)):
            if term.held_by and left > 0 and len(plan) < MOST_LEXEMES:
                plan.append((term, min(DEPTH, left)))
                left -= min(term.held_by, DEPTH)
        return plan


def corpora(
    conn: Connection,
    client: str,
    *,
    words: dict[str, float],
    projects: Sequence[str] | None,
    kinds: Sequence[str],
) -> tuple[Corpus, Corpus]:
    """Sum up the units of ``kinds``, and the whole sessions, for a question of ``words`` (word to weight)."""
    narrow = narrowed(projects)
    scope = values(client, projects) | {"kinds": [*kinds, SESSION_KIND]}
    sums = {
        row.kind: row
        for row in conn.execute(text(_STATS.format(projects=narrow)), scope)
        if row.units and row.units > 0
    }
    terms = conn.execute(
        text(_TERMS.format(projects=narrow)),
        scope | {"words": list(words), "weights": list(words.values())},
    ).all()

    def corpus(of: Sequence[str], held_by: str) -> Corpus:
        units = sum(sums[kind].units for kind in of if kind in sums)
        usual = {kind: _usual(sums[kind]) for kind in of if kind in sums}
        found = []
        for term in terms:
            many = getattr(term, held_by)
            rarity = math.log(1 + (max(units - many, 0.0) + 0.5) / (many + 0.5))
            found.append(Term(term.lexeme, term.weight, term.weight * rarity, int(many)))
        inside = None if projects is None else tuple(projects)
        return Corpus(inside, tuple(of), units, usual, tuple(found))

    return corpus(kinds, "units"), corpus([SESSION_KIND], "sessions")


def _usual(row: Any) -> Usual:
    return Usual(max(row.own / row.units, 1.0), max(row.whole / row.units, 1.0))


def search(
    conn: Connection,
    client: str,
    corpus: Corpus,
    *,
    limit: int,
    also: Sequence[int] = (),
    by_own: bool = False,
) -> dict[int, Match]:
    """Return the best ``limit`` units of ``corpus`` for any of its terms.

    Scored by text and context together, or with ``by_own`` by their own text. ``also`` names units to score whatever
    their rank.
    """
    plan = corpus.reads()
    if not plan:
        return {}
    counts, lengths = ("own", "own_lengths") if by_own else ("whole", "whole_lengths")
    statement = _SEARCH.format(projects=narrowed(corpus.projects), counts=counts, lengths=lengths)
    usual = [corpus.usual.get(kind, Usual()) for kind in corpus.kinds]
    rows = conn.execute(
        text(statement),
        values(client, corpus.projects)
        | {
            "kinds": list(corpus.kinds),
            "lexemes": [term.lexeme for term, _ in plan],
            "idfs": [term.weight for term, _ in plan],
            "bits": [1 << place for place in range(len(plan))],
            "depths": [depth for _, depth in plan],
            "base": K1 * (1 - B),
            "slopes": [K1 * B / (one.own if by_own else one.whole) for one in usual],
            "limit": limit,
            "also": list(also),
        },
    )
    terms = [term for term, _ in plan]
    possible = corpus.possible
    return {row.unit: _match(row, terms, possible) for row in rows}


def _match(row: Any, terms: Sequence[Term], possible: float) -> Match:
    def held(bits: int) -> dict[str, float]:
        return {term.lexeme: term.weight for place, term in enumerate(terms) if bits >> place & 1}

    coverage = min(1.0, sum(held(row.bits).values()) / possible) if possible else 0.0
    return Match(row.unit, row.score, held(row.own_bits), coverage)
