"""Write vectors: every unit that has none of the wanted model, in batches, each committed; so it can be resumed.

A change of model is the same task: units whose vector is of another model count as having none. Their old vectors stay
until all units have a new one, and are never searched together with the new.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, text

from recall.embedding.embedder import Embedder
from schema.database import Database

BATCH = 64
MOST_CHARS = 4000

_PENDING = text("""
    SELECT unit, project, kind, title, text FROM search_units
    WHERE client = :client AND unit > :after AND (model IS NULL OR model <> :model)
    ORDER BY unit LIMIT :batch
""")

_WRITE = text("""
    INSERT INTO search_vectors (client, project, model, kind, unit, dimension, embedding)
    SELECT :client, CAST(:project AS uuid), :model, :kind, u.unit, :dimension, CAST(:embedding AS halfvec)
    FROM search_units u WHERE u.client = :client AND u.unit = :unit FOR KEY SHARE
    ON CONFLICT (client, project, model, unit) DO UPDATE SET embedding = excluded.embedding
""")

_MARK = text("UPDATE search_units SET model = :model WHERE client = :client AND unit = ANY(:units)")

_PROGRESS = text("""
    SELECT count(*) FILTER (WHERE model = :model) AS done, count(*) AS units
    FROM search_units WHERE client = :client
""")

_CLEAR = text("DELETE FROM search_vectors WHERE client = :client AND model <> :model")


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of a client's units have a vector of the model."""

    done: int
    units: int


def embed(database: Database, client: str, embedder: Embedder, *, most: int = 10_000) -> int:
    """Embed up to ``most`` units that lack a vector of ``embedder.model``; return how many were written.

    Raises EmbeddingUnavailable; what was committed by then stays. When nothing lacks one, other models' go.
    """
    done, after = 0, 0
    while done < most:
        with database.tenant(client) as conn:
            rows = conn.execute(
                _PENDING,
                {"client": client, "after": after, "model": embedder.model, "batch": min(BATCH, most - done)},
            ).all()
        if not rows:
            break
        vectors = embedder.embed([f"{row.title}\n{row.text[:MOST_CHARS]}".strip() for row in rows])
        with database.tenant(client) as conn:
            conn.execute(
                _WRITE,
                [
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
                ],
            )
            conn.execute(
                _MARK, {"client": client, "model": embedder.model, "units": [row.unit for row in rows]}
            )
        done, after = done + len(rows), rows[-1].unit
    if done < most:
        with database.tenant(client) as conn:
            if complete(conn, client, embedder.model):
                conn.execute(_CLEAR, {"client": client, "model": embedder.model})
    return done


def progress(conn: Connection, client: str, model: str) -> Progress:
    """Count the client's units and those with a vector of ``model``."""
    row = conn.execute(_PROGRESS, {"client": client, "model": model}).one()
    return Progress(done=row.done, units=row.units)


def complete(conn: Connection, client: str, model: str) -> bool:
    """True where every unit has a vector of ``model``."""
    counts = progress(conn, client, model)
    return counts.done == counts.units


def literal(vector: np.typing.NDArray[np.float32]) -> str:
    """Return the vector as pgvector reads it."""
    return "[" + ",".join(f"{x:.6g}" for x in vector) + "]"
