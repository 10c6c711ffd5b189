"""The owner's way to the database."""

from __future__ import annotations

import pytest
from alembic.script import ScriptDirectory

from schema.database import owner
from schema.errors import DatabaseUnavailable
from schema.migrate import MIGRATIONS, check, revisions


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    with (
        pytest.raises(DatabaseUnavailable, match="does not answer"),
        owner("postgresql://127.0.0.1:1/x") as engine,
        engine.connect(),
    ):
        pass
    with pytest.raises(DatabaseUnavailable, match="does not answer"):
        check("postgresql://127.0.0.1:1/x")


def test_the_migrations_are_read_as_alembic_reads_them() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    assert revisions() == (
        {script.revision for script in scripts.walk_revisions()},
        scripts.get_current_head(),
    )
