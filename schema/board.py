"""The backlog as a board: the first items of each state, how many there are, and how far each use case is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

_ITEMS = text("""
    SELECT * FROM (
        SELECT i.type || i.serial AS number, i.type, i.title, i.state, u.type || u.serial AS use_case,
               count(*) OVER (PARTITION BY i.state) AS of_state,
               row_number() OVER (PARTITION BY i.state ORDER BY i.updated_at DESC, i.serial DESC) AS place
        FROM items i LEFT JOIN items u ON u.client = i.client AND u.id = i.parent
        WHERE i.client = :client AND i.project = :project AND i.archived_at IS NULL AND i.type <> 'US'
    ) AS placed WHERE place <= :most ORDER BY place
""")
_CASES = text("""
    SELECT u.type || u.serial AS number, u.title, u.state, count(i.id) AS items,
           count(i.id) FILTER (WHERE i.state = 'done') AS done, count(*) OVER () AS of_cases
    FROM items u LEFT JOIN items i ON i.client = u.client AND i.parent = u.id AND i.archived_at IS NULL
    WHERE u.client = :client AND u.project = :project AND u.type = 'US' AND u.archived_at IS NULL
    GROUP BY u.id, u.type, u.serial, u.title, u.state, u.position ORDER BY u.position, u.serial LIMIT :cases
""")
MOST_CASES = 200


@dataclass(frozen=True, slots=True)
class Board:
    """``items`` are the latest changed of each state, ``of_state`` how many each has.

    ``cases`` are the first use cases with their counts, ``of_cases`` is how many there are.
    """

    items: list[dict[str, Any]]
    of_state: dict[str, int]
    cases: list[dict[str, Any]]
    of_cases: int


def board(
    connection: Connection, client: str, project: str, *, most: int = 40, most_cases: int = MOST_CASES
) -> Board:
    """The board of a project with at most ``most`` items a state; what is archived is left out."""
    values = {"client": client, "project": project, "most": most, "cases": most_cases}
    items = [dict(row) for row in connection.execute(_ITEMS, values).mappings()]
    cases = [dict(row) for row in connection.execute(_CASES, values).mappings()]
    of_cases = cases[0]["of_cases"] if cases else 0
    return Board(items, {item["state"]: item["of_state"] for item in items}, cases, of_cases)
