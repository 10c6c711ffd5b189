"""Passages of source documents as evidence: what classification reads, and what a draft can point to.

``projection.documents`` writes them. A passage keeps its id as long as its words stand in the document; one that is
gone from the latest version stays, since a draft may rest on it, but is current no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from schema.records import Evidence

KIND = "document"


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document: under which headings it stands, and at which character of the version's text."""

    id: str
    project: str
    document: str
    name: str
    title: str
    version: int
    position: int
    heading: str
    starts: int
    ends: int
    text: str
    at: datetime

    @property
    def evidence(self) -> Evidence:
        """The pointer that a draft made from this passage keeps."""
        return Evidence(KIND, self.id, self.at)


_SELECT = """
    SELECT p.id::text, p.project::text, p.document::text, d.name, d.title, p.version, p.position, p.heading, p.starts,
           p.ends, p.text, p.at
    FROM passages p JOIN documents d ON d.client = p.client AND d.id = p.document
"""


def current(connection: Connection, client: str, project: str, document: str | None = None) -> list[Passage]:
    """Return the passages that the documents' latest versions hold, by document and position."""
    statement = text(f"""{_SELECT}
        WHERE p.client = :client AND p.project = :project AND p.version = d.version
          AND (cast(:document AS uuid) IS NULL OR p.document = :document)
        ORDER BY d.name, p.position
    """)
    values = {"client": client, "project": project, "document": document}
    return [Passage(**row) for row in connection.execute(statement, values).mappings()]


def unclassified(connection: Connection, client: str, project: str, limit: int = 200) -> list[Passage]:
    """Return current passages that classification has not read yet, in the order of their documents."""
    statement = text(f"""{_SELECT}
        WHERE p.client = :client AND p.project = :project AND p.version = d.version AND p.classified_at IS NULL
        ORDER BY p.at, d.name, p.position LIMIT :limit
    """)
    values = {"client": client, "project": project, "limit": limit}
    return [Passage(**row) for row in connection.execute(statement, values).mappings()]


def found(connection: Connection, client: str, ids: Iterable[str]) -> list[Passage]:
    """Return the passages with these ids, also those that are current no more."""
    statement = text(f"{_SELECT} WHERE p.client = :client AND p.id = ANY(cast(:ids AS uuid[])) ORDER BY p.id")
    rows = connection.execute(statement, {"client": client, "ids": list(ids)}).mappings()
    return [Passage(**row) for row in rows]


def mark_classified(connection: Connection, client: str, ids: Iterable[str], now: datetime) -> None:
    """Note that classification has read these passages; a changed passage is a new one and is read again."""
    connection.execute(
        text("""
            UPDATE passages SET classified_at = :now WHERE client = :client AND id = ANY(cast(:ids AS uuid[]))
        """),
        {"client": client, "ids": list(ids), "now": now},
    )
