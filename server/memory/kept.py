"""What is remembered under keys as a person looks at it: every scope in reach at once; looking is not counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from server.memory.recalled import holding
from server.principal import Principal, Right

# Row security keeps other users' entries out; of what agents keep for themselves only whoever `remember` lets in reads.
_REACH = """
    r.client = :client AND r.forgotten_at IS NULL
      AND (cast(:projects AS uuid[]) IS NULL OR r.project IS NULL OR r.project = ANY(cast(:projects AS uuid[])))
      AND (:every_agent OR r.scope NOT LIKE 'agent:%' OR r.scope = :own_agent)
"""
_LIST = text(rf"""
    SELECT r.id::text AS id, r.scope, r.project::text AS project_id, p.name AS project, r.key, r.value, r.version,
           r.written_by, r.agent, r.created_at, r.updated_at, r.recalled, r.recalled_at
    FROM remembered r LEFT JOIN projects p ON p.client = r.client AND p.project = r.project
    WHERE {_REACH}
      AND (cast(:id AS uuid) IS NULL OR r.id = :id)
      AND (cast(:scope AS text) IS NULL OR r.scope = :scope)
      AND (:pattern = '' OR r.key ILIKE :pattern ESCAPE '\' OR r.value ILIKE :pattern ESCAPE '\')
      AND (cast(:after_at AS timestamptz) IS NULL
           OR (r.updated_at, r.id) < (cast(:after_at AS timestamptz), cast(:after_id AS uuid)))
    ORDER BY r.updated_at DESC, r.id DESC LIMIT :limit
""")  # noqa: S608 - constants of ours
_SCOPES = text(f"""
    SELECT r.scope, p.name AS project, count(*) AS entries
    FROM remembered r LEFT JOIN projects p ON p.client = r.client AND p.project = r.project
    WHERE {_REACH} GROUP BY r.scope, p.name ORDER BY r.scope <> 'global', p.name NULLS FIRST, r.scope
""")  # noqa: S608 - constants of ours


@dataclass(frozen=True, slots=True)
class Reach:
    """Whose entries: the principal's, in ``projects`` (None: every one)."""

    principal: Principal
    projects: Sequence[str] | None

    @property
    def values(self) -> dict[str, Any]:
        """What the statements name."""
        who = self.principal
        return {
            "client": who.client,
            "projects": None if self.projects is None else list(self.projects),
            "every_agent": who.agent is None and who.right is Right.ADMIN,
            "own_agent": f"agent:{who.agent}",
        }


def listed(
    connection: Connection,
    reach: Reach,
    *,
    scope: str | None = None,
    query: str = "",
    after: tuple[datetime, str] | None = None,
    limit: int = 50,
    only: str | None = None,
) -> list[dict[str, Any]]:
    """Entries, the latest written first; ``only`` is an id, ``query`` literal text, ``after`` ends the page before."""
    values = {
        "id": only,
        "scope": scope,
        "pattern": holding(query),
        "after_at": after[0] if after else None,
        "after_id": after[1] if after else None,
        "limit": limit,
    }
    return [dict(row) for row in connection.execute(_LIST, reach.values | values).mappings()]


def scopes(connection: Connection, reach: Reach) -> list[dict[str, Any]]:
    """The scopes that hold something, with how much."""
    return [dict(row) for row in connection.execute(_SCOPES, reach.values).mappings()]
