"""Progress: what was distilled but not yet indexed, and which commits were not yet proved, so that a sweep finds it."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.execute("ALTER TABLE sessions ADD COLUMN indexed_at timestamptz")
    op.execute("ALTER TABLE commits ADD COLUMN proved_at timestamptz")
    op.execute("CREATE INDEX commits_unproved ON commits (client, id) WHERE proved_at IS NULL")
    op.execute("""
        CREATE INDEX sessions_unindexed ON sessions (client, distilled_at)
        WHERE state = 'distilled' AND (indexed_at IS NULL OR indexed_at < distilled_at)
    """)
