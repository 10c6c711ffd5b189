"""What the model cost: calls, and the totals that caps are held against."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from sqlalchemy.orm import Mapped

from schema.tables.base import Base, BigCount, IdKey, Key


class ModelCall(Base):
    """One request to the model; ``reserved_*`` its highest price, taken before it was made."""

    __tablename__ = "model_calls"

    client: Mapped[Key]
    id: Mapped[IdKey]
    project: Mapped[UUID]
    session: Mapped[UUID | None]
    day: Mapped[date]
    model: Mapped[str]
    state: Mapped[str]
    reserved_microusd: Mapped[BigCount]
    reserved_tokens: Mapped[BigCount]
    microusd: Mapped[BigCount]
    input_tokens: Mapped[BigCount]
    output_tokens: Mapped[BigCount]
    cache_read_tokens: Mapped[BigCount]
    cache_write_tokens: Mapped[BigCount]
    outcome: Mapped[str]
    started_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]


class SpendTotal(Base):
    """What a scope (``day:2026-03-01`` or ``session:ID``) has reserved and spent."""

    __tablename__ = "spend_totals"

    client: Mapped[Key]
    scope: Mapped[Key]
    microusd: Mapped[BigCount]
    tokens: Mapped[BigCount]
    calls: Mapped[BigCount]
