"""Commits that name items: noted once in "What was done", the item moved to review. Runs after each commit's ingest.

Done stays a deliberate act. Only the commit's own project is looked at; a number that is unknown there is left alone
and told of. Running it again for the same commit, or for the one that took its place, changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, text

from backlog import store, work
from backlog.errors import NoSuchItem
from backlog.lifecycle import State, delivered
from backlog.references import delivered as numbers_in
from schema.backlog import Item
from schema.records import Commit

BY = "git"
SKEW = timedelta(days=1)  # by how much a commit's clock may be behind ours


@dataclass(frozen=True, slots=True)
class Delivered:
    """The items that a commit's message names and that exist, whether anything changed, and notes for people."""

    items: tuple[Item, ...] = ()
    changed: bool = False
    notes: tuple[str, ...] = ()


def deliver(
    connection: Connection,
    client: str,
    project: str,
    commit: Commit,
    *,
    now: datetime,
    session: str | None = None,
    also: tuple[str, ...] = (),
) -> Delivered:
    """Bring what ``commit`` says it delivers (and ``also``) into the backlog, after following rewrites.

    May run twice.
    """
    changed = follow_rewrites(connection, client, project, commit.sha)
    changed += _complete(connection, client, project, commit)
    found, notes = [], []
    for number in dict.fromkeys((*numbers_in(commit.message), *also)):
        try:
            item = store.hold(connection, client, project, number)
        except NoSuchItem:
            notes.append(f"commit {commit.sha[:10]} names {number}, which this project does not have")
            continue
        if number not in also and before_its_number(item, commit):
            notes.append(f"commit {commit.sha[:10]} names {number}, which is younger than the commit")
            continue
        told = work.Work(
            outcome=commit.message.strip().partition("\n")[0][: work.LONGEST],
            commit=commit.sha,
            session=session,
            at=commit.at,
        )
        entry, new = work.note(
            connection, client, item, told, by=commit.author or BY, origin="commit", now=now
        )
        moved = _to_review(connection, client, item, entry.commit or commit.sha, entry.by, now)
        if item.archived_at is not None:
            notes.append(f"commit {commit.sha[:10]} names {item.number}, which is archived and stays so")
        changed += new or moved
        found.append(store.find(connection, client, project, number))
    return Delivered(tuple(found), bool(changed), tuple(notes))


def before_its_number(item: Item, commit: Commit) -> bool:
    """Whether the commit is older than the item: then its number was another tracker's (an imported history)."""
    return commit.at < item.created_at - SKEW


def follow_rewrites(connection: Connection, client: str, project: str, sha: str | None = None) -> int:
    """Let entries of amended and rebased commits stand for the commit in their place.

    With ``sha`` those alone that it came from, and its own. Returns how many changed. Where the other commit has its
    entry on the item already, a bare commit's entry goes; what somebody wrote stays.
    """
    statement = text("""
        WITH RECURSIVE earlier(sha) AS (
            SELECT old FROM rewrites
            WHERE client = :client AND project = :project AND (cast(:sha AS text) IS NULL OR old = :sha OR new = :sha)
            UNION
            SELECT r.old FROM rewrites r JOIN earlier e ON r.new = e.sha
            WHERE r.client = :client AND r.project = :project
        )
        SELECT w.id::text, w.commit, w.origin, w.outcome, i.type || i.serial AS number, w.item::text
        FROM earlier e
        JOIN work_log w ON w.client = :client AND w.project = :project AND w.commit = e.sha
        JOIN items i ON i.client = w.client AND i.id = w.item
        ORDER BY w.at, w.id
    """)
    values = {"client": client, "project": project, "sha": sha}
    rows = connection.execute(statement, values).all()
    for row in rows:
        item = store.hold(connection, client, project, row.number)
        new = work.whole_commit(connection, client, project, row.commit)
        other = connection.execute(
            text("""
                SELECT id::text, origin FROM work_log
                WHERE client = :client AND item = :item AND commit = :commit AND id <> :id
            """),
            {"client": client, "item": item.id, "commit": new, "id": row.id},
        ).first()
        if other is None:
            _set_commit(connection, client, row.id, new)
        elif row.origin == "commit":
            _delete(connection, client, row.id)
        elif other.origin == "commit":
            _delete(connection, client, other.id)
            _set_commit(connection, client, row.id, new)
        else:
            outcome = f"{row.outcome} (commit {row.commit[:10]}, now part of {new[:10]})".strip()
            _set_commit(connection, client, row.id, None, outcome)
    return len(rows)


def _to_review(connection: Connection, client: str, item: Item, commit: str, by: str, now: datetime) -> bool:
    """Move the item, unless this commit (or one that it took the place of) has done so before."""
    target = delivered(State(item.state))
    if target is None or item.archived_at is not None:
        return False
    before = text("""
        WITH RECURSIVE earlier(sha) AS (
            SELECT cast(:commit AS text)
            UNION
            SELECT r.old FROM rewrites r JOIN earlier e ON r.new = e.sha
            WHERE r.client = :client AND r.project = :project
        )
        SELECT EXISTS (
            SELECT FROM item_history h JOIN earlier e ON h.reason = 'commit ' || e.sha
            WHERE h.client = :client AND h.item = :item AND h.action = 'delivery')
    """)
    values = {"client": client, "project": item.project, "item": item.id, "commit": commit}
    if connection.scalar(before, values):
        return False
    changes: dict[str, Sequence[object]] = {"state": [item.state, target.value]}
    store.update(
        connection,
        client,
        item,
        changes,
        now,
        by,
        "delivery",
        values={"state": target.value},
        reason=f"commit {commit}",
    )
    return True


def _complete(connection: Connection, client: str, project: str, commit: Commit) -> int:
    """Give entries that were told only the beginning of this commit's hash the whole of it."""
    done = connection.execute(
        text("""
            UPDATE work_log SET commit = :sha
            WHERE client = :client AND project = :project AND commit = ANY(:beginnings)
        """),
        {
            "client": client,
            "project": project,
            "sha": commit.sha,
            "beginnings": [commit.sha[:size] for size in range(work.SHORTEST, len(commit.sha))],
        },
    )
    return done.rowcount


def _set_commit(
    connection: Connection, client: str, entry: str, commit: str | None, outcome: str | None = None
) -> None:
    connection.execute(
        text("""
            UPDATE work_log SET commit = cast(:commit AS text), outcome = coalesce(cast(:outcome AS text), outcome)
            WHERE client = :client AND id = :id
        """),
        {"client": client, "id": entry, "commit": commit, "outcome": outcome},
    )


def _delete(connection: Connection, client: str, entry: str) -> None:
    connection.execute(
        text("DELETE FROM work_log WHERE client = :client AND id = :id"), {"client": client, "id": entry}
    )
