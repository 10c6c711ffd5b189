"""A message keeps when it was distilled: those that an older version only made findable are distilled now."""

from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.execute("ALTER TABLE messages ADD COLUMN told_at timestamptz")
    op.execute("CREATE INDEX messages_untold ON messages (client, project, at) WHERE told_at IS NULL")
