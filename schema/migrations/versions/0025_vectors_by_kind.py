"""Vectors of some kinds alone (a person's memories, facts) are found by an index, not by reading all there are."""

from alembic import op

revision = "0025"
down_revision = "0022"


def upgrade() -> None:
    op.execute("CREATE INDEX search_vectors_by_kind ON search_vectors (client, kind, project)")
