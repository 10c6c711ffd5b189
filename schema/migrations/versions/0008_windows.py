"""Find a fingerprint's windows without reading everyone's of the same minutes: GiST cannot search for a list."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.execute("CREATE INDEX windows_by_fingerprint ON windows (client, fingerprint)")
    for table in ("ledger", "windows"):
        # A plan made while the table was small is a bad one soon, so its statistics follow quickly.
        op.execute(
            f"ALTER TABLE {table} SET (autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 2000)"
        )
