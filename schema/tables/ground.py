"""Clients, projects and sessions."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Mapped

from schema.tables.base import Base, IdKey, Key


class Client(Base):
    """A tenant."""

    __tablename__ = "clients"

    client: Mapped[Key]
    created_at: Mapped[datetime]


class Project(Base):
    """A repository's identity; the keys that lead to it are in project_keys."""

    __tablename__ = "projects"

    client: Mapped[Key]
    project: Mapped[IdKey]
    name: Mapped[str]
    remote: Mapped[str | None]
    root: Mapped[str | None]
    created_at: Mapped[datetime]


class ProjectKey(Base):
    """``remote:HOST/PATH``, ``id:UUID`` (kept in the common directory) or ``root:PATH`` outside git."""

    __tablename__ = "project_keys"

    client: Mapped[Key]
    key: Mapped[Key]
    project: Mapped[UUID]
    created_at: Mapped[datetime]


class Session(Base):
    """An agent's session; ``state`` moves by workers.lifecycle alone."""

    __tablename__ = "sessions"

    client: Mapped[Key]
    session: Mapped[IdKey]
    project: Mapped[UUID]
    agent: Mapped[str]
    agent_session: Mapped[str]
    state: Mapped[str]
    cwd: Mapped[str | None]
    model: Mapped[str | None]
    origin: Mapped[str]
    started_at: Mapped[datetime]
    last_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    end_reason: Mapped[str | None]
    distilled_at: Mapped[datetime | None]
    distil_attempts: Mapped[int]
    distil_error: Mapped[str | None]
    distil_after: Mapped[datetime | None]
    indexed_at: Mapped[datetime | None]
    evidence_dropped_at: Mapped[datetime | None]
