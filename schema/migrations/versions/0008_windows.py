"""A plan made while a table was small is a bad one soon: the statistics of the busiest tables follow quickly."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    for table in ("ledger", "windows"):
        op.execute(
            f"ALTER TABLE {table} SET (autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 2000)"
        )
