"""Documents in the database: cleaned, versioned by their text, with passages that outlive a version they stand in."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from capture.net import second_net
from capture.private import drop_private
from capture.redact import Deadline
from projection.documents.formats import Converted
from projection.documents.passages import Part, parts
from projection.errors import UnreadableDocument
from schema.errors import NotFound
from schema.ids import new_id

LONGEST_NAME = 300
_FAILED = ("deadline", "error")  # rules of the net that stand for a text it could not search


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of an import; ``passages`` counts those of the version, ``new`` those that were not known."""

    id: str
    name: str
    version: int
    is_new: bool
    passages: int
    new: int
    secrets: int


@dataclass(frozen=True, slots=True)
class Document:
    """A document without its text."""

    id: str
    project: str
    name: str
    title: str
    format: str
    version: int
    characters: int
    source_bytes: int
    by: str
    created_at: datetime
    updated_at: datetime


def save(
    connection: Connection, client: str, project: str, name: str, made: Converted, *, by: str, now: datetime
) -> Saved:
    """Keep a document's text; the same text as its latest version makes none. Raises UnreadableDocument.

    ``name`` is its path in the project, or whatever it is known by.
    """
    name, caught = _clean(name, name[:LONGEST_NAME])
    words, more = _clean(name, drop_private(made.text))
    title, most = _clean(name, made.title)
    digest = hashlib.sha256(words.encode("utf-8", "replace")).digest()
    words = words.encode("utf-8", "replace").decode()
    values: dict[str, Any] = {"client": client, "project": project, "name": name, "now": now}
    row = _held(connection, values, made, title)
    known = connection.execute(_LATEST, values | {"document": row.id, "version": row.version}).first()
    secrets = caught + more + most
    if known is not None and bytes(known.digest) == digest:
        count = _count(connection, client, row.id, row.version)
        return Saved(row.id, name, row.version, False, count, 0, secrets)
    version = row.version + 1
    values |= {"document": row.id, "version": version, "title": title, "format": made.format, "by": by}
    connection.execute(_VERSION, values | {"digest": digest, "text": words, "bytes": made.source_bytes})
    connection.execute(_UPDATE, values)
    cut = parts(words)
    new = _passages(connection, values, cut)
    return Saved(row.id, name, version, True, len(cut), new, secrets)


def listed(
    connection: Connection,
    client: str,
    projects: Sequence[str] | None,
    *,
    limit: int = 100,
    after: tuple[str, str] = ("", ""),
) -> list[Document]:
    """Return documents by name; ``after`` is the (name, id) the page before ended with. None is every project."""
    statement = text(f"""{_SELECT}
        WHERE d.client = :client AND (cast(:projects AS uuid[]) IS NULL OR d.project = ANY(:projects))
          AND (d.name, d.id::text) > (:name, :id) ORDER BY d.name, d.id LIMIT :limit
    """)
    values = {"client": client, "projects": None if projects is None else list(projects)}
    rows = connection.execute(
        statement, values | {"limit": limit, "name": after[0], "id": after[1]}
    ).mappings()
    return [Document(**row) for row in rows]


def opened(
    connection: Connection, client: str, projects: Sequence[str] | None, name: str, version: int | None = None
) -> tuple[Document, str]:
    """Return a document, by its name or id, with the text of ``version`` (its latest by default). Raises NotFound."""
    statement = text(f"""{_SELECT}
        WHERE d.client = :client AND (cast(:projects AS uuid[]) IS NULL OR d.project = ANY(:projects))
          AND (d.name = :name OR d.id::text = :name) ORDER BY d.id LIMIT 2
    """)
    values = {"client": client, "projects": None if projects is None else list(projects), "name": name}
    rows = connection.execute(statement, values).mappings().all()
    if len(rows) != 1:
        raise NotFound(what="document" if not rows else "single document", name=name)
    found = Document(**rows[0])
    wanted = found.version if version is None else version
    words = connection.scalar(
        text("""
            SELECT text FROM document_versions
            WHERE client = :client AND document = :document AND version = :version
        """),
        {"client": client, "document": found.id, "version": wanted},
    )
    if words is None:
        raise NotFound(what=f"version {wanted} of document", name=name)
    return found, str(words)


