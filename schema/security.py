"""Row security and grants, the same for every table that has a client."""

from __future__ import annotations

from typing import Any, Protocol

APPLICATION_ROLE = "limbeck_app"
OWN_ROWS = "client = current_setting('limbeck.client', true)"


class Executes(Protocol):
    """What alembic's ``op`` offers here."""

    def execute(self, sqltext: str) -> Any:
        """Run one statement."""


def protect(op: Executes, table: str, *, grants: str = "SELECT, INSERT, UPDATE, DELETE") -> None:
    """Force row security on ``table`` and give the application role ``grants`` on its own client's rows.

    A partitioned table is protected through its parent: partitions get no grant at all.
    """
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY own_rows ON {table} USING ({OWN_ROWS}) WITH CHECK ({OWN_ROWS})")
    op.execute(f"GRANT {grants} ON {table} TO {APPLICATION_ROLE}")
