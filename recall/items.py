"""Approved items as units of recall: what is planned, how far it is, and what was done, in which commit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, text

from recall import index
from recall.units import spoken_date
from schema.backlog import TYPE_NAMES, Item, WorkEntry, items, work
from schema.database import Database
from schema.records import Unit

KIND = "item"
MOST_WORK = 5  # deliveries told of with an item, the latest ones
MOST_FILES = 40

_FILES = text("""
    SELECT c.sha, f ->> 'path' AS path FROM commits c, jsonb_array_elements(c.files) AS f
    WHERE c.client = :client AND c.project = :project AND c.sha = ANY(:shas) ORDER BY c.sha, 2
""")
_GONE = text("""
    SELECT ref FROM search_units WHERE client = :client AND project = :project AND kind = 'item' AND ref <> ALL(:refs)
""")


def index_items(
    database: Database, client: str, project: str, *, numbers: Collection[str] | None = None
) -> int:
    """Make a project's items findable as they are now; return how many units were written anew.

    With ``numbers`` those alone; an archived item is taken out. What has not changed in words keeps its vector.
    """
    with database.tenant(client) as conn:
        return put_items(conn, client, project, numbers=numbers)


def put_items(conn: Connection, client: str, project: str, *, numbers: Collection[str] | None = None) -> int:
    """``index_items`` in the caller's transaction."""
    every = items(conn, client, project, archived=True)
    found = [item for item in every if numbers is None or item.number in numbers]
    standing = [item for item in found if item.archived_at is None]
    units = item_units(conn, client, project, standing, {item.number: item for item in every})
    if numbers is None:
        values = {"client": client, "project": project, "refs": [unit.ref for unit in units]}
        index.remove(conn, client, KIND, list(conn.scalars(_GONE, values)))
    else:
        index.remove(conn, client, KIND, [item.id for item in found if item.archived_at is not None])
    return index.put(conn, client, units)


def item_units(
    conn: Connection, client: str, project: str, wanted: Sequence[Item], known: dict[str, Item]
) -> list[Unit]:
    """Return the units of ``wanted`` items; ``known`` are the project's by number, for the names of use cases."""
    done: dict[str, list[WorkEntry]] = defaultdict(list)
    for entry in work(conn, client, project):
        done[entry.item].append(entry)
    shas = [entry.commit for item in wanted for entry in done[item.number] if entry.commit]
    files: dict[str, list[str]] = defaultdict(list)
    for row in conn.execute(_FILES, {"client": client, "project": project, "shas": shas}):
        files[row.sha].append(row.path)
    return [_unit(project, item, known, done[item.number], files) for item in wanted]


def _unit(
    project: str,
    item: Item,
    known: dict[str, Item],
    done: Sequence[WorkEntry],
    files: dict[str, list[str]],
) -> Unit:
    parent = known.get(item.use_case or "")
    home = f"{parent.number} {parent.title}" if parent else ""
    lines = [
        item.text,
        f"{TYPE_NAMES[item.type].capitalize()}, {item.state}{f', of {home}' if home else ''}.",
    ]
    lines += [_delivery(entry) for entry in done[-MOST_WORK:]]
    touched = [path for entry in done for path in files.get(entry.commit or "", ())]
    return Unit(
        kind=KIND,
        ref=item.id,
        project=project,
        title=f"{item.number} {item.title}",
        text="\n".join(line for line in lines if line),
        at=item.updated_at,
        context=f"{item.number} {TYPE_NAMES[item.type]} {home} {spoken_date(item.updated_at)}",
        files=tuple(dict.fromkeys(touched))[:MOST_FILES],
        standing="person",  # a person approved it
        valid_from=item.created_at,
        evidence=item.evidence,
    )


def _delivery(entry: WorkEntry) -> str:
    told = [f"commit {entry.commit[:10]}"] if entry.commit else []
    told += [f"{name}: {value}" for name in ("tests", "review") if (value := getattr(entry, name))]
    told += [] if entry.score is None else [f"score {entry.score}"]
    more = f" ({'; '.join(told)})" if told else ""
    return f"Done {entry.at:%Y-%m-%d} by {entry.by}: {entry.outcome or 'no outcome was told'}{more}."
