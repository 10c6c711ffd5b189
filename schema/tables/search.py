"""What recall searches: units, their posting blocks, length statistics, touched files and vectors."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import REAL, BigInteger, SmallInteger, Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from schema.tables.base import Base, BigCount, IdKey, Json, Key, Texts

NumberKey = Annotated[int, mapped_column(BigInteger, primary_key=True)]
Smalls = Annotated[list[int], mapped_column(ARRAY(SmallInteger))]


class SearchUnit(Base):
    """One thing recall can find; ``unit`` is its number in blocks and vectors, (kind, ref) what it stands for."""

    __tablename__ = "search_units"

    client: Mapped[Key]
    unit: Mapped[NumberKey]
    project: Mapped[UUID]
    kind: Mapped[str]
    ref: Mapped[str]
    session: Mapped[str | None]
    at: Mapped[datetime]
    title: Mapped[str]
    text: Mapped[str]
    files: Mapped[Texts]
    standing: Mapped[str | None]
    slot: Mapped[str | None]
    current: Mapped[bool]
    valid_from: Mapped[datetime | None]
    valid_to: Mapped[datetime | None]
    evidence: Mapped[Json]
    digest: Mapped[bytes]
    lexemes: Mapped[Texts]
    own_length: Mapped[int]
    whole_length: Mapped[int]
    model: Mapped[str | None]


class SearchPosting(Base):
    """A block: up to a thousand units of one lexeme, best first, with counts and lengths in parallel arrays."""

    __tablename__ = "search_postings"

    client: Mapped[Key]
    lexeme: Mapped[Key]
    project: Mapped[IdKey]
    kind: Mapped[Key]
    block: Mapped[NumberKey]
    best: Mapped[float] = mapped_column(REAL)
    n: Mapped[int]
    units: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    own: Mapped[Smalls]
    whole: Mapped[Smalls]
    own_lengths: Mapped[Smalls]
    whole_lengths: Mapped[Smalls]


class SearchStat(Base):
    """How many units a batch added (or took away) and their lengths; the sums are the corpus's."""

    __tablename__ = "search_stats"

    client: Mapped[Key]
    project: Mapped[IdKey]
    kind: Mapped[Key]
    batch: Mapped[NumberKey]
    units: Mapped[BigCount]
    own: Mapped[BigCount]
    whole: Mapped[BigCount]


class Reindex(Base):
    """A session, or a project's facts, whose texts were cleaned and which is not indexed anew yet."""

    __tablename__ = "reindex"

    client: Mapped[Key]
    kind: Mapped[Key]
    ref: Mapped[IdKey]
    cleaned_at: Mapped[datetime]


class SearchFile(Base):
    """A unit touched a file; ``owner`` is its session, or itself where it has none."""

    __tablename__ = "search_files"

    client: Mapped[Key]
    path: Mapped[Key]
    project: Mapped[IdKey]
    unit: Mapped[NumberKey]
    name: Mapped[str]
    owner: Mapped[str]
    kind: Mapped[str]


class SearchVector(Base):
    """A unit's vector in the space of one model."""

    __tablename__ = "search_vectors"

    client: Mapped[Key]
    project: Mapped[IdKey]
    model: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str]
    unit: Mapped[NumberKey]
    dimension: Mapped[int]
    embedding: Mapped[object] = mapped_column(HALFVEC())
