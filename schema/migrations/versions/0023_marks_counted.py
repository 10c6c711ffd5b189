"""How many marks each project's bundle ever had: a count that only grows tells whether anything it shows changed."""

from alembic import op

from schema.security import protect

revision = "0023"
down_revision = "0020"


def upgrade() -> None:
    op.execute("""
        CREATE TABLE mark_counts (
            client text NOT NULL,
            project uuid NOT NULL,
            marks bigint NOT NULL,
            PRIMARY KEY (client, project),
            FOREIGN KEY (client, project) REFERENCES projects ON DELETE CASCADE
        )
    """)
    protect(op, "mark_counts")
    op.execute("CREATE INDEX bundle_marks_project ON bundle_marks (client, project)")
    op.execute("CREATE INDEX briefs_made ON briefs (client, made_at)")
