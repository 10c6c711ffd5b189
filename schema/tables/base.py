"""What every table shares: the type map and the columns that recur."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, ClassVar
from uuid import UUID

from sqlalchemy import BigInteger, Date, Text
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, JSONB, TIMESTAMP, TSTZRANGE, Range
from sqlalchemy.dialects.postgresql import UUID as PG_UUID
from sqlalchemy.orm import DeclarativeBase, mapped_column

Key = Annotated[str, mapped_column(Text, primary_key=True)]
IdKey = Annotated[UUID, mapped_column(PG_UUID, primary_key=True)]
TimeKey = Annotated[datetime, mapped_column(TIMESTAMP(timezone=True), primary_key=True)]
DayKey = Annotated[date, mapped_column(Date, primary_key=True)]
BigCount = Annotated[int, mapped_column(BigInteger)]
Json = Annotated[Any, mapped_column(JSONB)]
Texts = Annotated[list[str], mapped_column(ARRAY(Text))]


class Base(DeclarativeBase):
    """Columns are nullable where the annotation says ``| None``; times carry their zone."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: Text,
        bytes: BYTEA,
        date: Date,
        datetime: TIMESTAMP(timezone=True),
        UUID: PG_UUID,
        Range[datetime]: TSTZRANGE,
    }
