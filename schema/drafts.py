"""Drafts as others read them: proposals that wait for a person, and what became of the decided ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, RowMapping, text

from schema.evidence import pointers
from schema.records import Evidence

STATES = ("offered", "draft", "approved", "rejected", "merged")


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """A proposal as it is kept. It has no number: that is given at approval.

    ``state`` is draft, approved, rejected or merged (offered: not yet compared with what is known). ``parent`` is the
    use case draft it belongs to (an id), ``use_case`` the number of a use case that stands. ``item`` is the number it
    became or was merged into, ``merged_into`` the draft it was merged into (an id). ``origin`` is session,
    classified, person or agent.
    """

    id: str
    project: str
    type: str
    title: str
    text: str
    state: str
    parent: str | None
    use_case: str | None
    item: str | None
    merged_into: str | None
    origin: str
    by: str
    reason: str
    version: int
    created_at: datetime
    updated_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    session: str | None
    evidence: tuple[Evidence, ...] = ()


SELECT_DRAFTS = """
    SELECT d.id::text, d.project::text, d.type, d.title, d.text, d.state, d.parent::text,
           u.type || u.serial AS use_case, i.type || i.serial AS item, d.merged_into::text, d.origin, d.by, d.reason,
           d.version, d.created_at, d.updated_at, d.decided_at, d.decided_by, d.session::text, d.evidence
    FROM drafts d
    LEFT JOIN items u ON u.client = d.client AND u.id = d.use_case
    LEFT JOIN items i ON i.client = d.client AND i.id = d.item
"""


_PLACE = """
    SELECT coalesce(h.created_at, a.created_at), coalesce(h.id, a.id), a.type <> 'US', a.created_at, a.id
    FROM drafts a LEFT JOIN drafts h ON h.client = a.client AND h.id = a.parent AND h.state = ANY(:states)
    WHERE a.client = :client AND a.id = :after
"""


def drafts(
    connection: Connection,
    client: str,
    project: str,
    *,
    states: Sequence[str] = ("draft",),
    limit: int | None = None,
    after: str | None = None,
) -> list[KeptDraft]:
    """Return a project's drafts: each use case draft is followed by those that belong to it, oldest first.

    With ``after`` (a draft's id) what comes behind that one, whatever was decided of it meanwhile.
    """
    statement = text(f"""{SELECT_DRAFTS}
        LEFT JOIN drafts p ON p.client = d.client AND p.id = d.parent AND p.state = ANY(:states)
        WHERE d.client = :client AND d.project = :project AND d.state = ANY(:states)
          AND (cast(:after AS uuid) IS NULL
               OR (coalesce(p.created_at, d.created_at), coalesce(p.id, d.id), d.type <> 'US', d.created_at, d.id)
                   > ({_PLACE}))
        ORDER BY coalesce(p.created_at, d.created_at), coalesce(p.id, d.id), d.type <> 'US', d.created_at, d.id
        LIMIT :limit
    """)
    values = {"client": client, "project": project, "states": list(states), "limit": limit, "after": after}
    return [draft_of(row) for row in connection.execute(statement, values).mappings()]


def draft_of(row: RowMapping) -> KeptDraft:
    """Return the draft that a row of SELECT_DRAFTS holds."""
    return KeptDraft(**{**row, "evidence": pointers(row["evidence"])})
