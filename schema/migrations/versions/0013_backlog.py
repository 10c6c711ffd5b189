"""The backlog: items with their numbers, history and work log; drafts know their use case and what became of them."""

from alembic import op

from schema.security import protect

revision = "0013"
down_revision = "0011"


def upgrade() -> None:
    _items()
    _numbers()
    _history()
    _work_log()
    _drafts()
    _unclassified()


def _items() -> None:
    """A use case has no parent; whatever has one belongs to a use case (backlog.items sees to it, under its lock)."""
    op.execute("""
        CREATE TABLE items (
            client text NOT NULL,
            id uuid NOT NULL,
            project uuid NOT NULL,
            type text NOT NULL CHECK (type IN ('US', 'FE', 'BU', 'TA', 'PO', 'RE')),
            serial integer NOT NULL,
            parent uuid,
            title text NOT NULL CHECK (title <> ''),
            text text NOT NULL DEFAULT '',
            state text NOT NULL DEFAULT 'open'
                CHECK (state IN ('open', 'pending', 'in-progress', 'review', 'done')),
            position integer NOT NULL DEFAULT 0,
            version integer NOT NULL DEFAULT 1,
            archived_at timestamptz,
            archive_reason text NOT NULL DEFAULT '',
            created_at timestamptz NOT NULL DEFAULT now(),
            updated_at timestamptz NOT NULL DEFAULT now(),
            evidence jsonb NOT NULL DEFAULT '[]',
            PRIMARY KEY (client, id),
            UNIQUE (client, project, type, serial),
            FOREIGN KEY (client, project) REFERENCES projects,
            FOREIGN KEY (client, parent) REFERENCES items (client, id),
            CHECK (type <> 'US' OR parent IS NULL)
        )
    """)
    op.execute("CREATE INDEX items_by_parent ON items (client, parent, position) WHERE parent IS NOT NULL")
    protect(op, "items")


def _numbers() -> None:
    """The last number given, by project and type: it only grows, also where an item is forgotten."""
    op.execute("""
        CREATE TABLE item_numbers (
            client text NOT NULL,
            project uuid NOT NULL,
            type text NOT NULL,
            last integer NOT NULL,
            PRIMARY KEY (client, project, type),
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    protect(op, "item_numbers")


def _history() -> None:
    """Append-only: one row a version, with what it changed as {field: [before, after]}."""
    op.execute("""
        CREATE TABLE item_history (
            client text NOT NULL,
            item uuid NOT NULL,
            version integer NOT NULL,
            at timestamptz NOT NULL,
            by text NOT NULL,
            action text NOT NULL,
            changes jsonb NOT NULL DEFAULT '{}',
            reason text NOT NULL DEFAULT '',
            PRIMARY KEY (client, item, version),
            FOREIGN KEY (client, item) REFERENCES items (client, id) ON DELETE CASCADE
        )
    """)
    protect(op, "item_history", grants="SELECT, INSERT, DELETE")


def _work_log() -> None:
    """One row a delivery, read from the item and from the use case that it belonged to then."""
    op.execute("""
        CREATE TABLE work_log (
            client text NOT NULL,
            id uuid NOT NULL,
            project uuid NOT NULL,
            item uuid NOT NULL,
            use_case uuid,
            at timestamptz NOT NULL,
            recorded_at timestamptz NOT NULL DEFAULT now(),
            by text NOT NULL,
            origin text NOT NULL CHECK (origin IN ('person', 'agent', 'commit')),
            outcome text NOT NULL DEFAULT '',
            tests text NOT NULL DEFAULT '',
            review text NOT NULL DEFAULT '',
            score integer CHECK (score BETWEEN 0 AND 100),
            seconds integer CHECK (seconds >= 0),
            commit text,
            session uuid,
            PRIMARY KEY (client, id),
            FOREIGN KEY (client, item) REFERENCES items (client, id) ON DELETE CASCADE,
            FOREIGN KEY (client, use_case) REFERENCES items (client, id) ON DELETE SET NULL (use_case)
        )
    """)
    op.execute(
        "CREATE UNIQUE INDEX work_log_one_commit ON work_log (client, item, commit) WHERE commit IS NOT NULL"
    )
    op.execute("CREATE INDEX work_log_by_item ON work_log (client, item, at)")
    op.execute(
        "CREATE INDEX work_log_by_use_case ON work_log (client, use_case, at) WHERE use_case IS NOT NULL"
    )
    op.execute(
        "CREATE INDEX work_log_by_commit ON work_log (client, project, commit) WHERE commit IS NOT NULL"
    )
    protect(op, "work_log")


def _drafts() -> None:
    """What a distiller wrote is offered first; it is a draft once it was compared with what is known."""
    op.execute("ALTER TABLE drafts DROP CONSTRAINT drafts_state_check")
    op.execute("""
        ALTER TABLE drafts
            ALTER COLUMN state SET DEFAULT 'offered',
            ADD CONSTRAINT drafts_state_check
                CHECK (state IN ('offered', 'draft', 'approved', 'rejected', 'merged')),
            ADD COLUMN parent uuid,
            ADD COLUMN use_case uuid,
            ADD COLUMN item uuid,
            ADD COLUMN merged_into uuid,
            ADD COLUMN origin text NOT NULL DEFAULT 'session'
                CHECK (origin IN ('session', 'classified', 'person', 'agent')),
            ADD COLUMN by text NOT NULL DEFAULT '',
            ADD COLUMN reason text NOT NULL DEFAULT '',
            ADD COLUMN version integer NOT NULL DEFAULT 1,
            ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
            ADD COLUMN decided_at timestamptz,
            ADD COLUMN decided_by text,
            ADD FOREIGN KEY (client, parent) REFERENCES drafts (client, id) ON DELETE SET NULL (parent),
            ADD FOREIGN KEY (client, merged_into) REFERENCES drafts (client, id) ON DELETE SET NULL (merged_into),
            ADD FOREIGN KEY (client, use_case) REFERENCES items (client, id) ON DELETE SET NULL (use_case),
            ADD FOREIGN KEY (client, item) REFERENCES items (client, id) ON DELETE SET NULL (item)
    """)
    op.execute("CREATE INDEX drafts_by_state ON drafts (client, project, state, created_at)")
    op.execute("CREATE INDEX drafts_offered ON drafts (client, created_at) WHERE state = 'offered'")
    op.execute("CREATE INDEX drafts_by_parent ON drafts (client, parent) WHERE parent IS NOT NULL")


def _unclassified() -> None:
    """What classification has not read yet."""
    for table, only in (("exchanges", " AND role = 'person'"), ("commits", ""), ("messages", "")):
        op.execute(f"ALTER TABLE {table} ADD COLUMN classified_at timestamptz")
        op.execute(
            f"CREATE INDEX {table}_unclassified ON {table} (client, project, at) WHERE classified_at IS NULL{only}"
        )
