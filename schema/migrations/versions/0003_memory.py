"""The memory: fact versions, flags, checks, events, session summaries and drafts."""

from alembic import op

from schema.security import protect

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    _facts()
    _around_facts()
    _events()
    _summaries()
    _drafts()


def _facts() -> None:
    """Append-only: the application may close a version's recorded time and (forget) delete, nothing else."""
    op.execute("""
        CREATE TABLE fact_versions (
            client text NOT NULL,
            version uuid NOT NULL,
            fact uuid NOT NULL,
            project uuid NOT NULL,
            subject text NOT NULL,
            attribute text NOT NULL,
            scope text NOT NULL DEFAULT '',
            cardinality text NOT NULL CHECK (cardinality IN ('one', 'many')),
            kind text NOT NULL,
            value text NOT NULL,
            value_key text NOT NULL,
            statement text NOT NULL,
            standing text NOT NULL CHECK (standing IN ('code', 'person', 'model')),
            valid_from timestamptz NOT NULL,
            valid_to timestamptz,
            recorded_at timestamptz NOT NULL DEFAULT now(),
            retired_at timestamptz,
            superseded_by uuid,
            reason text NOT NULL DEFAULT '',
            pinned boolean NOT NULL DEFAULT false,
            session uuid,
            evidence jsonb NOT NULL DEFAULT '[]',
            files text[] NOT NULL DEFAULT '{}',
            PRIMARY KEY (client, version),
            FOREIGN KEY (client, project) REFERENCES projects,
            CHECK (valid_to IS NULL OR valid_to >= valid_from),
            CHECK (retired_at IS NULL OR retired_at >= recorded_at)
        )
    """)
    op.execute("""
        CREATE UNIQUE INDEX fact_one_current ON fact_versions (client, project, subject, attribute, scope)
        WHERE retired_at IS NULL AND valid_to IS NULL AND cardinality = 'one'
    """)
    op.execute("""
        CREATE UNIQUE INDEX fact_many_current
        ON fact_versions (client, project, subject, attribute, scope, value_key)
        WHERE retired_at IS NULL AND valid_to IS NULL AND cardinality = 'many'
    """)
    op.execute("CREATE UNIQUE INDEX fact_believed ON fact_versions (client, fact) WHERE retired_at IS NULL")
    op.execute(
        "CREATE INDEX fact_history ON fact_versions (client, project, subject, attribute, scope, recorded_at)"
    )
    op.execute("CREATE INDEX fact_lives ON fact_versions (client, fact, recorded_at)")
    protect(op, "fact_versions", grants="SELECT, INSERT, DELETE, UPDATE (retired_at)")


def _around_facts() -> None:
    op.execute("""
        CREATE TABLE fact_flags (
            client text NOT NULL,
            id uuid NOT NULL,
            project uuid NOT NULL,
            fact uuid NOT NULL,
            key text NOT NULL,
            proposal jsonb NOT NULL,
            reason text NOT NULL,
            state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'rejected')),
            flagged_at timestamptz NOT NULL DEFAULT now(),
            decided_at timestamptz,
            decided_by text,
            PRIMARY KEY (client, id),
            UNIQUE (client, fact, key),
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    op.execute(
        "CREATE INDEX fact_flags_open ON fact_flags (client, project, flagged_at) WHERE state = 'open'"
    )
    protect(op, "fact_flags")
    op.execute("""
        CREATE TABLE fact_checks (
            client text NOT NULL,
            fact uuid NOT NULL,
            project uuid NOT NULL,
            freshness text NOT NULL CHECK (freshness IN ('fresh', 'stale', 'unverifiable')),
            sha text,
            detail text NOT NULL DEFAULT '',
            checked_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (client, fact),
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    protect(op, "fact_checks")


def _events() -> None:
    op.execute("""
        CREATE TABLE events (
            client text NOT NULL,
            id uuid NOT NULL,
            project uuid NOT NULL,
            session uuid,
            key text NOT NULL,
            kind text NOT NULL,
            title text NOT NULL,
            text text NOT NULL,
            at timestamptz NOT NULL,
            recorded_at timestamptz NOT NULL DEFAULT now(),
            evidence jsonb NOT NULL DEFAULT '[]',
            files text[] NOT NULL DEFAULT '{}',
            PRIMARY KEY (client, id),
            UNIQUE (client, project, session, key),
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    op.execute("CREATE INDEX events_by_time ON events (client, project, at DESC)")
    protect(op, "events")


def _summaries() -> None:
    op.execute("""
        CREATE TABLE session_summaries (
            client text NOT NULL,
            session uuid NOT NULL,
            id uuid NOT NULL,
            project uuid NOT NULL,
            title text NOT NULL,
            text text NOT NULL,
            distiller text NOT NULL,
            started_at timestamptz NOT NULL,
            at timestamptz NOT NULL,
            distilled_at timestamptz NOT NULL DEFAULT now(),
            evidence jsonb NOT NULL DEFAULT '[]',
            files text[] NOT NULL DEFAULT '{}',
            PRIMARY KEY (client, session),
            UNIQUE (client, id),
            FOREIGN KEY (client, session) REFERENCES sessions,
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    protect(op, "session_summaries")


def _drafts() -> None:
    op.execute("""
        CREATE TABLE drafts (
            client text NOT NULL,
            id uuid NOT NULL,
            project uuid NOT NULL,
            session uuid,
            key text NOT NULL,
            type text NOT NULL CHECK (type IN ('US', 'FE', 'BU', 'TA', 'PO', 'RE')),
            title text NOT NULL,
            text text NOT NULL,
            state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'approved', 'rejected', 'merged')),
            created_at timestamptz NOT NULL DEFAULT now(),
            evidence jsonb NOT NULL DEFAULT '[]',
            PRIMARY KEY (client, id),
            UNIQUE (client, project, key),
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    protect(op, "drafts")
