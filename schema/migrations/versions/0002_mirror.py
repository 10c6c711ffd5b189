"""The mirror: ledger, windows, quarantine and the partitioned evidence tables."""

from alembic import op

from schema.security import protect

revision = "0002"
down_revision = "0001"

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
"""


def upgrade() -> None:
    _ledger()
    _windows()
    _quarantine()
    _mirror()
    _redactions()
    op.execute("SELECT limbeck_make_partitions(2)")


def _ledger() -> None:
    op.execute("""
        CREATE TABLE ledger (
            client text NOT NULL REFERENCES clients,
            entry text NOT NULL,
            event_id uuid,
            key text,
            digest bytea,
            twins tstzrange,
            disposition text NOT NULL
                CHECK (disposition IN ('stored', 'merged', 'redelivered', 'quarantined')),
            kind text,
            mirror uuid,
            event_at timestamptz,
            recorded_at timestamptz NOT NULL DEFAULT now(),
            retained_until timestamptz,
            forgotten_at timestamptz,
            PRIMARY KEY (client, entry),
            EXCLUDE USING gist (client WITH =, digest WITH =, twins WITH &&)
                WHERE (digest IS NOT NULL AND disposition IN ('stored', 'merged'))
        )
    """)
    op.execute("""
        CREATE UNIQUE INDEX ledger_identity ON ledger (client, key)
        WHERE disposition IN ('stored', 'merged')
    """)
    op.execute("CREATE INDEX ledger_by_event ON ledger (client, event_id)")
    op.execute("CREATE INDEX ledger_by_mirror ON ledger (client, mirror)")
    protect(op, "ledger")
    op.execute("""
        CREATE TABLE ledger_counts (
            client text NOT NULL REFERENCES clients,
            disposition text NOT NULL,
            events bigint NOT NULL DEFAULT 0,
            PRIMARY KEY (client, disposition)
        )
    """)
    protect(op, "ledger_counts")


def _windows() -> None:
    op.execute("""
        CREATE TABLE windows (
            client text NOT NULL REFERENCES clients,
            observation uuid NOT NULL,
            fingerprint bytea NOT NULL,
            span tstzrange NOT NULL,
            received_at timestamptz NOT NULL,
            PRIMARY KEY (client, observation),
            EXCLUDE USING gist (client WITH =, fingerprint WITH =, span WITH &&)
        )
    """)
    protect(op, "windows")


def _quarantine() -> None:
    op.execute("""
        CREATE TABLE quarantine (
            client text NOT NULL,
            id uuid NOT NULL,
            entry text NOT NULL,
            event_id uuid,
            reason text NOT NULL,
            attempts integer NOT NULL,
            payload text,
            state text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'dropped')),
            quarantined_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (client, id),
            UNIQUE (client, entry),
            FOREIGN KEY (client, entry) REFERENCES ledger
        )
    """)
    protect(op, "quarantine")


def _mirror() -> None:
    _partitioned(
        "exchanges",
        """
            agent text NOT NULL,
            turn text,
            subagent text,
            subagent_type text,
            role text NOT NULL CHECK (role IN ('person', 'machine', 'reply', 'subagent', 'compaction')),
            text text NOT NULL,
            chars integer NOT NULL,
            cut boolean NOT NULL DEFAULT false,
            reason text,
        """,
    )
    _partitioned(
        "observations",
        """
            agent text NOT NULL,
            turn text,
            call text,
            subagent text,
            subagent_type text,
            tool text NOT NULL,
            server text,
            target text,
            shape text,
            outcome text NOT NULL CHECK (outcome IN ('ok', 'failed', 'unknown')),
            exit_code integer,
            ms integer,
            files text[] NOT NULL DEFAULT '{}',
            count integer NOT NULL DEFAULT 1,
            last_at timestamptz NOT NULL,
        """,
    )
    _partitioned(
        "commits",
        """
            sha text NOT NULL,
            parents text[] NOT NULL DEFAULT '{}',
            message text NOT NULL,
            author text,
            branch text,
            files jsonb NOT NULL DEFAULT '[]',
            manifests jsonb NOT NULL DEFAULT '[]',
            languages jsonb NOT NULL DEFAULT '{}',
            languages_before jsonb NOT NULL DEFAULT '{}',
            exchange uuid,
            link text CHECK (link IN ('environment', 'observation', 'time')),
            rewritten_to text,
        """,
    )
    _partitioned(
        "messages",
        """
            kind text NOT NULL CHECK (kind IN ('message', 'note')),
            title text NOT NULL DEFAULT '',
            text text NOT NULL,
            source text,
        """,
    )
    _partitioned(
        "code_observations",
        """
            sha text NOT NULL,
            commit uuid,
            path text NOT NULL,
            added integer,
            deleted integer,
        """,
    )
    op.execute(
        "CREATE INDEX observations_by_call ON observations (client, session, call) WHERE call IS NOT NULL"
    )
    op.execute("CREATE INDEX commits_by_sha ON commits (client, project, sha)")
    op.execute("CREATE INDEX code_observations_by_path ON code_observations (client, project, path, at)")


def _partitioned(table: str, columns: str) -> None:
    op.execute(f"""
        CREATE TABLE {table} (
            {ORIGIN}
            {columns}
            PRIMARY KEY (client, id, received_at)
        ) PARTITION BY RANGE (received_at)
    """)
    op.execute(f"CREATE INDEX {table}_by_session ON {table} (client, session, at)")
    op.execute(f"CREATE INDEX {table}_by_project ON {table} (client, project, at)")
    protect(op, table)


def _redactions() -> None:
    """What each net caught, by rule: never a value."""
    op.execute("""
        CREATE TABLE redactions (
            client text NOT NULL REFERENCES clients,
            net text NOT NULL CHECK (net IN ('hook', 'worker')),
            rule text NOT NULL,
            day date NOT NULL,
            hits bigint NOT NULL,
            PRIMARY KEY (client, net, rule, day)
        )
    """)
    protect(op, "redactions")
