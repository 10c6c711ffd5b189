"""Migrations: forward only, run by ``limbeck up`` and ``limbeck migrate`` as the owner."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from schema.database import owner
from schema.errors import SchemaNotMigrated, SchemaTooNew

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"
NO_SUCH_TABLE = "42P01"
_REVISION = re.compile(r'(?m)^(down_revision|revision) = (?:"(\w+)"|None)$')
LOCK = 0x6C696D6265636B  # one migration at a time on a server


class State(StrEnum):
    """How a database's schema compares with this version's."""

    CURRENT = "current"
    OLDER = "older"
    EMPTY = "empty"
    NEWER = "newer"


def check(url: str) -> State:
    """Compare the database at ``url`` with this version. Raises DatabaseUnavailable.

    Every process asks this when it starts, so Alembic, ten megabytes, is only loaded to migrate.
    """
    with owner(url) as engine, engine.connect() as connection:
        try:
            revision = connection.scalar(text("SELECT version_num FROM alembic_version"))
        except ProgrammingError as error:
            if getattr(error.orig, "sqlstate", None) != NO_SUCH_TABLE:
                raise
            revision = None
    if revision is None:
        return State.EMPTY
    known, head = revisions()
    if revision == head:
        return State.CURRENT
    return State.OLDER if revision in known else State.NEWER


def revisions() -> tuple[set[str], str]:
    """Return the names of this version's migrations, and of the last one."""
    found = [dict(_REVISION.findall(path.read_text("utf-8"))) for path in MIGRATIONS.glob("versions/*.py")]
    names = {one["revision"] for one in found}
    (head,) = names - {one["down_revision"] for one in found}
    return names, head


def upgrade(url: str) -> State:
    """Bring the database at ``url`` (the owner's) to this version's schema; return what it was before.

    Raises SchemaTooNew for a database made by a newer version, DatabaseUnavailable where nothing answers.
    """
    before = check(url)
    if before is State.NEWER:
        raise SchemaTooNew
    if before is not State.CURRENT:
        from alembic import command

        command.upgrade(_config(url), "head")
    return before


def _config(url: str) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["url"] = url
    return config


def require_current(url: str) -> None:
    """Raise SchemaTooNew or SchemaNotMigrated unless the database has this version's schema."""
    state = check(url)
    if state is State.NEWER:
        raise SchemaTooNew
    if state is not State.CURRENT:
        raise SchemaNotMigrated(state=state.value)
