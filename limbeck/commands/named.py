"""Ids by their beginnings: what `limbeck` lists with eight characters it also takes with eight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from schema.errors import ManyMeant
from schema.ids import FEWEST

if TYPE_CHECKING:
    from sqlalchemy import Connection

# Where ids live: table and column.
QUARANTINE = (("quarantine", "id"),)
SESSIONS = (("sessions", "session"),)
_MIRROR = ("exchanges", "observations", "commits", "messages", "code_observations", "measures", "symbols")
_SAVED = ("items", "passages", "memories", "remembered", "documents", "fact_flags")
ANYTHING = (
    ("fact_versions", "fact"),
    ("events", "id"),
    ("session_summaries", "id"),
    ("drafts", "id"),
    *SESSIONS,
    *((name, "id") for name in (*_MIRROR, *_SAVED)),
)


def whole(connection: Connection, client: str, start: str, places: Sequence[tuple[str, str]]) -> str:
    """Return the one id in ``places`` that begins with ``start``, else ``start`` as it is. Raises ManyMeant."""
    from sqlalchemy import column, table, text

    digits = start.lower().replace("-", "")
    if not FEWEST <= len(digits) < 32 or set(digits) - set("0123456789abcdef"):
        return start
    ends = {"low": digits.ljust(32, "0"), "high": digits.ljust(32, "f")}
    reach = text("client = :client AND its_id BETWEEN cast(:low AS uuid) AND cast(:high AS uuid)")
    found: set[str] = set()
    for name, its_id in places:
        where = text(reach.text.replace("its_id", its_id))
        statement = table(name, column(its_id)).select().where(where).distinct().limit(4)
        found |= {str(row[0]) for row in connection.execute(statement, {"client": client, **ends})}
    if len(found) > 1:
        raise ManyMeant(start=start, ids=", ".join(sorted(found)[:4]))
    return found.pop() if found else start
