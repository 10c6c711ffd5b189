"""The last check of open work against the code: what an item names that was there, so that its going can be told."""

from alembic import op

from schema.security import protect

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.execute("""
        CREATE TABLE item_checks (
            client text NOT NULL,
            item uuid NOT NULL,
            project uuid NOT NULL,
            freshness text NOT NULL CHECK (freshness IN ('fresh', 'stale', 'unverifiable')),
            sha text NOT NULL,
            detail text NOT NULL DEFAULT '',
            files jsonb NOT NULL DEFAULT '{}',
            symbols text[] NOT NULL DEFAULT '{}',
            checked_at timestamptz NOT NULL,
            PRIMARY KEY (client, item),
            FOREIGN KEY (client, item) REFERENCES items (client, id) ON DELETE CASCADE
        )
    """)
    protect(op, "item_checks")
