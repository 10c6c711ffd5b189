"""What would go: found by a text, or as one memory, fact or session; then everything that goes with it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, select, text

from schema.projects import keys
from schema.tables import metadata
from server.forget.places import CARRIERS, KEYS, MIRROR, PARTS, QUARANTINE, UNITS, WHOLE, holding, searched
from server.forget.words import Words
from server.memory import typeid

Keys = set[Any]

# What waits about a fact that goes, and what was said in what goes.
_FLAGS = text("""
    SELECT id FROM fact_flags WHERE client = :client AND (fact = ANY(:facts)
        OR proposal -> 'evidence' <> '[]' AND NOT EXISTS (
            SELECT FROM jsonb_array_elements(proposal -> 'evidence') AS e
            WHERE (e ->> 'id' = ANY(:rows) OR e ->> 'session' = ANY(:named)) IS NOT TRUE))
""")
_SUMMARIES = text("SELECT id FROM session_summaries WHERE client = :client AND session = ANY(:sessions)")
_UNITS = text("""
    SELECT unit FROM search_units WHERE client = :client AND (ref = ANY(:refs) OR session = ANY(:sessions))
""")
# A fact rests on them alone where all evidence of all its versions is theirs.
_FACTS = text("""
    SELECT fact FROM fact_versions WHERE client = :client
      AND fact IN (SELECT fact FROM fact_versions WHERE client = :client AND (session = ANY(:sessions) OR EXISTS (
          SELECT FROM jsonb_array_elements(evidence) AS e
          WHERE e ->> 'id' = ANY(:rows) OR e ->> 'session' = ANY(:named))))
    GROUP BY fact
    HAVING bool_and(CASE WHEN evidence = '[]' THEN session = ANY(:sessions) ELSE NOT EXISTS (
        SELECT FROM jsonb_array_elements(evidence) AS e
        WHERE (e ->> 'id' = ANY(:rows) OR e ->> 'session' = ANY(:named)) IS NOT TRUE) END)
""")
_RESTING = """
    SELECT id FROM {table} WHERE client = :client AND (session = ANY(:sessions) OR evidence <> '[]' AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(evidence) AS e
        WHERE (e ->> 'id' = ANY(:rows) OR e ->> 'session' = ANY(:named)) IS NOT TRUE))
