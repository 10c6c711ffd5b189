"""What was saved on purpose: the memory bank, entries remembered by key, and how often each was of use.

``owner`` is the user whose row it is; '' is shared by everyone of the client.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from sqlalchemy import BigInteger, Text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from schema.tables.base import Base, BigCount, IdKey, Key

VersionKey = Annotated[int, mapped_column(BigInteger, primary_key=True)]


class Memory(Base):
    """One memory of the bank; a person's own."""

    __tablename__ = "memories"

    client: Mapped[Key]
    id: Mapped[IdKey]
    owner: Mapped[str]
    content: Mapped[str]
    tags: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    source: Mapped[str]
    scope: Mapped[str]
    agent: Mapped[str | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class MemoryContext(Base):
    """Where a memory comes from: a snippet of a conversation, and which one (``citation``)."""

    __tablename__ = "memory_contexts"

    client: Mapped[Key]
    id: Mapped[IdKey]
    memory: Mapped[UUID]
    owner: Mapped[str]
    snippet: Mapped[str]
    citation: Mapped[Any | None] = mapped_column(JSONB)
    origin: Mapped[str | None]
    created_at: Mapped[datetime]


class Remembered(Base):
    """What an agent remembers under a key of a scope; forgotten, it is a tombstone without key and value."""

    __tablename__ = "remembered"

    client: Mapped[Key]
    id: Mapped[IdKey]
    owner: Mapped[str]
    scope: Mapped[str]
    project: Mapped[UUID | None]
    digest: Mapped[bytes]
    key: Mapped[str | None]
    value: Mapped[str | None]
    version: Mapped[int]
    written_by: Mapped[str]
    agent: Mapped[str | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    recalled: Mapped[BigCount]
    recalled_at: Mapped[datetime | None]
    forgotten_at: Mapped[datetime | None]


class RememberedVersion(Base):
    """A value that a key has or had, with who wrote it."""

    __tablename__ = "remembered_versions"

    client: Mapped[Key]
    id: Mapped[IdKey]
    version: Mapped[VersionKey]
    owner: Mapped[str]
    value: Mapped[str]
    written_by: Mapped[str]
    agent: Mapped[str | None]
    written_at: Mapped[datetime]


class MemoryUse(Base):
    """How often one thing that recall knows was injected, opened and cited."""

    __tablename__ = "memory_uses"

    client: Mapped[Key]
    owner: Mapped[Key]
    kind: Mapped[Key]
    ref: Mapped[Key]
    injected: Mapped[BigCount]
    opened: Mapped[BigCount]
    cited: Mapped[BigCount]
    used_at: Mapped[datetime]
