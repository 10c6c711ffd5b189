"""What became of commits that were replaced, and of mirror rows that were kept no longer."""

from alembic import op

from schema.security import protect

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.execute("""
        CREATE TABLE rewrites (
            client text NOT NULL REFERENCES clients,
            project uuid NOT NULL,
            old text NOT NULL,
            new text NOT NULL,
            recorded_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (client, project, old),
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    protect(op, "rewrites")
    op.execute("""
        CREATE TABLE retentions (
            client text NOT NULL REFERENCES clients,
            partition text NOT NULL,
            received_from timestamptz NOT NULL,
            received_to timestamptz NOT NULL,
            mirror_rows bigint NOT NULL,
            dropped_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (client, partition)
        )
    """)
    protect(op, "retentions", grants="SELECT")
