"""Patience: when a session that could not be distilled may be tried again."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.execute("ALTER TABLE sessions ADD COLUMN distil_after timestamptz")