def remove(connection: Connection, client: str, project: str, name: str) -> str:
    """Delete a document with its versions and passages; return its id. Raises NotFound."""
    gone = connection.scalar(
        text(
            "DELETE FROM documents WHERE client = :client AND project = :project AND name = :name RETURNING id::text"
        ),
        {"client": client, "project": project, "name": name},
    )
    if gone is None:
        raise NotFound(what="document", name=name)
    return str(gone)


def _clean(name: str, words: str) -> tuple[str, int]:
    """Both nets; a text that could not be searched in its time is kept nowhere."""
    found, counts = second_net(words, deadline=Deadline(10.0 + len(words) * 1e-4))
    if any(rule in counts for rule in _FAILED):
        raise UnreadableDocument(name=name, why="it could not be searched for secrets in time; split it")
    return found.replace("\x00", "\ufffd"), sum(counts.values())


def _held(connection: Connection, values: dict[str, Any], made: Converted, title: str) -> Any:
    """The document's row, locked; made where there is none."""
    new = values | {"id": new_id(), "title": title, "format": made.format}
    connection.execute(
        text("""
            INSERT INTO documents (client, id, project, name, title, format, version, created_at, updated_at)
            VALUES (:client, :id, :project, :name, :title, :format, 0, :now, :now)
            ON CONFLICT (client, project, name) DO NOTHING
        """),
        new,
    )
    statement = text("""
        SELECT id::text, version FROM documents
        WHERE client = :client AND project = :project AND name = :name FOR UPDATE
    """)
    return connection.execute(statement, values).one()


def _passages(connection: Connection, values: dict[str, Any], cut: Sequence[Part]) -> int:
    """Move the passages that are still there to this version, and insert the others; return how many are new."""
    known: dict[bytes, list[str]] = defaultdict(list)
    statement = text("""
        SELECT id::text, digest FROM passages WHERE client = :client AND document = :document
        ORDER BY version DESC, position
    """)
    for row in connection.execute(statement, values):
        known[bytes(row.digest)].append(row.id)
    moved, made = [], []
    for position, part in enumerate(cut, 1):
        digest = hashlib.sha256(f"{part.heading}\0{part.text}".encode("utf-8", "replace")).digest()
        fields = values | {
            "position": position,
            "heading": part.heading,
            "starts": part.starts,
            "ends": part.ends,
            "text": part.text,
            "digest": digest,
        }
        if known[digest]:
            moved.append(fields | {"id": known[digest].pop(0)})
        else:
            made.append(fields | {"id": new_id()})
    if moved:
        connection.execute(_MOVE, moved)
    if made:
        connection.execute(_INSERT, made)
    return len(made)


def _count(connection: Connection, client: str, document: str, version: int) -> int:
    statement = text("""
        SELECT count(*) FROM passages WHERE client = :client AND document = :document AND version = :version
    """)
    found = connection.scalar(statement, {"client": client, "document": document, "version": version})
    return int(found or 0)


_SELECT = """
    SELECT d.id::text, d.project::text, d.name, d.title, d.format, d.version, length(v.text) AS characters,
           v.source_bytes, v.by, d.created_at, d.updated_at
    FROM documents d
    JOIN document_versions v ON v.client = d.client AND v.document = d.id AND v.version = d.version
"""
_LATEST = text("""
    SELECT digest FROM document_versions
    WHERE client = :client AND document = :document AND version = :version
""")
_VERSION = text("""
    INSERT INTO document_versions (client, document, version, digest, title, text, source_bytes, by, imported_at)
    VALUES (:client, :document, :version, :digest, :title, :text, :bytes, :by, :now)
""")
_UPDATE = text("""
    UPDATE documents SET version = :version, title = :title, format = :format, updated_at = :now
    WHERE client = :client AND id = :document
""")
_MOVE = text("""
    UPDATE passages SET version = :version, position = :position, heading = :heading, starts = :starts, ends = :ends
    WHERE client = :client AND id = :id
""")
_INSERT = text("""
    INSERT INTO passages (client, id, project, document, version, position, heading, starts, ends, text, digest, at)
    VALUES (:client, :id, :project, :document, :version, :position, :heading, :starts, :ends, :text, :digest, :now)
""")
