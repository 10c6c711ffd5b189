"""Projects by what a folder or an event says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text

from schema.errors import NotFound


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


def named(connection: Connection, client: str, name: str) -> str:
    """Return the id of the project with this name, remote or id. Raises NotFound, also where a name is two."""
    statement = text("""
        SELECT project::text FROM projects
        WHERE client = :client AND (name = :name OR remote = :name OR project::text = :name)
    """)
    found = list(connection.scalars(statement, {"client": client, "name": name}))
    if not found:
        raise NotFound(what="project named", name=name)
    if len(found) > 1:
        raise NotFound(
            what="single project named", name=f"{name} (there are {len(found)}; give the remote or the id)"
        )
    return str(found[0])


def listed(connection: Connection, client: str) -> list[dict[str, Any]]:
    """Every project of the client, by name."""
    statement = text(
        "SELECT project::text, name, remote, root FROM projects WHERE client = :client ORDER BY name"
    )
    return [dict(row) for row in connection.execute(statement, {"client": client}).mappings()]
