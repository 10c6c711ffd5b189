"""The memory: facts with their history, events, session summaries, drafts."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Mapped

from schema.tables.base import Base, IdKey, Json, Key, Texts


class FactVersion(Base):
    """One version of a fact: valid_* is when it was true, recorded_at/retired_at when we knew it."""

    __tablename__ = "fact_versions"

    client: Mapped[Key]
    version: Mapped[IdKey]
    fact: Mapped[UUID]
    project: Mapped[UUID]
    subject: Mapped[str]
    attribute: Mapped[str]
    scope: Mapped[str]
    cardinality: Mapped[str]
    kind: Mapped[str]
    value: Mapped[str]
    value_key: Mapped[str]
    statement: Mapped[str]
    standing: Mapped[str]
    valid_from: Mapped[datetime]
    valid_to: Mapped[datetime | None]
    recorded_at: Mapped[datetime]
    retired_at: Mapped[datetime | None]
    superseded_by: Mapped[UUID | None]
    reason: Mapped[str]
    pinned: Mapped[bool]
    session: Mapped[UUID | None]
    evidence: Mapped[Json]
    files: Mapped[Texts]


class FactFlag(Base):
    """A proposal that code would not decide, waiting for a person."""

    __tablename__ = "fact_flags"

    client: Mapped[Key]
    id: Mapped[IdKey]
    project: Mapped[UUID]
    fact: Mapped[UUID]
    key: Mapped[str]
    proposal: Mapped[Json]
    reason: Mapped[str]
    state: Mapped[str]
    flagged_at: Mapped[datetime]
    decided_at: Mapped[datetime | None]
    decided_by: Mapped[str | None]


class FactCheck(Base):
    """The last check of a fact against the code."""

    __tablename__ = "fact_checks"

    client: Mapped[Key]
    fact: Mapped[IdKey]
    project: Mapped[UUID]
    freshness: Mapped[str]
    sha: Mapped[str | None]
    detail: Mapped[str]
    checked_at: Mapped[datetime]


class Event(Base):
    """A dated decision, convention, component, fix, dead end or question."""

    __tablename__ = "events"

    client: Mapped[Key]
    id: Mapped[IdKey]
    project: Mapped[UUID]
    session: Mapped[UUID | None]
    key: Mapped[str]
    kind: Mapped[str]
    title: Mapped[str]
    text: Mapped[str]
    at: Mapped[datetime]
    recorded_at: Mapped[datetime]
    evidence: Mapped[Json]
    files: Mapped[Texts]
    origin: Mapped[str]
    author: Mapped[str | None]
    answered_by: Mapped[UUID | None]


class SessionSummary(Base):
    """What a session came to: one row a session, replaced when it is distilled again."""

    __tablename__ = "session_summaries"

    client: Mapped[Key]
    session: Mapped[IdKey]
    id: Mapped[UUID]
    project: Mapped[UUID]
    title: Mapped[str]
    text: Mapped[str]
    distiller: Mapped[str]
    started_at: Mapped[datetime]
    at: Mapped[datetime]
    distilled_at: Mapped[datetime]
    evidence: Mapped[Json]
    files: Mapped[Texts]
