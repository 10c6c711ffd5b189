"""The backlog: items, their history and work log, and the drafts that wait for a person."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Integer

from schema.tables.base import Base, IdKey, Json, Key, Texts


class Item(Base):
    """A use case or what belongs to one; ``type`` and ``serial`` make its number, each change a ``version``."""

    __tablename__ = "items"

    client: Mapped[Key]
    id: Mapped[IdKey]
    project: Mapped[UUID]
    type: Mapped[str]
    serial: Mapped[int]
    parent: Mapped[UUID | None]
    title: Mapped[str]
    text: Mapped[str]
    state: Mapped[str]
    position: Mapped[int]
    version: Mapped[int]
    archived_at: Mapped[datetime | None]
    archive_reason: Mapped[str]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    evidence: Mapped[Json]


class ItemNumber(Base):
    """The last number given to an item of a type in a project."""

    __tablename__ = "item_numbers"

    client: Mapped[Key]
    project: Mapped[IdKey]
    type: Mapped[Key]
    last: Mapped[int]


class ItemHistory(Base):
    """What made a version of an item; ``changes`` is {field: [before, after]}."""

    __tablename__ = "item_history"

    client: Mapped[Key]
    item: Mapped[IdKey]
    version: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[datetime]
    by: Mapped[str]
    action: Mapped[str]
    changes: Mapped[Json]
    reason: Mapped[str]


class ItemCheck(Base):
    """The last check of an open item against the code; ``files`` and ``symbols`` are what it named that was there."""

    __tablename__ = "item_checks"

    client: Mapped[Key]
    item: Mapped[IdKey]
    project: Mapped[UUID]
    freshness: Mapped[str]
    sha: Mapped[str]
    detail: Mapped[str]
    files: Mapped[Json]
    symbols: Mapped[Texts]
    checked_at: Mapped[datetime]


class WorkLog(Base):
    """What was done: one row a delivery, of an item and of the use case it belonged to then."""

    __tablename__ = "work_log"

    client: Mapped[Key]
    id: Mapped[IdKey]
    project: Mapped[UUID]
    item: Mapped[UUID]
    use_case: Mapped[UUID | None]
    at: Mapped[datetime]
    recorded_at: Mapped[datetime]
    by: Mapped[str]
    origin: Mapped[str]
    outcome: Mapped[str]
    tests: Mapped[str]
    review: Mapped[str]
    score: Mapped[int | None]
    seconds: Mapped[int | None]
    commit: Mapped[str | None]
    session: Mapped[UUID | None]


class Draft(Base):
    """An unapproved proposal.

    ``parent`` is the use case draft it belongs to, ``use_case`` the use case that stands already; ``item`` what it
    became or was merged into, ``merged_into`` the draft it was merged into.
    """

    __tablename__ = "drafts"

    client: Mapped[Key]
    id: Mapped[IdKey]
    project: Mapped[UUID]
    session: Mapped[UUID | None]
    key: Mapped[str]
    type: Mapped[str]
    title: Mapped[str]
    text: Mapped[str]
    state: Mapped[str]
    created_at: Mapped[datetime]
    evidence: Mapped[Json]
    parent: Mapped[UUID | None]
    use_case: Mapped[UUID | None]
    item: Mapped[UUID | None]
    merged_into: Mapped[UUID | None]
    origin: Mapped[str]
    by: Mapped[str]
    reason: Mapped[str]
    version: Mapped[int]
    updated_at: Mapped[datetime]
    decided_at: Mapped[datetime | None]
    decided_by: Mapped[str | None]
