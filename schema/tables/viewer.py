"""Who is signed in with a browser, and the deletions that can still be undone."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped

from schema.tables.base import Base, Key


class Visit(Base):
    """A browser that is signed in: the SHA-256 of what its cookie holds, and the token it speaks for."""

    __tablename__ = "visits"

    client: Mapped[Key]
    id: Mapped[Key]
    hash: Mapped[bytes]
    token: Mapped[str]
    created_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class VisitLink(Base):
    """A link that signs in once."""

    __tablename__ = "visit_links"

    client: Mapped[Key]
    id: Mapped[Key]
    hash: Mapped[bytes]
    token: Mapped[str]
    expires_at: Mapped[datetime]


class HeldDeletion(Base):
    """A memory that somebody deleted a moment ago: it goes at ``due_at`` unless that is undone."""

    __tablename__ = "held_deletions"

    client: Mapped[Key]
    memory: Mapped[Key]
    owner: Mapped[Key]
    token: Mapped[str]
    due_at: Mapped[datetime]
