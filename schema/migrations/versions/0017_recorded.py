"""Events that are recorded on purpose, the question that an event answers, and the orders that lists are read in.

An event of a session is rewritten when the session is distilled again; one that somebody recorded stays as it was said.
The same words of a project are one event.
"""

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.execute("""
        ALTER TABLE events
            ADD COLUMN origin text NOT NULL DEFAULT 'session' CHECK (origin IN ('session', 'api')),
            ADD COLUMN author text,
            ADD COLUMN answered_by uuid
    """)
    op.execute("CREATE UNIQUE INDEX events_recorded ON events (client, project, key) WHERE origin = 'api'")
    op.execute("CREATE INDEX events_of_session ON events (client, session) WHERE session IS NOT NULL")
    op.execute("CREATE INDEX summaries_by_time ON session_summaries (client, project, at DESC, session DESC)")
    op.execute("""
        CREATE INDEX fact_current
        ON fact_versions (client, project, subject, attribute, scope, valid_from, version)
        WHERE retired_at IS NULL AND valid_to IS NULL
    """)
    op.execute("""
        CREATE INDEX fact_of_session ON fact_versions (client, session) WHERE retired_at IS NULL AND session IS NOT NULL
    """)
