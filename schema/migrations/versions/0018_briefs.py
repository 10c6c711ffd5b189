"""Which things a brief told of, so that what a session was given can be counted when it says which brief it got."""

from alembic import op

from schema.security import protect

revision = "0018"
down_revision = "0015"


def upgrade() -> None:
    op.execute("""
        CREATE TABLE briefs (
            client text NOT NULL,
            ident text NOT NULL,
            project uuid NOT NULL,
            refs text[] NOT NULL,
            made_at timestamptz NOT NULL,
            PRIMARY KEY (client, ident),
            FOREIGN KEY (client, project) REFERENCES projects ON DELETE CASCADE
        )
    """)
    protect(op, "briefs")
