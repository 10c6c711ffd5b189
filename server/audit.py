"""The audit log: who changed what, with which outcome, never the content."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import text

from schema.database import Database
from schema.errors import LimbeckError
from schema.ids import new_id
from server.principal import Principal

log = logging.getLogger("limbeck.audit")
MOST_IDS = 50
DEEPEST = 2
# Tokens' ids, TypeIDs, UUIDs and backlog numbers: what cannot be anybody's words.
ID = re.compile(
    r"[0-9a-f]{16}|[a-z]{1,8}_[0-9a-z]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{2}[0-9]{1,9}"
)
WORDS = frozenset(
    {"content", "key", "q", "query", "snippet", "text", "value"}
)  # somebody's words, whatever they look like
_ADD = text("""
    INSERT INTO audit (client, id, at, token, user_name, agent, via, operation, ids, outcome)
    VALUES (:client, cast(:id AS uuid), :at, :token, :user, :agent, :via, :operation, :ids, :outcome)
""")


def ids_in(*values: Mapping[str, Any]) -> list[str]:
    """Return the ids that stand in ``values``, each once, in their order, at most 50."""
    found = (one for value in values for one in _ids(value))
    return list(dict.fromkeys(islice(found, MOST_IDS)))


def _ids(value: Any, depth: int = 0) -> Iterator[str]:
    """The ids near the top: what lies deeper is content."""
    if isinstance(value, str):
        if ID.fullmatch(value):
            yield value
    elif isinstance(value, Mapping) and depth < DEEPEST:
        for inner in value.values():
            yield from _ids(inner, depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _ids(inner, depth)


def note(
    database: Database,
    principal: Principal,
    operation: str,
    *,
    via: str,
    at: datetime,
    ids: list[str],
    outcome: str,
) -> None:
    """Write one line to the log and one row to the table; a database that is down leaves the line alone."""
    who = {
        "client": principal.client,
        "token": principal.token,
        "user": principal.user,
        "agent": principal.agent,
    }
    what = {"via": via, "operation": operation, "ids": ids, "outcome": outcome}
    log.info("%s", json.dumps(who | what))
    try:
        with database.tenant(principal.client) as connection:
            connection.execute(_ADD, who | what | {"id": new_id(), "at": at})
    except LimbeckError as error:
        log.warning("the audit table was not reached: %s", error)
