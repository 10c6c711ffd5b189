"""Posting blocks: write a batch's, take a unit's out again, fold small ones together.

BM25's per-posting weight depends on the average length, which moves; so a block keeps counts and lengths, and is only
*ordered* by an impact that assumes a usual length. What a question reads is the best of each lexeme, to a depth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

K1, B = 1.2, 0.75
BLOCK = 1000  # postings in a block
FOLD_ABOVE = 8  # blocks of one lexeme before a sweep folds them

# A unit's lengths first, since a posting carries them; then one block a lexeme (more where a batch is large).
_INSERT = text("""
    WITH stem AS (
        SELECT word, CASE WHEN left(word, 1) <> '=' THEN ts_lexize('english_stem', word) END AS stems
        FROM (SELECT DISTINCT unnest(CAST(:words AS text[])) AS word) AS d
    ),
    counted AS (
        SELECT w.unit, coalesce(s.stems[1], w.word) COLLATE "C" AS lexeme,
               least(sum(w.own), 32767)::smallint AS own, least(sum(w.whole), 32767)::smallint AS whole
        FROM unnest(CAST(:units AS bigint[]), CAST(:words AS text[]), CAST(:own AS int[]), CAST(:whole AS int[]))
             AS w(unit, word, own, whole)
        JOIN stem s USING (word)
        WHERE s.stems IS DISTINCT FROM '{}'
        GROUP BY 1, 2
    ),
    sized AS (
        SELECT *, least(sum(own) OVER u, 32767)::smallint AS own_length,
               least(sum(whole) OVER u, 32767)::smallint AS whole_length
        FROM counted WINDOW u AS (PARTITION BY unit)
    ),
    posting AS (
        SELECT *, (row_number() OVER (PARTITION BY lexeme ORDER BY impact DESC, unit) - 1) / :block AS part
        FROM (SELECT *, whole::real / (whole + 0.3 + 0.9 * whole_length / 100.0) AS impact FROM sized) AS weighed
    ),
    written AS (
        INSERT INTO search_postings
            (client, lexeme, project, kind, best, n, units, own, whole, own_lengths, whole_lengths)
        SELECT :client, lexeme, CAST(:project AS uuid), :kind, max(impact), count(*),
               array_agg(unit ORDER BY impact DESC, unit), array_agg(own ORDER BY impact DESC, unit),
               array_agg(whole ORDER BY impact DESC, unit), array_agg(own_length ORDER BY impact DESC, unit),
               array_agg(whole_length ORDER BY impact DESC, unit)
        FROM posting GROUP BY lexeme, part ORDER BY lexeme, part
    ),
    summed AS MATERIALIZED (
        SELECT unit, array_agg(lexeme) AS lexemes, min(own_length) AS own_length, min(whole_length) AS whole_length
        FROM sized GROUP BY unit
    ),
    noted AS (
        UPDATE search_units u SET lexemes = s.lexemes, own_length = s.own_length, whole_length = s.whole_length
        FROM summed s
        WHERE u.client = :client AND u.unit = s.unit
    )
    INSERT INTO search_stats (client, project, kind, units, own, whole)
    SELECT :client, CAST(:project AS uuid), :kind, :n, coalesce(sum(own_length), 0), coalesce(sum(whole_length), 0)
    FROM (SELECT DISTINCT unit, own_length, whole_length FROM sized) s
""")

# Writing adds blocks and needs no lock. Rewriting takes this one first: a statement that only waited for a locked block
# would not see the block that replaced it.
_ALONE = text("""
    SELECT pg_advisory_xact_lock(
        hashtextextended(concat_ws(' ', CAST(:client AS text), CAST(:project AS text), CAST(:kind AS text)), 0))
""")

_HOLDING = text("""
    SELECT lexeme, block FROM search_postings
    WHERE client = :client AND project = CAST(:project AS uuid) AND kind = :kind
      AND lexeme = ANY(CAST(:lexemes AS text[])) AND units && CAST(:units AS bigint[])
""")

_SCATTERED = text("""
    SELECT project, kind, lexeme FROM search_postings WHERE client = :client
    GROUP BY project, kind, lexeme
    HAVING count(*) > :most AND count(*) > 2 * (sum(n) / :block + 1)
    ORDER BY project, kind, lexeme LIMIT :limit
""")

_OF_LEXEMES = text("""
    SELECT block FROM search_postings
    WHERE client = :client AND project = CAST(:project AS uuid) AND kind = :kind
      AND lexeme = ANY(CAST(:lexemes AS text[]))
""")

_FOLD_STATS = text("""
    WITH old AS (
        DELETE FROM search_stats WHERE client = :client
          AND (project, kind) IN (
              SELECT project, kind FROM search_stats WHERE client = :client
              GROUP BY project, kind HAVING count(*) > :most)
        RETURNING project, kind, units, own, whole
    )
    INSERT INTO search_stats (client, project, kind, units, own, whole)
    SELECT :client, project, kind, sum(units), sum(own), sum(whole) FROM old GROUP BY project, kind
