"""Row security and grants, the same for every table that has a client, and the second wall around personal rows."""

from __future__ import annotations

from typing import Any, Protocol

APPLICATION_ROLE = "limbeck_app"
OWN_ROWS = "client = current_setting('limbeck.client', true)"
EVERYONE = "*"  # as limbeck.user: maintenance, which sees the personal rows of every user of a client
USER = "(SELECT current_setting('limbeck.user', true))"
# A personal row names its user; a shared one says ''. A search unit says it in its kind: ``memory:USER``.
OWN_PERSON = f"(owner = '' OR owner = {USER} OR {USER} = '{EVERYONE}')"
OWN_SHELF = (
    f"(strpos(kind, ':') = 0 OR substr(kind, strpos(kind, ':') + 1) = {USER} OR {USER} = '{EVERYONE}')"
)


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


def protect_persons(op: Executes, table: str, rule: str = OWN_PERSON) -> None:
    """Inside the client's wall, keep a user's personal rows of ``table`` to that user (``limbeck.user``).

    An unset user sees what is shared and nobody's personal rows.
    """
    op.execute(f"CREATE POLICY own_person ON {table} AS RESTRICTIVE USING ({rule}) WITH CHECK ({rule})")
