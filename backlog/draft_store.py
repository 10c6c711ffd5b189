"""Drafts in the database: found by id or its beginning, locked, written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, text

from backlog.errors import DraftDecided, ManyDrafts, NoSuchDraft
from schema.drafts import SELECT_DRAFTS, KeptDraft, draft_of
from schema.evidence import pointers_json
from schema.ids import reach

FEWEST = 4


def hold_project(connection: Connection, client: str, project: str) -> None:
    """Let nobody else add drafts to the project until the transaction ends: so two cannot add the same."""
    connection.execute(
        text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"),
        {"name": f"limbeck backlog {client} {project}"},
    )


def find(connection: Connection, client: str, project: str, start: str) -> KeptDraft:
    """Return the draft whose id begins so (four characters at least). Raises NoSuchDraft and ManyDrafts."""
    wanted = start.strip().lower()
    if len(wanted) < FEWEST or set(wanted) - set("0123456789abcdef-"):
        raise NoSuchDraft(what="draft", name=start)
    statement = text(f"""{SELECT_DRAFTS}
        WHERE d.client = :client AND d.project = :project AND d.id::text LIKE :start AND d.state <> 'offered' LIMIT 2
    """)
    values = {"client": client, "project": project, "start": f"{wanted}%"}
    rows = connection.execute(statement, values).mappings().all()
    if not rows:
        raise NoSuchDraft(what="draft", name=start)
    if len(rows) > 1:
        raise ManyDrafts(draft=start)
    return draft_of(rows[0])


def projects_of(connection: Connection, client: str, start: str) -> list[str]:
    """Return the projects that hold a draft whose id begins so. Raises NoSuchDraft where none does."""
    ends = reach(start.strip())
    statement = text("""
        SELECT DISTINCT project::text FROM drafts WHERE client = :client AND state <> 'offered'
        AND id BETWEEN cast(:low AS uuid) AND cast(:high AS uuid) ORDER BY 1
    """)
    found = (
        list(connection.scalars(statement, {"client": client, "low": ends[0], "high": ends[1]}))
        if ends
        else []
    )
    if not found:
        raise NoSuchDraft(what="draft", name=start)
    return found


def hold(connection: Connection, client: str, project: str, start: str) -> KeptDraft:
    """Lock a draft that waits and return it as it is now. Raises DraftDecided, NoSuchDraft, ManyDrafts."""
    found = find(connection, client, project, start)
    lock(connection, client, found.id)
    held = find(connection, client, project, found.id)
    if held.state != "draft":
        state = f"approved as {held.item}" if held.state == "approved" and held.item else held.state
        raise DraftDecided(draft=held.id[:8], state=state)
    return held


def lock(connection: Connection, client: str, draft: str) -> None:
    """Let nobody else decide on a draft (an id) until the transaction ends."""
    connection.execute(
        text("SELECT id FROM drafts WHERE client = :client AND id = :id FOR UPDATE"),
        {"client": client, "id": draft},
    )


def children(connection: Connection, client: str, draft: str) -> list[KeptDraft]:
    """The drafts that wait below a use case draft, oldest first."""
    statement = text(f"""{SELECT_DRAFTS}
        WHERE d.client = :client AND d.parent = :draft AND d.state = 'draft' ORDER BY d.created_at, d.id
    """)
    rows = connection.execute(statement, {"client": client, "draft": draft}).mappings()
    return [draft_of(row) for row in rows]


def waiting_for(connection: Connection, client: str, project: str, number: str) -> list[KeptDraft]:
    """The drafts that wait to belong to a use case that stands, oldest first."""
    statement = text(f"""{SELECT_DRAFTS}
        WHERE d.client = :client AND d.project = :project AND d.state = 'draft' AND u.type || u.serial = :number
        ORDER BY d.created_at, d.id
    """)
    values = {"client": client, "project": project, "number": number}
    return [draft_of(row) for row in connection.execute(statement, values).mappings()]


def insert(
    connection: Connection,
    client: str,
    draft: KeptDraft,
    key: str,
    use_case: str | None,
) -> bool:
    """Write a draft; False where the project had one with this key, whatever was decided of it."""
    done = connection.execute(
        text("""
            INSERT INTO drafts (client, id, project, session, key, type, title, text, state, created_at, evidence,
                parent, use_case, origin, by, reason, updated_at)
            VALUES (:client, :id, :project, cast(:session AS uuid), :key, :type, :title, :text, :state, :created_at,
                cast(:evidence AS jsonb), cast(:parent AS uuid), cast(:use_case AS uuid), :origin, :by, :reason,
                :created_at)
            ON CONFLICT (client, project, key) DO NOTHING
        """),
        {
            "client": client,
            "id": draft.id,
            "project": draft.project,
            "session": draft.session,
            "key": key,
            "type": draft.type,
            "title": draft.title,
            "text": draft.text,
            "state": draft.state,
            "created_at": draft.created_at,
            "evidence": pointers_json(draft.evidence),
            "parent": draft.parent,
            "use_case": use_case,
            "origin": draft.origin,
            "by": draft.by,
            "reason": draft.reason,
        },
    )
    return done.rowcount == 1


def update(
    connection: Connection, client: str, draft: KeptDraft, now: datetime, values: Mapping[str, object]
) -> KeptDraft:
    """Write ``values`` (by column) as the draft's next version and return it; it is locked."""
    columns = ", ".join(f"{name} = :{name}" for name in values)
    statement = text(f"""
        UPDATE drafts SET {columns}, version = version + 1, updated_at = :now
        WHERE client = :client AND id = :id
    """)  # noqa: S608 - names of columns of ours
    connection.execute(statement, {**values, "client": client, "id": draft.id, "now": now})
    return find(connection, client, draft.project, draft.id)


def decide(
    connection: Connection,
    client: str,
    draft: KeptDraft,
    now: datetime,
    by: str,
    state: str,
    *,
    item: str | None = None,
    merged_into: str | None = None,
    reason: str = "",
) -> KeptDraft:
    """Write what became of a draft."""
    values: dict[str, object] = {
        "state": state,
        "item": item,
        "merged_into": merged_into,
        "reason": reason,
        "decided_at": now,
        "decided_by": by,
    }
    return update(connection, client, draft, now, values)


def adopt(
    connection: Connection, client: str, draft: str, *, parent: str | None = None, use_case: str | None = None
) -> int:
    """Put the drafts that wait below ``draft`` below another one, or below a use case; return how many."""
    done = connection.execute(
        text("""
            UPDATE drafts SET parent = cast(:parent AS uuid), use_case = cast(:use_case AS uuid)
            WHERE client = :client AND parent = :draft AND state IN ('draft', 'offered')
        """),
        {"client": client, "draft": draft, "parent": parent, "use_case": use_case},
    )
    return done.rowcount


def settle_in(
    connection: Connection, client: str, draft: str, parent: str | None, use_case: str | None
) -> None:
    """Give a draft the use case (a draft's id or an item's) that it belongs to."""
    connection.execute(
        text("""
            UPDATE drafts SET parent = cast(:parent AS uuid), use_case = cast(:use_case AS uuid)
            WHERE client = :client AND id = :id
        """),
        {"client": client, "id": draft, "parent": parent, "use_case": use_case},
    )
