"""A call is found by its key in the ledger; the mirror's own index of calls served no reader and cost every row."""

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.execute("DROP INDEX observations_by_call")