""")

_UNCOUNT = text("""
    INSERT INTO search_stats (client, project, kind, units, own, whole)
    SELECT client, project, kind, -count(*), -sum(own_length), -sum(whole_length)
    FROM search_units WHERE client = :client AND unit = ANY(:units)
    GROUP BY client, project, kind
""")

_REWRITE = text("""
    WITH old AS (
        DELETE FROM search_postings
        WHERE client = :client AND project = CAST(:project AS uuid) AND kind = :kind AND block = ANY(:blocks)
          AND lexeme = ANY(CAST(:lexemes AS text[]))
        RETURNING lexeme, units, own, whole, own_lengths, whole_lengths
    ),
    kept AS (
        SELECT o.lexeme, p.* FROM old o, unnest(o.units, o.own, o.whole, o.own_lengths, o.whole_lengths)
             AS p(unit, own, whole, own_length, whole_length)
        WHERE p.unit <> ALL(CAST(:units AS bigint[]))
    ),
    posting AS (
        SELECT *, (row_number() OVER (PARTITION BY lexeme ORDER BY impact DESC, unit) - 1) / :block AS part
        FROM (SELECT *, whole::real / (whole + 0.3 + 0.9 * whole_length / 100.0) AS impact FROM kept) AS weighed
    )
    INSERT INTO search_postings
        (client, lexeme, project, kind, best, n, units, own, whole, own_lengths, whole_lengths)
    SELECT :client, lexeme, CAST(:project AS uuid), :kind, max(impact), count(*),
           array_agg(unit ORDER BY impact DESC, unit), array_agg(own ORDER BY impact DESC, unit),
           array_agg(whole ORDER BY impact DESC, unit), array_agg(own_length ORDER BY impact DESC, unit),
           array_agg(whole_length ORDER BY impact DESC, unit)
    FROM posting GROUP BY lexeme, part ORDER BY lexeme, part
""")


@dataclass(frozen=True, slots=True)
class Counts:
    """A unit's words: in its own text, and in text and context together (``whole`` holds ``own``)."""

    unit: int
    own: Counter[str]
    whole: Counter[str]


def write(conn: Connection, client: str, project: str, kind: str, batch: Sequence[Counts]) -> None:
    """Write the posting blocks, lengths and statistics of new units of one project and kind."""
    rows = [(c.unit, word, c.own[word], n) for c in batch for word, n in c.whole.items()]
    conn.execute(
        _INSERT,
        {
            "client": client,
            "project": project,
            "kind": kind,
            "block": BLOCK,
            "n": len(batch),
            "units": [row[0] for row in rows],
            "words": [row[1] for row in rows],
            "own": [row[2] for row in rows],
            "whole": [row[3] for row in rows],
        },
    )


def erase(
    conn: Connection, client: str, project: str, kind: str, units: Sequence[int], lexemes: Sequence[str]
) -> None:
    """Take units of one project and kind out of every block and out of the statistics; their rows must still be there.

    ``lexemes`` are all lexemes the units have.
    """
    where = {"client": client, "project": project, "kind": kind, "units": list(units)}
    conn.execute(_ALONE, where)
    held = conn.execute(_HOLDING, {**where, "lexemes": list(lexemes)}).all()
    if held:
        conn.execute(
            _REWRITE,
            {
                **where,
                "lexemes": sorted({row.lexeme for row in held}),
                "blocks": [row.block for row in held],
                "block": BLOCK,
            },
        )
    conn.execute(_UNCOUNT, {"client": client, "units": list(units)})


def fold(conn: Connection, client: str, limit: int = 2000) -> int:
    """Fold the blocks of up to ``limit`` scattered lexemes and the statistics' deltas; return how many lexemes."""
    scattered: dict[tuple[str, str], list[str]] = {}
    for row in conn.execute(
        _SCATTERED, {"client": client, "most": FOLD_ABOVE, "block": BLOCK, "limit": limit}
    ):
        scattered.setdefault((str(row.project), row.kind), []).append(row.lexeme)
    for (project, kind), lexemes in scattered.items():
        where = {"client": client, "project": project, "kind": kind, "lexemes": lexemes}
        conn.execute(_ALONE, where)
        blocks = [row.block for row in conn.execute(_OF_LEXEMES, where)]
        _rewrite(conn, {**where, "units": []}, lexemes, blocks)
    conn.execute(_FOLD_STATS, {"client": client, "most": FOLD_ABOVE})
    return sum(len(lexemes) for lexemes in scattered.values())


def _rewrite(
    conn: Connection, where: Mapping[str, object], lexemes: Sequence[str], blocks: Sequence[int]
) -> None:
    """Make new blocks of what ``blocks`` hold, without ``where``'s units."""
    values = {"lexemes": sorted(set(lexemes)), "blocks": list(blocks), "block": BLOCK}
    conn.execute(_REWRITE, {**where, **values})
