"""Facts of all projects are listed in their order by an index, however many there are."""

from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.execute("""
        CREATE INDEX facts_in_order ON fact_versions (client, subject, attribute, scope, valid_from, version)
        WHERE retired_at IS NULL
    """)
