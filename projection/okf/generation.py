"""A project's generation: which content its bundle has now, counted in the database, whoever makes it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from projection.okf.clean import clean
from projection.okf.load import load
from projection.okf.render import digest, manifest, render
from schema.database import Database
from schema.errors import DatabaseConflict

TRIES = 5  # each that fails lets somebody else's newer content stand

_MARKS = text("SELECT id FROM bundle_marks WHERE client = :client AND project = :project")
# What is taken away stays counted: whoever watches the number of all marks there ever were misses none.
_TAKEN = """
    WITH gone AS (DELETE FROM bundle_marks m WHERE m.client = :client AND {which} RETURNING m.project)
    INSERT INTO mark_counts AS known (client, project, marks)
    SELECT :client, g.project, count(*) FROM gone g
    JOIN projects p ON p.client = :client AND p.project = g.project GROUP BY g.project ORDER BY g.project
    ON CONFLICT (client, project) DO UPDATE SET marks = known.marks + excluded.marks
"""
_TAKE = text(_TAKEN.format(which="m.id = ANY(:ids)"))
# A place for the first one before anything is read: marks of a project without a bundle are dropped.
_PLACE = text("""
    INSERT INTO bundles (client, project, generation, digest, generated_at)
    SELECT client, project, 0, '', :now FROM projects WHERE client = :client AND project = :project
    ON CONFLICT DO NOTHING
""")
_COUNT = text("""
    INSERT INTO bundles AS known (client, project, generation, digest, generated_at)
    VALUES (:client, :project, 1, :digest, :now)
    ON CONFLICT (client, project) DO UPDATE
    SET generation = known.generation + 1, digest = excluded.digest, generated_at = excluded.generated_at
    WHERE known.digest <> excluded.digest AND known.generation = :seen
""")
_CURRENT = text(
    "SELECT generation, generated_at, digest FROM bundles WHERE client = :client AND project = :project"
)
_STANDING = text("""
    SELECT b.generation, b.generated_at, coalesce(p.remote, p.name) AS name
    FROM bundles b JOIN projects p ON p.client = b.client AND p.project = b.project
    WHERE b.client = :client AND b.project = :project AND b.generation > 0
""")
_MARKED = text("""
    SELECT DISTINCT m.project::text FROM bundle_marks m
    JOIN bundles b ON b.client = m.client AND b.project = m.project WHERE m.client = :client ORDER BY 1
""")
_UNWANTED = text(
    _TAKEN.format(
        which="NOT EXISTS (SELECT 1 FROM bundles b WHERE b.client = m.client AND b.project = m.project)"
    )
)


_MARK_ALL = text("""
    INSERT INTO bundle_marks (client, project) SELECT client, project FROM bundles WHERE client = :client
""")


@dataclass(frozen=True, slots=True)
class Generation:
    """A bundle as it is now: its files, and the manifest that counts it."""

    number: int
    generated_at: datetime
    project: str
    files: dict[str, bytes]
    manifest: bytes
    is_new: bool


def generate(database: Database, client: str, project: str, now: datetime) -> Generation:
    """Render the bundle, and count a new generation where its content is another than before.

    What was marked before the read is done with then; what changes meanwhile leaves a mark of its own. Where somebody
    else counted another content since the read, theirs may be the newer one: then it is read and rendered again.
    Raises NotFound, DatabaseUnavailable, DatabaseConflict.
    """
    with database.tenant(client) as connection:
        connection.execute(_PLACE, {"client": client, "project": project, "now": now})
    for _ in range(TRIES):
        if (made := _generate(database, client, project, now)) is not None:
            return made
    raise DatabaseConflict(why="the bundle was made anew again and again")


def _generate(database: Database, client: str, project: str, now: datetime) -> Generation | None:
    """One try; None where somebody else counted another content meanwhile."""
    values = {"client": client, "project": project}
    with database.tenant(client) as connection:
        marks = list(connection.scalars(_MARKS, values))
        before = connection.execute(_CURRENT, values).first()
        state = load(connection, client, project)
    state = clean(state)
    files = render(state)
    with database.tenant(client) as connection:
        mine = {"digest": digest(files), "now": now, "seen": before.generation if before else 0}
        counted = connection.execute(_COUNT, values | mine).rowcount
        row = connection.execute(_CURRENT, values).one()
        if row.digest != mine["digest"]:
            return None
        connection.execute(_TAKE, {"client": client, "ids": marks})
    name = state.remote or state.project
    made = manifest(files, name, row.generation, row.generated_at)
    return Generation(row.generation, row.generated_at, name, files, made, bool(counted))


def marked(connection: Connection, client: str) -> list[str]:
    """The projects whose bundle may be another now, of those that somebody had a bundle of.

    The marks of all others are dropped: a first bundle shows everything anyway.
    """
    connection.execute(_UNWANTED, {"client": client})
    return list(connection.scalars(_MARKED, {"client": client}))


def mark_all(connection: Connection, client: str) -> None:
    """Let every bundle of ``client`` be made anew: something may be in it that must not be given again."""
    connection.execute(_MARK_ALL, {"client": client})


def current(connection: Connection, client: str, project: str) -> int | None:
    """The project's generation, or None where none was made or something was marked since."""
    row = standing(connection, client, project)
    return None if row is None else row.number


@dataclass(frozen=True, slots=True)
class Standing:
    """Which generation a project's bundle has, without the bundle."""

    number: int
    generated_at: datetime
    project: str


def standing(connection: Connection, client: str, project: str) -> Standing | None:
    """The project's generation without rendering it; None where it has to be made anew to know."""
    values = {"client": client, "project": project}
    if connection.scalar(text(f"SELECT EXISTS ({_MARKS.text})"), values):
        return None
    row = connection.execute(_STANDING, values).first()
    return None if row is None else Standing(row.generation, row.generated_at, row.name)
