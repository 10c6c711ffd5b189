"""Passages of source documents as evidence: what classification reads, and what a draft can point to.

``projection.documents`` writes them. A passage keeps its id as long as its words stand in the document; one that is
gone from the latest version stays, since a draft may rest on it, but is current no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.records import Evidence
from schema.scope import Scope

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
_PASSAGES = """
    SELECT p.id::text, p.heading, left(p.text, :chars) AS text, length(p.text) AS chars, p.classified_at,
           count(*) OVER () AS of_all,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'type', d.type, 'title', d.title, 'state', d.state,
                                                         'item', i.type || i.serial)
                                      ORDER BY d.created_at, d.id), '[]')
            FROM drafts d LEFT JOIN items i ON i.client = d.client AND i.id = d.item
            WHERE {d} AND d.project = p.project AND d.state <> 'offered'
              AND d.evidence @> jsonb_build_array(jsonb_build_object('id', p.id::text))) AS drafts
    FROM passages p JOIN documents o ON o.client = p.client AND o.id = p.document AND o.version = p.version
    WHERE {p} AND p.document = cast(:document AS uuid) ORDER BY p.position LIMIT :limit
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


def passages(
    connection: Connection, scope: Scope, document: str, *, chars: int = 1_500, limit: int = 200
) -> list[dict[str, Any]]:
    """The passages of a document's latest version in their order; of each at most ``chars`` characters.

    ``of_all`` is how many there are, with those after the first ``limit``. ``drafts`` are what came of a passage: id,
    type, title, state, and the number it became.
    """
    statement = text(_PASSAGES.format(d=scope.where("d"), p=scope.where("p")))
    values = scope.values | {"document": document, "chars": chars, "limit": limit}
    return [dict(row) for row in connection.execute(statement, values).mappings()]
