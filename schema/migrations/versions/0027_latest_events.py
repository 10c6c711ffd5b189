"""The latest events of all projects are found by an index, however many there are."""

from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.execute("CREATE INDEX events_latest ON events (client, at DESC, id DESC)")
