"""Facts in doubt: somebody said that they have changed, and no one has decided yet what holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from schema.ids import whole_id

# The last one said counts; what is doubted waits in the review queue beside other proposals.
_DOUBTS = text("""
    SELECT DISTINCT ON (fact) fact::text AS fact, proposal ->> 'valid_from' AS at, proposal ->> 'statement' AS said
    FROM fact_flags
    WHERE client = :client AND fact = ANY(CAST(:facts AS uuid[])) AND state = 'open' AND proposal ->> 'doubt' = 'true'
    ORDER BY fact, CAST(proposal ->> 'valid_from' AS timestamptz) DESC
""")


@dataclass(frozen=True, slots=True)
class Doubt:
    """The sentence that speaks against a fact, and when it was said."""

    at: datetime
    said: str

    @property
    def told(self) -> str:
        """The doubt in a reader's words."""
        return f"said to have changed on {self.at:%Y-%m-%d}: «{self.said}»"


def doubts(connection: Connection, client: str, facts: Sequence[str]) -> dict[str, Doubt]:
    """Return what speaks against those of ``facts`` (whole ids) that are in doubt."""
    known = [fact for fact in facts if whole_id(fact)]
    if not known:
        return {}
    rows = connection.execute(_DOUBTS, {"client": client, "facts": known})
    return {row.fact: Doubt(datetime.fromisoformat(row.at), row.said) for row in rows}
