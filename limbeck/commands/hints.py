"""What to know where the memory seems to lack something: sessions that nobody has distilled yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limbeck.show import counted

if TYPE_CHECKING:
    from sqlalchemy import Connection


def not_distilled(connection: Connection, client: str, project: str | None, idle_minutes: float) -> str:
    """Return a sentence on the sessions of ``project`` (None: of all) that have come to no facts yet; "" where none."""
    from sqlalchemy import text

    statement = text("""
        SELECT count(*) FILTER (WHERE state = 'ended') AS waiting, count(*) FILTER (WHERE state <> 'ended') AS open
        FROM sessions WHERE client = :client AND state <> 'distilled'
          AND (cast(:project AS uuid) IS NULL OR project = :project)
    """)
    row = connection.execute(statement, {"client": client, "project": project}).one()
    return sentence(row.waiting, row.open, idle_minutes)


def sentence(waiting: int, still_open: int, idle_minutes: float) -> str:
    """Return what to say of sessions that wait for the distiller and of those that go on; "" where there are none."""
    if not waiting + still_open:
        return ""
    parts = []
    if waiting:
        parts.append(f"{waiting} {'waits' if waiting == 1 else 'wait'} for the distiller")
    if still_open:
        quiet = f"{idle_minutes:g} minutes after its last event"
        parts.append(
            f"{still_open} {'is' if still_open == 1 else 'are'} still open (each is distilled {quiet})"
        )
    verb = "is" if waiting + still_open == 1 else "are"
    return f"{counted(waiting + still_open, 'session')} {verb} not distilled yet: {', '.join(parts)}."
