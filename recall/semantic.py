"""The semantic signal: nearest vectors of one model, exactly for small projects, through the index above.

pgvector's planner takes the index where exact search is better and then silently returns too few rows under a filter;
so the choice is made here, by the number of vectors, and adding zero keeps the planner from changing it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, text

from recall.embedding.minilm import MODEL as INDEXED_MODEL
from recall.vectors import literal
from schema.scope import narrowed, values

ALWAYS_EXACT, EXACT_UP_TO, LARGE_SHARE = 2_000, 10_000, 0.2
EF_SEARCH = 100

_ALL_VECTORS = text("SELECT reltuples FROM pg_class WHERE oid = to_regclass('search_vectors')")

_EXACT = """
    SELECT unit, 1 - (embedding <=> CAST(:query AS halfvec)) AS cosine FROM search_vectors
    WHERE client = :client AND model = :model AND kind = ANY(:kinds) {projects}
    ORDER BY (embedding <=> CAST(:query AS halfvec)) + 0 LIMIT :limit
"""

# The index is partial, so its model stands in the statement itself.
_INDEXED = """
    SELECT unit, 1 - (embedding::halfvec(384) <=> CAST(:query AS halfvec(384))) AS cosine FROM search_vectors
    WHERE client = :client AND model = 'all-MiniLM-L6-v2-int8-weighted' AND kind = ANY(:kinds) {projects}
    ORDER BY embedding::halfvec(384) <=> CAST(:query AS halfvec(384)) LIMIT :limit
"""

_OF_UNITS = """
    SELECT unit, 1 - (embedding <=> CAST(:query AS halfvec)) AS cosine FROM search_vectors
    WHERE client = :client AND model = :model AND unit = ANY(:units) {projects}
"""


def search(
    conn: Connection,
    client: str,
    *,
    vector: NDArray[np.float32],
    model: str,
    projects: Sequence[str] | None,
    kinds: Sequence[str],
    limit: int,
    size: float,
) -> dict[int, float]:
    """Return the cosine of the ``limit`` nearest units; empty where no vector of ``model`` is there.

    ``size`` is about how many units there are to search.
    """
    scope = values(client, projects)
    scope |= {"model": model, "kinds": list(kinds), "query": literal(vector), "limit": limit}
    statement = _EXACT
    if model == INDEXED_MODEL and _worth_the_index(conn, size):
        statement = _INDEXED
        conn.execute(text("SET LOCAL hnsw.iterative_scan = relaxed_order"))
        conn.execute(text(f"SET LOCAL hnsw.ef_search = {EF_SEARCH}"))
    rows = conn.execute(text(statement.format(projects=narrowed(projects))), scope)
    return {row.unit: float(row.cosine) for row in rows}


def _worth_the_index(conn: Connection, size: float) -> bool:
    """True for a large scope; between, where it is a large share of all vectors: the index filters after the fact."""
    if not ALWAYS_EXACT < size <= EXACT_UP_TO:
        return size > EXACT_UP_TO
    return size >= LARGE_SHARE * float(conn.scalar(_ALL_VECTORS) or 0.0)


def of_units(
    conn: Connection,
    client: str,
    *,
    vector: NDArray[np.float32],
    model: str,
    projects: Sequence[str] | None,
    units: Sequence[int],
) -> dict[int, float]:
    """Return the cosine of ``units`` that have a vector of ``model``: what other signals found is compared too."""
    if not units:
        return {}
    scope = values(client, projects)
    scope |= {"model": model, "query": literal(vector), "units": list(units)}
    rows = conn.execute(text(_OF_UNITS.format(projects=narrowed(projects))), scope)
    return {row.unit: float(row.cosine) for row in rows}
