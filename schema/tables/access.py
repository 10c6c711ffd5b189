"""Who may ask, and what was changed by whom."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql import UUID as PG_UUID
from sqlalchemy.orm import Mapped, mapped_column

from schema.tables.base import Base, IdKey, Key, Texts

Ids = Annotated[list[UUID], mapped_column(ARRAY(PG_UUID))]


class Token(Base):
    """A credential: the SHA-256 of its secret, never the secret. ``projects`` null means every project."""

    __tablename__ = "tokens"

    client: Mapped[Key]
    id: Mapped[Key]
    hash: Mapped[bytes]
    name: Mapped[str]
    user_name: Mapped[str]
    agent: Mapped[str | None]
    projects: Mapped[Ids | None]
    may: Mapped[str]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    used_at: Mapped[datetime | None]


class Audit(Base):
    """One use of an operation that does more than read; ids and the outcome, no content."""

    __tablename__ = "audit"

    client: Mapped[Key]
    id: Mapped[IdKey]
    at: Mapped[datetime]
    token: Mapped[str | None]
    user_name: Mapped[str]
    agent: Mapped[str | None]
    via: Mapped[str]
    operation: Mapped[str]
    ids: Mapped[Texts]
    outcome: Mapped[str]
