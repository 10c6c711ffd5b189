"""What is projected into files, and what comes from files: documents, bundles, managed pages."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Mapped

from schema.tables.base import Base, BigCount, IdKey, Json, Key
from schema.tables.search import NumberKey


class Document(Base):
    """A source document; ``version`` is its latest."""

    __tablename__ = "documents"

    client: Mapped[Key]
    id: Mapped[IdKey]
    project: Mapped[UUID]
    name: Mapped[str]
    title: Mapped[str]
    format: Mapped[str]
    version: Mapped[int]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class DocumentVersion(Base):
    """A document's text as Markdown, as it was at one import."""

    __tablename__ = "document_versions"

    client: Mapped[Key]
    document: Mapped[IdKey]
    version: Mapped[NumberKey]
    digest: Mapped[bytes]
    title: Mapped[str]
    text: Mapped[str]
    source_bytes: Mapped[BigCount]
    by: Mapped[str]
    imported_at: Mapped[datetime]


class Passage(Base):
    """A part of one version under its headings; ``starts`` and ``ends`` count characters of the version's text."""

    __tablename__ = "passages"

    client: Mapped[Key]
    id: Mapped[IdKey]
    project: Mapped[UUID]
    document: Mapped[UUID]
    version: Mapped[int]
    position: Mapped[int]
    heading: Mapped[str]
    starts: Mapped[int]
    ends: Mapped[int]
    text: Mapped[str]
    digest: Mapped[bytes]
    at: Mapped[datetime]
    classified_at: Mapped[datetime | None]


class Bundle(Base):
    """A project's bundle: its generation grows where its content is another."""

    __tablename__ = "bundles"

    client: Mapped[Key]
    project: Mapped[IdKey]
    generation: Mapped[BigCount]
    digest: Mapped[str]
    generated_at: Mapped[datetime]


class BundleMark(Base):
    """Something that the project's bundle shows has changed."""

    __tablename__ = "bundle_marks"

    client: Mapped[Key]
    id: Mapped[NumberKey]
    project: Mapped[UUID]


class MarkCount(Base):
    """How many marks of a project were taken away: with those that stand, a count that only grows."""

    __tablename__ = "mark_counts"

    client: Mapped[Key]
    project: Mapped[IdKey]
    marks: Mapped[BigCount]


class PageBase(Base):
    """What a use case's page and the database agreed on when the page got its ``mark``."""

    __tablename__ = "page_bases"

    client: Mapped[Key]
    project: Mapped[IdKey]
    mark: Mapped[Key]
    use_case: Mapped[str]
    page: Mapped[Json]
    synced_at: Mapped[datetime]
