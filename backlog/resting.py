"""What an item or a draft rests on, grown in one statement: two who add at the same time both keep what they added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sqlalchemy import Connection, text

from schema.evidence import pointers_json
from schema.records import Evidence

_GROW = """
    UPDATE {table} AS kept SET evidence = kept.evidence || (
        SELECT jsonb_agg(more.one ORDER BY more.place)
        FROM jsonb_array_elements(cast(:more AS jsonb)) WITH ORDINALITY AS more(one, place)
        WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(kept.evidence) AS k WHERE k ->> 'id' = more.one ->> 'id'))
    WHERE client = :client AND id = :id AND EXISTS (
        SELECT FROM jsonb_array_elements(cast(:more AS jsonb)) AS more(one)
        WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(kept.evidence) AS k WHERE k ->> 'id' = more.one ->> 'id'))
"""


def add_evidence(
    connection: Connection,
    client: str,
    table: Literal["items", "drafts"],
    identifier: str,
    more: Sequence[Evidence],
) -> bool:
    """Let a row also rest on ``more``, what it rests on already left out; True where some of it was new."""
    if not more:
        return False
    values = {
        "client": client,
        "id": identifier,
        "more": pointers_json({one.id: one for one in more}.values()),
    }
    return connection.execute(text(_GROW.format(table=table)), values).rowcount == 1


def grown(known: Sequence[Evidence], more: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return ``known`` with what is new of ``more``."""
    ids = {one.id for one in known}
    return (*known, *(one for one in more if one.id not in ids))
