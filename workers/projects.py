"""From what a hook saw of a repository to the project it is: resolved once, then known by all its keys."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, text

from schema.ids import new_id
from workers.identity import project_keys, project_name
from workers.incoming import Incoming


def resolve(connection: Connection, client: str, events: Iterable[Incoming]) -> dict[str, str]:
    """Return the project id for every strongest key of ``events``, making projects that are new.

    A weaker key (the id kept in the common directory) leads to the project of a stronger one that comes later (a
    remote that was added), so that a project keeps its history.
    """
    samples = {tuple(project_keys(event)): event for event in events}
    wanted = sorted({key for keys in samples for key in keys})
    known = _known(connection, client, wanted)
    for keys, event in samples.items():
        project = next((known[key] for key in keys if key in known), None)
        if project is None:
            project = _create(connection, client, event)
        missing = [key for key in keys if key not in known]
        if missing:
            _remember(connection, client, missing, project)
            known.update(dict.fromkeys(missing, project))
    return {keys[0]: known[keys[0]] for keys in samples}


def _known(connection: Connection, client: str, keys: list[str]) -> dict[str, str]:
    statement = text(
        "SELECT key, project::text FROM project_keys WHERE client = :client AND key = ANY(:keys)"
    )
    rows = connection.execute(statement, {"client": client, "keys": keys})
    return dict(rows.all())


def _create(connection: Connection, client: str, event: Incoming) -> str:
    project = new_id()
    connection.execute(
        text("""
            INSERT INTO projects (client, project, name, remote, root)
            VALUES (:client, :project, :name, :remote, :root)
        """),
        {
            "client": client,
            "project": project,
            "name": project_name(event),
            "remote": event.project.get("remote"),
            "root": event.project.get("root") or event.cwd,
        },
    )
    return project


def _remember(connection: Connection, client: str, keys: list[str], project: str) -> None:
    connection.execute(
        text("""
            INSERT INTO project_keys (client, key, project) SELECT :client, unnest(:keys ::text[]), :project
            ON CONFLICT DO NOTHING
        """),
        {"client": client, "keys": keys, "project": project},
    )
