"""Migrations: forward only, run by ``limbeck up`` and ``limbeck migrate`` as the owner."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from schema.database import owner
from schema.errors import SchemaNotMigrated, SchemaTooNew

LOCK = 0x6C696D6265636B  # one migration at a time on a server


class State(StrEnum):
    """How a database's schema compares with this version's."""

    CURRENT = "current"
    OLDER = "older"
    EMPTY = "empty"
    NEWER = "newer"


def _config(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["url"] = url
    return config


def check(url: str) -> State:
    """Compare the database at ``url`` with this version. Raises DatabaseUnavailable."""
    scripts = ScriptDirectory.from_config(_config(url))
    with owner(url) as engine, engine.connect() as connection:
        revision = MigrationContext.configure(connection).get_current_revision()
    if revision is None:
        return State.EMPTY
    if revision == scripts.get_current_head():
        return State.CURRENT
    known = {script.revision for script in scripts.walk_revisions()}
    return State.OLDER if revision in known else State.NEWER


def upgrade(url: str) -> State:
    """Bring the database at ``url`` (the owner's) to this version's schema; return what it was before.

    Raises SchemaTooNew for a database made by a newer version, DatabaseUnavailable where nothing answers.
    """
    before = check(url)
    if before is State.NEWER:
        raise SchemaTooNew
    if before is not State.CURRENT:
        command.upgrade(_config(url), "head")
    return before


def require_current(url: str) -> None:
    """Raise SchemaTooNew or SchemaNotMigrated unless the database has this version's schema."""
    state = check(url)
    if state is State.NEWER:
        raise SchemaTooNew
    if state is not State.CURRENT:
        raise SchemaNotMigrated(state=state.value)
