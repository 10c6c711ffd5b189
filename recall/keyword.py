"""The keyword signal: BM25 in SQL over posting blocks, matched by equality so row security keeps the index."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, text

from recall.postings import K1, B

DEPTH = 3000  # postings read of one lexeme, best first: beyond it a common word adds nothing
MOST_LEXEMES = 63  # as many as a bit mask can remember

_STATS = """
    SELECT coalesce(sum(units), 0)::float8 AS units, coalesce(sum(own), 0)::float8 AS own,
           coalesce(sum(whole), 0)::float8 AS whole
    FROM search_stats WHERE client = :client AND kind = ANY(:kinds) {projects}
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
    SELECT a.lexeme, a.weight, coalesce(p.df, 0)::float8 AS df FROM asked a CROSS JOIN LATERAL (
        SELECT sum(n) AS df FROM search_postings
        WHERE client = :client AND lexeme = a.lexeme AND kind = ANY(:kinds) {projects}
    ) p
"""

# ``bits`` remembers which lexemes a unit holds, ``own_bits`` which its own text does.
_SEARCH = """
    WITH term AS (
        SELECT * FROM unnest(CAST(:lexemes AS text[]), CAST(:idfs AS float8[]), CAST(:bits AS bigint[]))
            AS t(lexeme, idf, bit)
    ),
    block AS (
        SELECT t.idf, t.bit, p.* FROM term t CROSS JOIN LATERAL (
            SELECT units, own, whole, own_lengths, whole_lengths, sum(n) OVER (ORDER BY best DESC, block) - n AS above
            FROM search_postings
            WHERE client = :client AND lexeme = t.lexeme AND kind = ANY(:kinds) {projects}
        ) p
        WHERE p.above < :depth
    ),
    scored AS (
        SELECT p.unit, bit_or(b.bit) AS bits, bit_or(CASE WHEN p.own > 0 THEN b.bit ELSE 0 END) AS own_bits,
               sum(b.idf * p.own
                   / (p.own + CAST(:own_base AS float8) + CAST(:own_slope AS float8) * p.own_length)) AS own,
               sum(b.idf * p.whole
                   / (p.whole + CAST(:whole_base AS float8) + CAST(:whole_slope AS float8) * p.whole_length)) AS whole
        FROM block b, unnest(b.units, b.own, b.whole, b.own_lengths, b.whole_lengths)
             AS p(unit, own, whole, own_length, whole_length)
        GROUP BY p.unit
    )
    SELECT unit, bits, own_bits, own, whole FROM scored
    WHERE unit IN (SELECT unit FROM scored ORDER BY {score} DESC, unit LIMIT :limit)
       OR unit = ANY(CAST(:also AS bigint[]))
"""


@dataclass(frozen=True, slots=True)
class Match:
    """A unit's keyword scores: of its own text, and with its context.

    ``lexemes`` are those of the question in its own text, with their weight; ``coverage`` is the share (0 to 1) of the
    question's weight that its words carry, context included.
    """

    unit: int
    own: float
    whole: float
    lexemes: dict[str, float]
    coverage: float


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is searched, and how many units of which mean lengths (in words) it holds."""

    projects: tuple[str, ...] | None
    kinds: tuple[str, ...]
    units: float
    own_average: float
    whole_average: float

    @property
    def narrow(self) -> str:
        """The clause that keeps a statement inside the projects."""
        return "" if self.projects is None else "AND project = ANY(CAST(:projects AS uuid[]))"

    def scope(self, client: str) -> dict[str, object]:
        """The values of that clause, with client and kinds."""
        values: dict[str, object] = {"client": client, "kinds": list(self.kinds)}
        return values if self.projects is None else values | {"projects": list(self.projects)}


def corpus(conn: Connection, client: str, *, projects: Sequence[str] | None, kinds: Sequence[str]) -> Corpus:
    """Sum up the units of ``kinds`` inside ``projects`` (None: all of the client)."""
    asked = Corpus(None if projects is None else tuple(projects), tuple(kinds), 0.0, 1.0, 1.0)
    row = conn.execute(text(_STATS.format(projects=asked.narrow)), asked.scope(client)).one()
    many = max(row.units, 1.0)
    return replace(
        asked, units=row.units, own_average=max(row.own / many, 1.0), whole_average=max(row.whole / many, 1.0)
    )


def search(
    conn: Connection,
    client: str,
    corpus: Corpus,
    *,
    words: dict[str, float],
    limit: int,
    also: Sequence[int] = (),
    by_own: bool = False,
) -> dict[int, Match]:
    """Return the best ``limit`` units of ``corpus`` for any of ``words`` (word to weight).

    Best by text and context together, or with ``by_own`` by their own text. ``also`` names units to score whatever
    their rank.
    """
    if not words or corpus.units <= 0:
        return {}
    scope = corpus.scope(client)
    terms = conn.execute(
        text(_TERMS.format(projects=corpus.narrow)),
        scope | {"words": list(words), "weights": list(words.values())},
    ).all()
    weights = {t.lexeme: t.weight * math.log(1 + (corpus.units - t.df + 0.5) / (t.df + 0.5)) for t in terms}
    possible = sum(weights[t.lexeme] for t in terms if t.weight >= 1)
    known = [t.lexeme for t in terms if t.df > 0][:MOST_LEXEMES]
    rows = conn.execute(
        text(_SEARCH.format(projects=corpus.narrow, score="own" if by_own else "whole")),
        scope
        | {
            "lexemes": known,
            "idfs": [weights[lexeme] for lexeme in known],
            "bits": [1 << place for place in range(len(known))],
            "depth": DEPTH,
            "own_base": K1 * (1 - B),
            "own_slope": K1 * B / corpus.own_average,
            "whole_base": K1 * (1 - B),
            "whole_slope": K1 * B / corpus.whole_average,
            "limit": limit,
            "also": list(also),
        },
    )
    return {row.unit: _match(row, known, weights, possible) for row in rows}


def _match(row: Any, known: Sequence[str], weights: dict[str, float], possible: float) -> Match:
    def held(bits: int) -> dict[str, float]:
        return {lexeme: weights[lexeme] for place, lexeme in enumerate(known) if bits >> place & 1}

    coverage = min(1.0, sum(held(row.bits).values()) / possible) if possible else 0.0
    return Match(row.unit, row.own, row.whole, held(row.own_bits), coverage)
