"""A commit keeps when it became findable and its message was read: older ones, and those replaced since, are found."""

from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.execute("ALTER TABLE commits ADD COLUMN read_at timestamptz")
    op.execute("CREATE INDEX commits_unread ON commits (client, project, at, id) WHERE read_at IS NULL")
