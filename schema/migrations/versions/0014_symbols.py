"""What commits did to symbols and complexity; sessions whose evidence went; what is still to be indexed again."""

from alembic import op

from schema.security import protect

revision = "0014"
down_revision = "0012"

ORIGIN = """
            client text NOT NULL,
            id uuid NOT NULL,
            received_at timestamptz NOT NULL,
            project uuid NOT NULL,
            session uuid,
            event_id uuid NOT NULL,
            origin text NOT NULL,
            origin_version text,
            at timestamptz NOT NULL,
            clock text CHECK (clock IN ('future', 'past')),
            sha text NOT NULL,
            path text NOT NULL,
"""


def upgrade() -> None:
    _symbols()
    op.execute("SELECT limbeck_make_partitions(2)")
    op.execute("ALTER TABLE sessions ADD COLUMN evidence_dropped_at timestamptz")
    _reindex()


def _symbols() -> None:
    """One row a changed symbol, and one a changed file with the sums over all its functions."""
    _partitioned(
        "measures",
        """
            language text NOT NULL,
            complexity_before integer,
            complexity_after integer,
            functions_before integer,
            functions_after integer,
            symbols_total integer NOT NULL DEFAULT 0,
            broken boolean NOT NULL DEFAULT false,
            skipped text,
        """,
    )
    _partitioned(
        "symbols",
        """
            name text NOT NULL,
            kind text NOT NULL CHECK (kind IN ('function', 'method', 'class', 'type')),
            change text NOT NULL CHECK (change IN ('added', 'removed', 'changed')),
            first_line integer NOT NULL,
            last_line integer NOT NULL,
            complexity_before integer,
            complexity_after integer,
        """,
    )


def _partitioned(table: str, columns: str) -> None:
    op.execute(f"""
        CREATE TABLE {table} (
            {ORIGIN}
            {columns}
            PRIMARY KEY (client, id, received_at)
        ) PARTITION BY RANGE (received_at)
    """)
    op.execute(f"CREATE INDEX {table}_by_path ON {table} (client, project, path, at)")
    op.execute(f"CREATE INDEX {table}_by_time ON {table} (client, project, at)")
    op.execute(f"CREATE INDEX {table}_by_sha ON {table} (client, project, sha)")
    protect(op, table)


def _reindex() -> None:
    """Whose texts were cleaned and are not indexed anew yet, so that an interrupted purge can be finished."""
    op.execute("""
        CREATE TABLE reindex (
            client text NOT NULL REFERENCES clients,
            kind text NOT NULL CHECK (kind IN ('session', 'project')),
            ref uuid NOT NULL,
            cleaned_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (client, kind, ref)
        )
    """)
    protect(op, "reindex")
