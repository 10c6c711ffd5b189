"""Write vectors: every unit that has none of the wanted model, in batches, each committed; so it can be resumed.

A change of model is the same task: units whose vector is of another model count as having none. Their old vectors stay
until all units have a new one, and are never searched together with the new. A text that the provider refuses is told
of in the log and counted; its unit is found by words alone, until its words or the model change.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, TextClause, text

from recall.embedding.embedder import Embedder
from recall.embedding.refused import one_by_one
from schema.database import Database

BATCH = 64
MOST_CHARS = 4000
log = logging.getLogger(__name__)

_NEW = text("""
    SELECT unit, project, kind, ref, title, text FROM search_units
    WHERE client = :client AND model IS NULL AND unit > :after ORDER BY unit LIMIT :batch
""")

# Two ranges rather than "other than": these the index by model can find.
_OTHER = text("""
    SELECT unit, project, kind, ref, title, text FROM search_units
    WHERE client = :client AND (model < :model OR model > :model) AND unit > :after ORDER BY unit LIMIT :batch
""")

_VECTORS = text("""
    INSERT INTO search_vectors (client, project, model, kind, unit, dimension, embedding)
    SELECT :client, CAST(:project AS uuid), :model, :kind, u.unit, :dimension, CAST(:embedding AS halfvec)
    FROM search_units u WHERE u.client = :client AND u.unit = :unit FOR KEY SHARE
    ON CONFLICT (client, project, model, unit) DO UPDATE SET embedding = excluded.embedding
""")

_MARK = text("UPDATE search_units SET model = :model WHERE client = :client AND unit = ANY(:units)")

_WAITING = text("SELECT EXISTS (SELECT FROM search_units WHERE client = :client AND model IS NULL)")

_PROGRESS = text("""
    SELECT count(*) FILTER (WHERE model = :model) AS done, count(*) AS units,
           count(*) FILTER (WHERE model = :model AND NOT EXISTS (
               SELECT FROM search_vectors v
               WHERE v.client = u.client AND v.project = u.project AND v.model = :model AND v.unit = u.unit)) AS refused
    FROM search_units u WHERE client = :client
""")

_CLEAR = text("DELETE FROM search_vectors WHERE client = :client AND model <> :model")


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of a client's units the model has seen, of how many; ``refused`` are those of which it took no text."""

    done: int
    units: int
    refused: int = 0


def embed(database: Database, client: str, embedder: Embedder, *, most: int = 10_000) -> int:
    """Embed up to ``most`` units that lack a vector of ``embedder.model``; return how many were written.

    New units first, then those of another model. Raises EmbeddingUnavailable; what was committed by then stays. When
    the last unit has changed over, the other models' vectors go.
    """
    new = _all(database, client, embedder, _NEW, most)
    changed = _all(database, client, embedder, _OTHER, most - new)
    if changed and new + changed < most:
        with database.everyone(client) as conn:
            conn.execute(_CLEAR, {"client": client, "model": embedder.model})
    return new + changed


def _all(database: Database, client: str, embedder: Embedder, pending: TextClause, most: int) -> int:
    done, after = 0, 0
    while done < most:
        where = {"client": client, "after": after, "model": embedder.model, "batch": min(BATCH, most - done)}
        with database.everyone(client) as conn:
            rows = conn.execute(pending, where).all()
        if not rows:
            break
        _write(database, client, embedder, rows)
        done, after = done + len(rows), rows[-1].unit
    return done


def _write(database: Database, client: str, embedder: Embedder, rows: Sequence[Any]) -> None:
    vectors = one_by_one(embedder, [f"{row.title}\n{row.text[:MOST_CHARS]}".strip() for row in rows])
    values = [
        {
            "client": client,
            "project": row.project,
            "model": embedder.model,
            "kind": row.kind,
            "unit": row.unit,
            "dimension": embedder.dimension,
            "embedding": literal(vector),
        }
        for row, vector in zip(rows, vectors, strict=True)
        if vector is not None
    ]
    for row, vector in zip(rows, vectors, strict=True):
        if vector is None:
            log.warning("%s takes no text of %s %s: found by words alone", embedder.model, row.kind, row.ref)
    with database.everyone(client) as conn:
        if values:
            conn.execute(_VECTORS, values)
        conn.execute(_MARK, {"client": client, "model": embedder.model, "units": [row.unit for row in rows]})


def waiting(conn: Connection, client: str) -> bool:
    """Whether a unit has no vector of any model."""
    return bool(conn.scalar(_WAITING, {"client": client}))


def progress(conn: Connection, client: str, model: str) -> Progress:
    """Count the client's units and those with a vector of ``model``."""
    row = conn.execute(_PROGRESS, {"client": client, "model": model}).one()
    return Progress(row.done, row.units, row.refused)


def literal(vector: np.typing.NDArray[np.float32]) -> str:
    """Return the vector as pgvector reads it."""
    return "[" + ",".join(f"{x:.6g}" for x in vector) + "]"
