"""Projects by what a folder or an event says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text

from schema.errors import NotFound
from schema.ids import new_id, whole_id
from schema.scope import Scope


def keys(project: Mapping[str, Any], folder: str | None = None) -> list[str]:
    """The keys a project may be known by, strongest first: its remote, the id kept beside it, else its folder."""
    found = [f"{name}:{project[name]}" for name in ("remote", "id") if project.get(name)]
    return found or [f"root:{project.get('root') or folder or ''}"]


def lookup(connection: Connection, client: str, wanted: Sequence[str]) -> str | None:
    """Return the project known by the first of ``wanted`` keys that is known, else None."""
    statement = text(
        "SELECT key, project::text FROM project_keys WHERE client = :client AND key = ANY(:keys)"
    )
    known: dict[str, str] = dict(
        connection.execute(statement, {"client": client, "keys": list(wanted)}).all()
    )
    return next((known[key] for key in wanted if key in known), None)


_NAMED = """
    SELECT project::text, CASE WHEN project = cast(:its_id AS uuid) THEN 1 WHEN remote = :name THEN 2 ELSE 3 END AS rank
    FROM projects
    WHERE {scope} AND (name = :name OR remote = :name OR project = cast(:its_id AS uuid)) ORDER BY rank
"""

_KNOWN_BY = """
    SELECT project::text FROM projects
    WHERE {scope} AND (remote = :name OR project = cast(:its_id AS uuid)) LIMIT 1
"""


def named(connection: Connection, client: str, name: str, projects: Sequence[str] | None = None) -> str:
    """Return the id of the project with this id, else with this remote, else with this name, of those in reach.

    People choose names, so a name never stands in the way of another project's id or remote. ``projects`` are the ids
    in reach (None: all). Raises NotFound, also where several have the name.
    """
    scope = Scope(client, None if projects is None else tuple(projects))
    values = scope.values | {"name": name, "its_id": whole_id(name)}
    rows = connection.execute(text(_NAMED.format(scope=scope.where())), values).all()
    found = [row.project for row in rows if row.rank == rows[0].rank]
    if not found:
        raise NotFound(what="project named", name=name)
    if len(found) > 1:
        raise NotFound(
            what="single project named", name=f"{name} (there are {len(found)}; give the remote or the id)"
        )
    return str(found[0])


_LISTED = """
    SELECT p.project::text, p.name, p.remote, p.root, p.created_at,
           (SELECT count(*) FROM sessions s WHERE s.client = p.client AND s.project = p.project) AS sessions,
           (SELECT max(s.last_at) FROM sessions s WHERE s.client = p.client AND s.project = p.project) AS last_at,
           (SELECT count(*) FROM fact_versions f WHERE f.client = p.client AND f.project = p.project
            AND f.retired_at IS NULL AND f.valid_to IS NULL) AS facts
    FROM projects p WHERE {scope}
      AND (cast(:after_name AS text) IS NULL OR (p.name, p.project) > (:after_name, cast(:after_id AS uuid)))
    ORDER BY p.name, p.project LIMIT :limit
"""
_REACHED = "SELECT project::text FROM projects WHERE {scope} LIMIT :limit"


def listed(
    connection: Connection, scope: Scope, *, after: tuple[str, str] | None = None, limit: int = 100
) -> list[dict[str, Any]]:
    """The projects in reach by name, with their sessions and current facts counted; ``after`` ends the page before."""
    place = {
        "after_name": after[0] if after else None,
        "after_id": after[1] if after else None,
        "limit": limit,
    }
    statement = text(_LISTED.format(scope=scope.where("p")))
    return [dict(row) for row in connection.execute(statement, scope.values | place).mappings()]


def reached(connection: Connection, scope: Scope, limit: int) -> list[str]:
    """The ids of at most ``limit`` projects in reach."""
    statement = text(_REACHED.format(scope=scope.where()))
    return list(connection.scalars(statement, scope.values | {"limit": limit}))


def every(connection: Connection, client: str) -> list[tuple[str, str]]:
    """The id and the name of each of a client's projects, by name."""
    statement = text("SELECT project::text, name FROM projects WHERE client = :client ORDER BY name, project")
    return [(row.project, row.name) for row in connection.execute(statement, {"client": client})]


def called(connection: Connection, client: str, project: str) -> str:
    """The name of a project; '' where there is none with this id."""
    statement = text("SELECT name FROM projects WHERE client = :client AND project = cast(:project AS uuid)")
    return str(connection.scalar(statement, {"client": client, "project": project}) or "")


def rename(connection: Connection, client: str, project: str, name: str) -> None:
    """Call ``project`` by ``name``; what it is known by stays."""
    connection.execute(
        text("UPDATE projects SET name = :name WHERE client = :client AND project = cast(:project AS uuid)"),
        {"client": client, "project": project, "name": name},
    )


def known_by(connection: Connection, scope: Scope, name: str) -> str | None:
    """The id of the project in reach whose remote or id ``name`` is; None where it is nobody's."""
    values = scope.values | {"name": name, "its_id": whole_id(name)}
    found = connection.scalar(text(_KNOWN_BY.format(scope=scope.where())), values)
    return None if found is None else str(found)


def register(
    connection: Connection, client: str, known_by: Sequence[str], *, remote: str | None, root: str | None
) -> str:
    """Make a project of a folder that nothing was captured from yet, known by its keys; return its id."""
    project = new_id()
    values = {"client": client, "project": project, "remote": remote, "root": root}
    name = (remote or root or "").replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] or "unnamed"
    connection.execute(
        text("""
            INSERT INTO projects (client, project, name, remote, root)
            VALUES (:client, :project, :name, :remote, :root)
        """),
        values | {"name": name},
    )
    connection.execute(
        text("INSERT INTO project_keys (client, key, project) VALUES (:client, :key, :project)"),
        [{"client": client, "key": key, "project": project} for key in known_by],
    )
    return project
