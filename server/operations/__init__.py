"""Every operation, one module a subject. ``ALL`` is the list that the renderings and their tests read."""

from __future__ import annotations

from typing import Any

from server.operation import Operation
from server.operations import (
    backlog,
    bank,
    boards,
    brief,
    capture,
    code,
    configured,
    credentials,
    documents,
    drafts,
    facts,
    forget,
    health,
    history,
    inject,
    kept,
    pages,
    projects,
    record,
    remember,
    reviews,
    search,
    sessions,
    state,
    views,
    work,
)

ALL: tuple[Operation[Any, Any], ...] = (
    *backlog.OPERATIONS,
    *bank.OPERATIONS,
    *boards.OPERATIONS,
    *brief.OPERATIONS,
    *capture.OPERATIONS,
    *code.OPERATIONS,
    *configured.OPERATIONS,
    *credentials.OPERATIONS,
    *documents.OPERATIONS,
    *drafts.OPERATIONS,
    *facts.OPERATIONS,
    *forget.OPERATIONS,
    *health.OPERATIONS,
    *history.OPERATIONS,
    *inject.OPERATIONS,
    *kept.OPERATIONS,
    *pages.OPERATIONS,
    *projects.OPERATIONS,
    *record.OPERATIONS,
    *remember.OPERATIONS,
    *reviews.OPERATIONS,
    *search.OPERATIONS,
    *sessions.OPERATIONS,
    *state.OPERATIONS,
    *views.OPERATIONS,
    *work.OPERATIONS,
)
