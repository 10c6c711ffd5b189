"""Approved items as units of recall: what is planned, how far it is, and what was done, in which commit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, text

from recall import index
from recall.units import spoken_date
from schema.backlog import TYPE_NAMES, Item, WorkEntry, family, items, work, work_on
from schema.database import Database
from schema.records import Unit

KIND = "item"
MOST_WORK = 5  # deliveries told of with an item, the latest ones
MOST_FILES = 40
MOST_BELOW = 30  # titles of what belongs to a use case that help finding it

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

    With ``numbers`` those and their use cases alone; an archived item is taken out. What has not changed in words
    keeps its vector.
    """
    with database.tenant(client) as conn:
        return put_items(conn, client, project, numbers=numbers)


def put_items(conn: Connection, client: str, project: str, *, numbers: Collection[str] | None = None) -> int:
    """``index_items`` in the caller's transaction."""
    if numbers is None:
        found = known = items(conn, client, project, archived=True)
        done = work(conn, client, project)
    else:
        known = family(conn, client, project, numbers)
        wanted = _with_use_cases(known, numbers)
        found = [item for item in known if item.number in wanted]
        done = work_on(conn, client, project, [item.id for item in found])
    standing = [item for item in found if item.archived_at is None]
    units = item_units(conn, client, project, standing, {item.number: item for item in known}, done)
    if numbers is None:
        values = {"client": client, "project": project, "refs": [unit.ref for unit in units]}
        index.remove(conn, client, KIND, list(conn.scalars(_GONE, values)))
    else:
        index.remove(conn, client, KIND, [item.id for item in found if item.archived_at is not None])
    return index.put(conn, client, units)


def item_units(
    conn: Connection,
    client: str,
    project: str,
    wanted: Sequence[Item],
    known: dict[str, Item],
    entries: Sequence[WorkEntry],
) -> list[Unit]:
    """Return the units of ``wanted`` items; ``known`` holds their use cases and what belongs to them, by number.

    ``entries`` are what was done on them, oldest first.
    """
    done: dict[str, list[WorkEntry]] = defaultdict(list)
    for entry in entries:
        for number in {entry.item, entry.use_case or entry.item}:
            done[number].append(entry)
    below: dict[str | None, list[str]] = defaultdict(list)
    for item in known.values():
        below[item.use_case].append(item.title)
    shas = [entry.commit for item in wanted for entry in done[item.number] if entry.commit]
    files: dict[str, list[str]] = defaultdict(list)
    for row in conn.execute(_FILES, {"client": client, "project": project, "shas": shas}):
        files[row.sha].append(row.path)
    return [
        _unit(project, item, known.get(item.use_case or ""), below[item.number], done[item.number], files)
        for item in wanted
    ]


def _unit(
    project: str,
    item: Item,
    parent: Item | None,
    below: Sequence[str],
    done: Sequence[WorkEntry],
    files: dict[str, list[str]],
) -> Unit:
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
        context=" ".join(
            [item.number, TYPE_NAMES[item.type], home, spoken_date(item.updated_at), *below[:MOST_BELOW]]
        ),
        files=tuple(dict.fromkeys(touched))[:MOST_FILES],
        standing="person",  # a person approved it
        valid_from=item.created_at,
        evidence=item.evidence,
    )


def _with_use_cases(every: Sequence[Item], numbers: Collection[str]) -> set[str]:
    """Numbers with those of their use cases: what was done stands on both."""
    return {*numbers, *(item.use_case for item in every if item.use_case and item.number in numbers)}


def _delivery(entry: WorkEntry) -> str:
    told = [f"commit {entry.commit[:10]}"] if entry.commit else []
    told += [f"{name}: {value}" for name in ("tests", "review") if (value := getattr(entry, name))]
    told += [] if entry.score is None else [f"score {entry.score}"]
    more = f" ({'; '.join(told)})" if told else ""
    return f"Done {entry.at:%Y-%m-%d} by {entry.by}: {entry.outcome or 'no outcome was told'}{more}."
