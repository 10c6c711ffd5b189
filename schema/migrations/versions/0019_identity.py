"""What an event is known by is sixteen bytes in the indexes that every event passes: they stay small and quick.

A text of a hundred characters made the ledger's index several times as large, and GiST compares values of varying
length slowly. A fingerprint holds its project, so it needs no client beside it to be unique.
"""

from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.execute("ALTER TABLE ledger ADD COLUMN identity uuid GENERATED ALWAYS AS (md5(key)::uuid) STORED")
    op.execute("DROP INDEX ledger_identity")
    op.execute("""
        CREATE UNIQUE INDEX ledger_identity ON ledger (client, identity)
        WHERE disposition IN ('stored', 'merged')
    """)
    op.execute("ALTER TABLE windows DROP CONSTRAINT windows_client_fingerprint_span_excl")
    op.execute(
        "ALTER TABLE windows ALTER COLUMN fingerprint TYPE uuid USING encode(fingerprint, 'hex')::uuid"
    )
    op.execute("""
        ALTER TABLE windows ADD CONSTRAINT windows_apart
        EXCLUDE USING gist (fingerprint WITH =, span WITH &&)
    """)
