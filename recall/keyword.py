"""The keyword signal: BM25 in SQL over posting blocks, matched by equality so row security keeps the index."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from recall.postings import K1, B

DEPTH = 3000  # postings read of one lexeme, best first: beyond it a common word adds nothing

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

# ``bit`` remembers which lexemes a unit matched.
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
        SELECT p.unit, bit_or(b.bit) AS bits,
               sum(b.idf * p.own
                   / (p.own + CAST(:own_base AS float8) + CAST(:own_slope AS float8) * p.own_length)) AS own,
               sum(b.idf * p.whole
                   / (p.whole + CAST(:whole_base AS float8) + CAST(:whole_slope AS float8) * p.whole_length)) AS whole
        FROM block b, unnest(b.units, b.own, b.whole, b.own_lengths, b.whole_lengths)
             AS p(unit, own, whole, own_length, whole_length)
        GROUP BY p.unit
    )
    SELECT unit, bits, own, whole FROM scored
    WHERE unit IN (SELECT unit FROM scored ORDER BY whole DESC, unit LIMIT :limit)
       OR unit IN (SELECT unit FROM scored ORDER BY own DESC, unit LIMIT :limit)
       OR unit = ANY(CAST(:also AS bigint[]))
"""


@dataclass(frozen=True, slots=True)
class Match:
    """A unit's keyword scores: of its own text, and with its context; the matched lexemes with their weight.

    ``coverage`` is the share (0 to 1) of the question's weight that the unit's words carry.
    """

    unit: int
    own: float
    whole: float
    lexemes: dict[str, float]
    coverage: float


def search(
    conn: Connection,
    client: str,
    *,
    words: dict[str, float],
    projects: Sequence[str] | None,
    kinds: Sequence[str],
    limit: int,
    also: Sequence[int] = (),
) -> dict[int, Match]:
    """Return the best ``limit`` units by own text and by whole text for any of ``words`` (word to weight).

    ``also`` names units to score whatever their rank.
    """
    if not words:
        return {}
    narrow = "" if projects is None else "AND project = ANY(CAST(:projects AS uuid[]))"
    scope: dict[str, object] = {"client": client, "kinds": list(kinds)}
    if projects is not None:
        scope["projects"] = list(projects)
    stats = conn.execute(text(_STATS.format(projects=narrow)), scope).one()
    if stats.units <= 0:
        return {}
    terms = conn.execute(
        text(_TERMS.format(projects=narrow)),
        scope | {"words": list(words), "weights": list(words.values())},
    ).all()
    weights = {t.lexeme: t.weight * math.log(1 + (stats.units - t.df + 0.5) / (t.df + 0.5)) for t in terms}
    possible = sum(weights[t.lexeme] for t in terms if t.weight >= 1)
    known = [t.lexeme for t in terms if t.df > 0][:63]
    rows = conn.execute(
        text(_SEARCH.format(projects=narrow)),
        scope
        | {
            "lexemes": known,
            "idfs": [weights[lexeme] for lexeme in known],
            "bits": [1 << place for place in range(len(known))],
            "depth": DEPTH,
            "own_base": K1 * (1 - B),
            "own_slope": K1 * B / max(stats.own / stats.units, 1.0),
            "whole_base": K1 * (1 - B),
            "whole_slope": K1 * B / max(stats.whole / stats.units, 1.0),
            "limit": limit,
            "also": list(also),
        },
    )
    found = {}
    for row in rows:
        lexemes = {lexeme: weights[lexeme] for place, lexeme in enumerate(known) if row.bits >> place & 1}
        coverage = min(1.0, sum(lexemes.values()) / possible) if possible else 0.0
        found[row.unit] = Match(row.unit, row.own, row.whole, lexemes, coverage)
    return found
