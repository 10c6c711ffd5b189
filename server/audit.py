"""The audit log: who changed what, with which outcome, never the content."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain, islice
from typing import Any

from pydantic import BaseModel
from sqlalchemy import text

from schema.database import Database
from schema.errors import LimbeckError
from schema.ids import new_id
from server.principal import Principal

log = logging.getLogger("limbeck.audit")
MOST_IDS = 50
DEEPEST = 2
# Tokens' ids, TypeIDs, UUIDs and backlog numbers. Words may look like one, so only what stands under NAMES counts.
ID = re.compile(
    r"[0-9a-f]{16}|[a-z]{1,8}_[0-9a-z]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{2}[0-9]{1,9}"
)
# Under ``setting`` alone, where the server itself says what it changed.
SETTING = re.compile(r"[a-z][a-z_]{1,60}")
NAMES = frozenset(
    {
        "answered_by",
        "fact",
        "id",
        "into",
        "item",
        "items",
        "memory",
        "merged_into",
        "number",
        "parent",
        "project",
        "project_id",
        "projects",
        "revoked",
        "session",
        "superseded_by",
        "use_case",
    }
)
_ADD = text("""
    INSERT INTO audit (client, id, at, token, user_name, agent, via, operation, ids, outcome)
    VALUES (:client, cast(:id AS uuid), :at, :token, :user, :agent, :via, :operation, :ids, :outcome)
    ON CONFLICT DO NOTHING
""")


def ids_in(model: type[BaseModel], given: Mapping[str, Any], result: BaseModel | None = None) -> list[str]:
    """Return the ids a use was about, each once, at most 50.

    From what was ``given`` the fields of the input ``model`` alone, by either of their names, and from the ``result``;
    of both only what NAMES has.
    """
    asked = (
        value
        for name, field in model.model_fields.items()
        if name in NAMES
        for value in (given.get(name), given.get(field.alias or name))
    )
    told = () if result is None else _named(result, 0)
    changed = _like(SETTING, getattr(result, "setting", None))
    found = chain(chain.from_iterable(_like(ID, one) for one in chain(asked, told)), changed)
    return list(dict.fromkeys(islice(found, MOST_IDS)))


def _named(model: BaseModel, depth: int) -> Iterator[Any]:
    """What stands under NAMES near the top of an answer: what lies deeper is content."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        if name in NAMES:
            yield value
        if depth < DEEPEST:
            for inner in value if isinstance(value, list | tuple) else (value,):
                if isinstance(inner, BaseModel):
                    yield from _named(inner, depth + 1)


def _like(shape: re.Pattern[str], value: Any) -> Iterable[str]:
    values = value if isinstance(value, list | tuple) else (value,)
    return (one for one in values if isinstance(one, str) and shape.fullmatch(one))


def note(
    database: Database,
    principal: Principal,
    operation: str,
    *,
    via: str,
    at: datetime,
    ids: list[str],
    outcome: str,
    ident: str | None = None,
) -> bool:
    """Write one line to the log and one row to the table; a database that is down leaves the line alone.

    ``ident`` is the row's id, where the same may be told twice. Returns whether the row is there.
    """
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
            connection.execute(_ADD, who | what | {"id": ident or new_id(), "at": at})
        return True
    except LimbeckError as error:
        log.warning("the audit table was not reached: %s", error)
        return False
