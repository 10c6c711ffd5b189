"""Alembic's entry: one transaction, one migration at a time, the URL given by schema.migrate."""

from __future__ import annotations

from alembic import context
from sqlalchemy import text

from schema.database import owner
from schema.migrate import LOCK


def run() -> None:
    """Run the pending migrations in one transaction."""
    with owner(context.config.attributes["url"]) as engine, engine.connect() as connection:
        context.configure(connection=connection, transaction_per_migration=False)
        with context.begin_transaction():
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
            context.run_migrations()


run()
