"""Spend: model calls with what they cost, and the totals that a reservation is checked against.

Money is whole millionths of a US dollar. A call is reserved before it is made: the totals move by its highest price in
the same statement that compares them with the cap, so parallel workers cannot pass it together.
"""

from alembic import op

from schema.security import protect

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.execute("""
        CREATE TABLE model_calls (
            client text NOT NULL,
            id uuid NOT NULL,
            project uuid NOT NULL,
            session uuid,
            day date NOT NULL,
            model text NOT NULL,
            state text NOT NULL CHECK (state IN ('reserved', 'settled', 'released', 'unknown')),
            reserved_microusd bigint NOT NULL,
            reserved_tokens bigint NOT NULL,
            microusd bigint NOT NULL DEFAULT 0,
            input_tokens bigint NOT NULL DEFAULT 0,
            output_tokens bigint NOT NULL DEFAULT 0,
            cache_read_tokens bigint NOT NULL DEFAULT 0,
            cache_write_tokens bigint NOT NULL DEFAULT 0,
            outcome text NOT NULL DEFAULT '',
            started_at timestamptz NOT NULL,
            settled_at timestamptz,
            PRIMARY KEY (client, id),
            FOREIGN KEY (client, project) REFERENCES projects
        )
    """)
    op.execute("CREATE INDEX model_calls_by_day ON model_calls (client, day, started_at)")
    op.execute("""
        CREATE TABLE spend_totals (
            client text NOT NULL,
            scope text NOT NULL,
            microusd bigint NOT NULL DEFAULT 0,
            tokens bigint NOT NULL DEFAULT 0,
            calls bigint NOT NULL DEFAULT 0,
            PRIMARY KEY (client, scope)
        )
    """)
    protect(op, "model_calls", grants="SELECT, INSERT, UPDATE, DELETE")
    protect(op, "spend_totals", grants="SELECT, INSERT, UPDATE, DELETE")
