"""What is looked for again and again is found by an index: what waits to be read, and what was rewritten.

A message keeps when it was made findable, so that nobody compares all of them with the index to find the new ones.
"""

from alembic import op

revision = "0022"
down_revision = "0024"


def upgrade() -> None:
    op.execute("ALTER TABLE messages ADD COLUMN indexed_at timestamptz")
    op.execute("""
        UPDATE messages m SET indexed_at = now() WHERE EXISTS (
            SELECT FROM search_units u WHERE u.client = m.client AND u.kind = 'message' AND u.ref = m.id::text)
    """)
    op.execute("CREATE INDEX messages_unindexed ON messages (client, project, at) WHERE indexed_at IS NULL")
    op.execute("DROP INDEX exchanges_unclassified")
    op.execute("""
        CREATE INDEX exchanges_unclassified ON exchanges (client, project, at) INCLUDE (chars)
        WHERE classified_at IS NULL AND role = 'person'
    """)
    op.execute("CREATE INDEX rewrites_by_new ON rewrites (client, project, new)")
    for column in ("item", "use_case", "merged_into"):
        op.execute(f"CREATE INDEX drafts_by_{column} ON drafts (client, {column}) WHERE {column} IS NOT NULL")