"""
_EVENTS, _DRAFTS = text(_RESTING.format(table="events")), text(_RESTING.format(table="drafts"))


@dataclass(slots=True)
class Selection:
    """``gone`` are rows by table and the value of its key; ``reworded`` rows, by primary key, that lose words only.

    ``touched`` are sessions that stay and of which something went: they are indexed and distilled again.
    """

    gone: dict[str, Keys] = field(default_factory=lambda: defaultdict(set))
    units: set[int] = field(default_factory=set)
    held: Keys = field(default_factory=set)
    reworded: dict[str, set[tuple[Any, ...]]] = field(default_factory=lambda: defaultdict(set))
    touched: set[UUID] = field(default_factory=set)
    projects: set[UUID] = field(default_factory=set)

    @property
    def mirror(self) -> list[UUID]:
        """The ids of the mirror rows that go."""
        return sorted(one for table in MIRROR for one in self.gone.get(table, ()))


def of_text(connection: Connection, client: str, words: Words) -> Selection:
    """Everything that holds ``words``."""
    found = Selection()
    for table, columns in searched():
        wanted = [column for column in table.columns if column in columns or column.primary_key]
        named = [table.c[name] for name in ("session", "project") if name in table.c]
        if table.name in KEYS:
            wanted.append(table.c[KEYS[table.name]])
        query = select(*dict.fromkeys([*wanted, *named])).where(
            table.c.client == client, holding(columns, words)
        )
        for row in connection.execute(query).mappings():
            _sort(found, table.name, dict(row), tuple(row[column.name] for column in table.primary_key))
    return found


def _sort(found: Selection, table: str, row: dict[str, Any], key: tuple[Any, ...]) -> None:
    if table == UNITS:
        found.units.add(row["unit"])
        return
    if isinstance(row.get("session"), UUID):
        found.touched.add(row["session"])
    if table == QUARANTINE:
        found.held.add(row["id"])
    elif table in KEYS and table not in CARRIERS:
        found.gone[PARTS.get(table, table)].add(row[KEYS[table]])
    else:
        found.reworded[table].add(key)
        if isinstance(row.get("project"), UUID):
            found.projects.add(row["project"])


def of_session(connection: Connection, client: str, session: UUID) -> Selection:
    """One session: its mirror rows, its summary and events, and the facts that rest on it alone."""
    found = Selection()
    found.gone["sessions"].add(session)
    found.gone["session_summaries"].add(session)
    for name in MIRROR:
        table = metadata.tables[name]
        query = select(table.c.id).where(table.c.client == client, table.c.session == session)
        found.gone[name].update(connection.scalars(query))
    return found


def of_project(connection: Connection, client: str, project: UUID) -> Selection:
    """A whole project: everything of it in every table, and itself."""
    found = Selection()
    for name, key in WHOLE.items():
        table = metadata.tables[name]
        if "project" in table.c:
            query = select(table.c[key]).where(table.c.client == client, table.c.project == project)
            found.gone[name].update({project} if key == "project" else connection.scalars(query))
    units = metadata.tables[UNITS]
    query = select(units.c.unit).where(units.c.client == client, units.c.project == project)
    found.units.update(connection.scalars(query))
    known = project_keys(connection, client, project)
    held = metadata.tables[QUARANTINE]
    rows = connection.execute(
        select(held.c.id, held.c.payload).where(held.c.client == client, held.c.payload.is_not(None))
    )
    found.held.update(row.id for row in rows if event_of(known, _event(row.payload)))
    return found


def project_keys(connection: Connection, client: str, project: UUID) -> frozenset[str]:
    """What hooks know a project by."""
    table = metadata.tables["project_keys"]
    query = select(table.c.key).where(table.c.client == client, table.c.project == project)
    return frozenset(connection.scalars(query))


def event_of(known: frozenset[str], event: Any) -> bool:
    """Whether a captured event is of the project with the ``known`` keys: by the strongest key that it has."""
    if not isinstance(event, dict):
        return False
    told = event.get("project")
    return keys(told if isinstance(told, dict) else {}, event.get("cwd"))[0] in known


def _event(payload: str) -> Any:
    try:
        return json.loads(payload)
    except ValueError:
        return None


def of_one(table: str, key: UUID) -> Selection:
    """One memory, remembered entry or fact."""
    found = Selection()
    found.gone[table].add(key)
    return found


def close(connection: Connection, client: str, found: Selection) -> None:
    """Add what rests on the selection alone and what belongs to it: facts, events, parts, units of recall, counts."""
    gone = found.gone
    sessions = sorted(gone["sessions"])
    rows = [str(one) for one in found.mirror]
    if rows or sessions:
        values = {"client": client, "rows": rows, "sessions": sessions, "named": _texts(sessions)}
        for table, statement in (("events", _EVENTS), ("drafts", _DRAFTS), ("fact_versions", _FACTS)):
            gone[table].update(connection.scalars(statement, values))
    for part, whole in PARTS.items():
        gone[part].update(gone[whole])
    gone["windows"].update(gone["observations"])
    gone["fact_checks"].update(gone["fact_versions"])
    facts = {
        "client": client,
        "facts": sorted(gone["fact_versions"]),
        "rows": rows,
        "named": _texts(sessions),
    }
    gone["fact_flags"].update(connection.scalars(_FLAGS, facts))
    memories = [typeid.encode(typeid.MEMORY, one) for one in gone["memories"]]
    gone["held_deletions"].update(memories)
    summaries = {"client": client, "sessions": sorted(gone["session_summaries"])}
    refs = {*memories, *_texts(connection.scalars(_SUMMARIES, summaries))}
    for table in (*MIRROR, "events", "fact_versions", "remembered", "sessions"):
        refs.update(_texts(gone[table]))
    gone["memory_uses"].update(refs)
    values = {"client": client, "refs": sorted(refs), "sessions": _texts(sessions)}
    found.units.update(connection.scalars(_UNITS, values))
    found.touched -= gone["sessions"]


def _texts(values: Iterable[Any]) -> list[str]:
    return [str(one) for one in values]
