"""Visits of people with a browser, one-time links, and deletions that can still be undone.

A visit and a link name a token and hold the hash of a secret of their own, never the secret.
"""

from alembic import op

from schema.security import protect, protect_persons

revision = "0016"
down_revision = "0014"


def upgrade() -> None:
    columns = """
        client text NOT NULL REFERENCES clients,
        id text NOT NULL CHECK (id ~ '^[0-9a-f]{16}$'),
        hash bytea NOT NULL CHECK (length(hash) = 32),
        token text NOT NULL,
    """
    op.execute(f"""
        CREATE TABLE visits ({columns}
            created_at timestamptz NOT NULL,
            seen_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL,
            PRIMARY KEY (client, id),
            FOREIGN KEY (client, token) REFERENCES tokens ON DELETE CASCADE
        )
    """)
    op.execute(f"""
        CREATE TABLE visit_links ({columns}
            expires_at timestamptz NOT NULL,
            PRIMARY KEY (client, id),
            FOREIGN KEY (client, token) REFERENCES tokens ON DELETE CASCADE
        )
    """)
    op.execute("""
        CREATE TABLE held_deletions (
            client text NOT NULL REFERENCES clients,
            memory text NOT NULL,
            owner text NOT NULL CHECK (owner <> ''),
            token text NOT NULL,
            due_at timestamptz NOT NULL,
            PRIMARY KEY (client, memory),
            FOREIGN KEY (client, token) REFERENCES tokens ON DELETE CASCADE
        )
    """)
    for table in ("visits", "visit_links", "held_deletions"):
        protect(op, table)
    protect_persons(op, "held_deletions")
