"""Classification over the mirror: what nobody has read yet, in batches, each to its drafts in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, text

from backlog import offers
from backlog.classify.boundary import Batch, Classifier, Standing
from backlog.offers import Offered
from schema import passages
from schema.backlog import items
from schema.database import Database
from schema.drafts import drafts
from schema.ids import new_id
from schema.material import Material

AT_ONCE = 200  # texts in a batch
CHARACTERS_PER_TOKEN = 4

_READ = {
    "exchange": """
        SELECT 'exchange' AS kind, id::text, text, at, '' AS title, session::text, NULL AS commit FROM exchanges
        WHERE client = :client AND project = :project AND classified_at IS NULL AND role = 'person'
        ORDER BY at, id LIMIT :limit""",
    "commit": """
        SELECT 'commit' AS kind, id::text, message AS text, at, '' AS title, session::text, sha AS commit FROM commits
        WHERE client = :client AND project = :project AND classified_at IS NULL AND rewritten_to IS NULL
        ORDER BY at, id LIMIT :limit""",
    "message": """
        SELECT 'message' AS kind, id::text, text, at, title, session::text, NULL AS commit FROM messages
        WHERE client = :client AND project = :project AND classified_at IS NULL
        ORDER BY at, id LIMIT :limit""",
}
_TABLES = {"exchange": "exchanges", "commit": "commits", "message": "messages"}
_WAITING = text("""
    SELECT project::text, sum(size)::bigint AS characters FROM (
        SELECT project, chars AS size FROM exchanges
        WHERE client = :client AND classified_at IS NULL AND role = 'person'
        UNION ALL
        SELECT project, length(message) FROM commits
        WHERE client = :client AND classified_at IS NULL AND rewritten_to IS NULL
        UNION ALL
        SELECT project, length(text) FROM messages WHERE client = :client AND classified_at IS NULL
        UNION ALL
        SELECT p.project, p.ends - p.starts FROM passages p
        JOIN documents d ON d.client = p.client AND d.id = p.document AND d.version = p.version
        WHERE p.client = :client AND p.classified_at IS NULL
    ) AS waiting GROUP BY project
""")


@dataclass(frozen=True, slots=True)
class Classified:
    """What a run read and made; ``more`` says that there is more to read."""

    read: int = 0
    added: tuple[str, ...] = ()
    repeated: int = 0
    rejected: int = 0
    by: str = ""
    more: bool = False


def waiting(connection: Connection, client: str) -> dict[str, int]:
    """How many tokens (a quarter of the characters) of each project nobody has classified yet."""
    rows = connection.execute(_WAITING, {"client": client})
    return {row.project: int(row.characters) // CHARACTERS_PER_TOKEN for row in rows}


def classify(
    database: Database,
    client: str,
    project: str,
    classifier: Classifier,
    *,
    now: datetime | None = None,
    limit: int = AT_ONCE,
) -> Classified:
    """Read the oldest unread texts of a project (``limit`` at most) and make drafts of what they ask for.

    One at a time for each project; who comes meanwhile reads nothing. No transaction is open while a model is asked.
    Run again after a crash, nothing is made twice. Raises what the classifier raises; the texts stay unread then.
    """
    moment = now or datetime.now(UTC)
    with database.alone(client, f"classify {project}") as taken:
        if not taken:
            return Classified()
        with database.tenant(client) as connection:
            offers.settle(connection, client, project, moment)
            materials = _unread(connection, client, project, limit)
            known = standing(connection, client, project)
        if not materials:
            return Classified(by=classifier.name)
        batch = Batch(client, project, new_id(), materials, known)
        found = classifier.classify(batch)
        with database.tenant(client) as connection:
            offered = offers.offer(
                connection, client, project, found, origin="classified", by=classifier.name, now=moment
            )
            _mark(connection, client, materials, moment)
    return _told(offered, len(materials), classifier.name, more=len(materials) >= limit)


def standing(connection: Connection, client: str, project: str) -> tuple[Standing, ...]:
    """What is planned already and not done: use cases first, then items, then drafts."""
    planned = [one for one in items(connection, client, project) if one.state != "done"]
    waits = drafts(connection, client, project)
    found = [Standing(one.number, one.type, one.title) for one in planned]
    found += [Standing(one.id, one.type, one.title) for one in waits]
    return tuple(sorted(found, key=lambda one: one.type != "US"))


def _unread(connection: Connection, client: str, project: str, limit: int) -> list[Material]:
    values = {"client": client, "project": project, "limit": limit}
    found = [
        Material(**row)
        for statement in _READ.values()
        for row in connection.execute(text(statement), values).mappings()
    ]
    found += [
        Material(passages.KIND, one.id, one.text, one.at, one.heading)
        for one in passages.unclassified(connection, client, project, limit)
    ]
    return sorted(found, key=lambda one: (one.at, one.id))[:limit]


def _mark(connection: Connection, client: str, materials: Sequence[Material], now: datetime) -> None:
    for kind, table in _TABLES.items():
        ids = [one.id for one in materials if one.kind == kind]
        if ids:
            connection.execute(
                text(f"""
                    UPDATE {table} SET classified_at = :now
                    WHERE client = :client AND id = ANY(cast(:ids AS uuid[])) AND classified_at IS NULL
                """),  # noqa: S608 - a constant of ours
                {"client": client, "ids": ids, "now": now},
            )
    passages.mark_classified(
        connection, client, [one.id for one in materials if one.kind == passages.KIND], now
    )


def _told(offered: Offered, count: int, by: str, *, more: bool = False) -> Classified:
    return Classified(count, tuple(offered.added), offered.repeated, offered.rejected, by, more)
