"""The last check of each fact against the code, and what the last pass closed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection, text

from schema.facts import SELECT_FACTS, fact_of
from schema.records import Fact, Freshness


class Checked(Protocol):
    """What is kept of a check."""

    @property
    def fact(self) -> str:
        """Return the fact's id."""

    @property
    def freshness(self) -> Freshness:
        """Return what the check said."""

    @property
    def detail(self) -> str:
        """Return why, for people."""

    @property
    def hashes(self) -> Mapping[str, str]:
        """Return the content hashes of the files it looked at."""


def save(
    connection: Connection, client: str, project: str, sha: str, checks: Iterable[Checked], now: datetime
) -> None:
    """Keep each check as its fact's last one."""
    statement = text("""
        INSERT INTO fact_checks (client, fact, project, freshness, sha, detail, checked_at)
        VALUES (:client, :fact, :project, :freshness, :sha, :detail, :now)
        ON CONFLICT (client, fact) DO UPDATE
        SET freshness = excluded.freshness, sha = excluded.sha, detail = excluded.detail,
            checked_at = excluded.checked_at
    """)
    for check in checks:
        connection.execute(
            statement,
            {
                "client": client,
                "fact": check.fact,
                "project": project,
                "freshness": check.freshness.value,
                "sha": sha,
                "detail": json.dumps({"why": check.detail, "files": dict(check.hashes)}),
                "now": now,
            },
        )


def hashes(connection: Connection, client: str, project: str) -> dict[str, dict[str, str]]:
    """The content hashes each fact's files had at its last check."""
    statement = text(
        "SELECT fact::text, detail FROM fact_checks WHERE client = :client AND project = :project"
    )
    rows = connection.execute(statement, {"client": client, "project": project})
    return {row.fact: json.loads(row.detail or "{}").get("files", {}) for row in rows}


def last_pass(connection: Connection, client: str, project: str) -> datetime | None:
    """When the last pass over the project was, or None."""
    statement = text("SELECT max(checked_at) FROM fact_checks WHERE client = :client AND project = :project")
    found: datetime | None = connection.scalar(statement, {"client": client, "project": project})
    return found


def closed_at(connection: Connection, client: str, project: str, moment: datetime) -> tuple[Fact, ...]:
    """The facts that were closed in the pass at ``moment`` and still are."""
    statement = text(
        SELECT_FACTS
        + """
        WHERE client = :client AND project = :project AND retired_at IS NULL AND recorded_at = :moment
          AND valid_to > valid_from
        ORDER BY version
    """
    )
    values = {"client": client, "project": project, "moment": moment}
    return tuple(fact_of(row) for row in connection.execute(statement, values).mappings())
