"""Passages of source documents as units of recall, under their document's name."""

from __future__ import annotations

from sqlalchemy import Connection, text

from recall import index
from recall.units import spoken_date
from schema.database import Database
from schema.passages import Passage, current
from schema.records import Unit

KIND = "document"

_GONE = text("""
    SELECT ref FROM search_units
    WHERE client = :client AND project = :project AND kind = 'document' AND ref <> ALL(:refs)
""")


def index_documents(database: Database, client: str, project: str) -> int:
    """Make the latest versions' passages findable, and what is gone no longer; return how many were written anew."""
    with database.tenant(client) as conn:
        return put_documents(conn, client, project)


def put_documents(conn: Connection, client: str, project: str) -> int:
    """``index_documents`` in the caller's transaction."""
    passages = current(conn, client, project)
    values = {"client": client, "project": project, "refs": [one.id for one in passages]}
    index.remove(conn, client, KIND, list(conn.scalars(_GONE, values)))
    return index.put(conn, client, [_unit(one) for one in passages])


def _unit(one: Passage) -> Unit:
    return Unit(
        kind=KIND,
        ref=one.id,
        project=one.project,
        title=f"{one.title}: {one.heading}" if one.heading and one.heading != one.title else one.title,
        text=one.text,
        at=one.at,
        context=f"{one.name} {spoken_date(one.at)}",
        files=(one.name,),
        evidence=(one.evidence,),
    )
