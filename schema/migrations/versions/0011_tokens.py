"""Tokens, and the audit log of what was changed with them.

A token is looked up before anybody is signed in, and yet under row security: it names its client, the lookup sees that
client's rows alone, and the secret in it decides. The log can be written and read, never rewritten.
"""

from alembic import op

from schema.security import protect

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.execute("""
        CREATE TABLE tokens (
            client text NOT NULL REFERENCES clients,
            id text NOT NULL CHECK (id ~ '^[0-9a-f]{16}$'),
            hash bytea NOT NULL CHECK (length(hash) = 32),
            name text NOT NULL,
            user_name text NOT NULL,
            agent text,
            projects uuid[],
            may text NOT NULL CHECK (may IN ('read', 'write', 'admin')),
            created_at timestamptz NOT NULL,
            expires_at timestamptz,
            revoked_at timestamptz,
            used_at timestamptz,
            PRIMARY KEY (client, id)
        )
    """)
    op.execute("""
        CREATE TABLE audit (
            client text NOT NULL REFERENCES clients,
            id uuid NOT NULL,
            at timestamptz NOT NULL,
            token text,
            user_name text NOT NULL,
            agent text,
            via text NOT NULL,
            operation text NOT NULL,
            ids text[] NOT NULL,
            outcome text NOT NULL,
            PRIMARY KEY (client, id)
        )
    """)
    op.execute("CREATE INDEX audit_by_time ON audit (client, at DESC)")
    protect(op, "tokens", grants="SELECT, INSERT, UPDATE")
    protect(op, "audit", grants="SELECT, INSERT")
