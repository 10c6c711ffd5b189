"""What a command that reads the database needs: settings, addresses, an open database, and which project is meant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limbeck.private import private_home
from limbeck.services.addresses import Addresses, addresses
from limbeck.settings import Settings, load
from limbeck.visible import in_json

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from schema.database import Database


@dataclass(frozen=True, slots=True)
class Context:
    """One command's view of one client."""

    settings: Settings
    addresses: Addresses
    database: Database

    @property
    def client(self) -> str:
        """The client that the settings name."""
        return self.settings.client

    @contextmanager
    def tenant(self) -> Iterator[Connection]:
        """A transaction that sees this client's rows only."""
        with self.database.tenant(self.client) as connection:
            yield connection

    def project(self, connection: Connection, name: str | None, everywhere: bool = False) -> str | None:
        """The project meant: the one named, else the one the working directory lies in; None means all.

        Raises NotFound where a name is unknown, or where the working directory is in no known project.
        """
        if everywhere:
            return None
        return self.one_project(connection, name, Path.cwd())

    def one_project(self, connection: Connection, name: str | None, folder: Path) -> str:
        """The project named, else the one ``folder`` lies in. Raises NotFound."""
        from capture.project import find
        from schema.errors import NotFound
        from schema.projects import keys, lookup, named

        if name is not None:
            return named(connection, self.client, name)
        place = find(str(folder.resolve()), make_id=None)
        known = keys({"remote": place.remote, "id": place.id, "root": place.root})
        found = lookup(connection, self.client, known)
        if found is None:
            raise NotFound(
                what="memory of the project at", name=f"{place.root} (`--project NAME` names another)"
            )
        return found

    def index_facts(self, project: str) -> None:
        """Let recall see a project's facts as they are believed now. Call it after the change is committed."""
        from recall.run import index_facts

        index_facts(self.database, self.client, project)


@contextmanager
def opened() -> Iterator[Context]:
    """Open the database of the settings; closed at the end. Raises what the settings and the database raise."""
    from schema.database import Database
    from schema.migrate import require_current

    settings = load()
    if settings.home.exists():
        private_home(settings.home)
    at = addresses(settings)
    require_current(at.database_url)
    database = Database(at.database_url, pooled=False)
    try:
        yield Context(settings, at, database)
    finally:
        database.close()


def print_json(value: Any) -> None:
    """Print ``value`` for a script: times in ISO 8601, everything else as JSON has it."""
    text = json.dumps(value, ensure_ascii=False, default=_plain, indent=2)
    print(in_json(text))  # noqa: T201 - what --json is for


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
