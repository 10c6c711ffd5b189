"""The one search everything calls: a question to ranked, current, diverse answers with their provenance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, text

from recall.anchor import phrase_of, window_of
from recall.answer import Answer, Scope
from recall.embedding.embedder import Embedder
from recall.errors import EmbeddingUnavailable
from recall.gather import KINDS, SIGNALS, Asked, gather
from recall.present import INDEX_CHARS, MOST_CHARS, Room, grouped
from recall.question import parse
from recall.question import within as inside
from recall.ranking import ranked
from recall.shelves import reached, shelved
from recall.shown import answered, nothing
from recall.words import fold
from schema.database import Database

__all__ = ["KINDS", "SIGNALS", "recall"]


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
    index_only: bool = False,
    embedder: Embedder | None = None,
    signals: Collection[str] = SIGNALS,
    now: datetime | None = None,
) -> Answer:
    """Answer ``query`` from what ``scope`` may see.

    ``kinds`` narrows to some of KINDS; ``files`` are files the caller works in; ``as_of`` looks from that time; with
    ``history`` superseded facts are shown too. ``limit`` counts distinct sessions, ``budget`` tokens of text;
    ``index_only`` shows each result's beginning (``recall.detail.opened`` gives one in full). Without
    ``embedder``, or where it fails, keyword and files answer and the answer says so. ``signals`` and ``now`` are for
    benches and tests: which of SIGNALS count, and when the question is asked.
    Raises BadQuestion, DatabaseUnavailable.
    """
    moment = now or datetime.now(UTC)
    question = parse(query, as_of or moment)
    vector, failed = (
        _vector(embedder, question.about or question.text) if "semantic" in signals else (None, "off")
    )
    asked = Asked(
        scope=reached(scope),
        question=question,
        kinds=shelved(kinds or KINDS, scope.user),
        files=tuple(dict.fromkeys(fold(path) for path in [*files, *question.files] if path.strip())),
        as_of=as_of,
        history=history or question.history,
        vector=vector,
        model=embedder.model if embedder else "",
        signals=signals,
    )
    with database.tenant(scope.client, scope.user) as conn:
        conn.execute(text("SET LOCAL plan_cache_mode = force_custom_plan"))
        asked = _anchored(conn, asked, as_of or moment)
        found = gather(conn, asked)
        found.ran.setdefault("semantic", failed)
        best = ranked(conn, asked, found)
        if not best.order:
            return nothing(asked, found)
        room = Room(budget, INDEX_CHARS if index_only else MOST_CHARS)
        return answered(conn, asked, found, best, grouped(best.order, limit), room)


def _anchored(conn: Connection, asked: Asked, now: datetime) -> Asked:
    """Give a question that tells its time by an event ("before the move to X") the window this means."""
    phrase = phrase_of(asked.question.text) if asked.question.window is None else None
    if phrase is None:
        return asked
    window = window_of(conn, asked.scope.client, asked.scope.projects, phrase, now)
    return asked if window is None else replace(asked, question=inside(asked.question, window))


def _vector(embedder: Embedder | None, query: str) -> tuple[NDArray[np.float32] | None, str]:
    if embedder is None:
        return None, "off"
    try:
        return embedder.embed([query])[0], ""
    except EmbeddingUnavailable as error:
        return None, f"failed: {error}"
