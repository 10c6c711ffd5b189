"""Deletions that wait are each person's own: nobody's stands in the way of another's."""

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.execute("ALTER TABLE held_deletions DROP CONSTRAINT held_deletions_pkey")
    op.execute("ALTER TABLE held_deletions ADD PRIMARY KEY (client, memory, owner)")
