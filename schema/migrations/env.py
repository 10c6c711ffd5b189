"""Alembic's entry: one transaction, one migration at a time, the URL given by schema.migrate."""

from __future__ import annotations

from alembic import context
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.pool import NullPool

from schema.migrate import LOCK


def run() -> None:
    """Run the pending migrations in one transaction."""
    url = make_url(context.config.attributes["url"]).set(drivername="postgresql+psycopg")
    engine = create_engine(url, poolclass=NullPool)
    try:
        with engine.connect() as connection:
            context.configure(connection=connection, transaction_per_migration=False)
            with context.begin_transaction():
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
                context.run_migrations()
    finally:
        engine.dispose()


run()
