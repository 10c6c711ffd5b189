"""A corpus put straight into the index: for tests of recall alone, on units that no distiller chose."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import text

from limbeck.bench.labelled import Ask, Corpus
from limbeck.bench.recall import SHOWN, Way
from limbeck.bench.recall import ask as asked
from limbeck.bench.recall_world import CLIENT
from recall import index, vectors
from recall.answer import Answer
from recall.embedding.embedder import Embedder
from recall.units import of_session
from schema.database import Database


def load(database: Database, corpus: Corpus, embedder: Embedder | None) -> None:
    """Index a corpus as one project of the bench's client, its sessions named ``CORPUS/SESSION``."""
    database.add_client(CLIENT)
    with database.tenant(CLIENT) as connection:
        connection.execute(
            text("INSERT INTO projects (client, project, name) VALUES (:c, :p, :n) ON CONFLICT DO NOTHING"),
            {"c": CLIENT, "p": corpus.project, "n": corpus.name},
        )
    for held in corpus.sessions:
        session = f"{corpus.name}/{held.session}"
        units = of_session(corpus.project, session, held.exchanges, files=held.files)
        own = [replace(unit, project=corpus.project, session=session) for unit in held.units]
        with database.tenant(CLIENT) as connection:
            index.put(connection, CLIENT, [*units, *own])
    if embedder is not None:
        vectors.embed(database, CLIENT, embedder)


def ask(
    database: Database,
    corpus: Corpus,
    question: Ask,
    way: Way,
    embedder: Embedder | None,
    limit: int = SHOWN,
) -> Answer | None:
    """Ask a question of a corpus that was loaded so."""
    return asked(database, corpus, corpus.project, question, way, embedder, limit)
