"""What was done: deliveries, once for each item and commit, also where a commit was amended or rebased."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from backlog import store
from backlog.clean import clean
from backlog.errors import BadValue, NothingTold, NotThere
from schema.backlog import SELECT_WORK, Item, WorkEntry
from schema.ids import new_id

LONGEST = 4_000
SHORTEST = 7  # characters of a commit's hash
_HASH = re.compile(rf"[0-9a-f]{{{SHORTEST},64}}\Z")


@dataclass(frozen=True, slots=True)
class Work:
    """What there is to tell of a delivery; ``seconds`` is how long it took, ``score`` 0 to 100."""

    outcome: str = ""
    tests: str = ""
    review: str = ""
    score: int | None = None
    seconds: int | None = None
    commit: str | None = None
    session: str | None = None
    at: datetime | None = None


def add(
    connection: Connection,
    client: str,
    project: str,
    number: str,
    told: Work,
    *,
    by: str,
    origin: str,
    now: datetime,
) -> tuple[WorkEntry, bool]:
    """Note a delivery on an item, and so on its use case; return the entry, and whether it is new.

    An entry of the same commit is not repeated: what it does not tell yet is filled in, and what a bare commit said
    gives way to a person's or an agent's words. Raises NoSuchItem, NothingTold, BadValue.
    """
    item = store.hold(connection, client, project, number)
    return note(connection, client, item, told, by=by, origin=origin, now=now)


def note(
    connection: Connection, client: str, item: Item, told: Work, *, by: str, origin: str, now: datetime
) -> tuple[WorkEntry, bool]:
    """``add`` for an item that is locked already."""
    commit = whole_commit(connection, client, item.project, told.commit) if told.commit else None
    if not (told.outcome.strip() or commit):
        raise NothingTold
    values = _checked(told) | {"commit": commit, "by": by, "origin": origin}
    known = _of_commit(connection, client, item.id, commit) if commit else None
    if known is not None:
        _fill(connection, client, known, values)
        return _entry(connection, client, known["id"]), False
    identifier = new_id()
    connection.execute(
        text("""
            INSERT INTO work_log (client, id, project, item, use_case, at, recorded_at, by, origin, outcome, tests,
                review, score, seconds, commit, session)
            SELECT :client, :id, i.project, i.id, i.parent, :at, :now, :by, :origin, :outcome, :tests, :review,
                :score, :seconds, cast(:commit AS text), cast(:session AS uuid)
            FROM items i WHERE i.client = :client AND i.id = :item
        """),
        {
            **values,
            "client": client,
            "id": identifier,
            "item": item.id,
            "at": told.at or now,
            "now": now,
            "session": told.session,
        },
    )
    return _entry(connection, client, identifier), True


def whole_commit(connection: Connection, client: str, project: str, given: str) -> str:
    """Return the full hash that ``given`` begins, and of a rewritten commit the one in its place; else ``given``.

    Raises BadValue for what is no hash, or the beginning of several commits.
    """
    start = given.strip().lower()
    if not _HASH.match(start):
        raise BadValue(what="the commit", value=given, why="a hash of at least seven characters is wanted")
    values: dict[str, Any] = {"client": client, "project": project, "start": f"{start}%"}
    found = text("""
        SELECT DISTINCT sha FROM commits WHERE client = :client AND project = :project AND sha LIKE :start LIMIT 3
    """)
    known = set(connection.scalars(found, values))
    told = text("""
        WITH RECURSIVE chain(old, new) AS (
            SELECT old, new FROM rewrites
            WHERE client = :client AND project = :project AND (old = ANY(:shas) OR old LIKE :start)
            UNION
            SELECT r.old, r.new FROM rewrites r JOIN chain c ON r.old = c.new
            WHERE r.client = :client AND r.project = :project
        )
        SELECT old, new FROM chain
    """)
    following: dict[str, str] = dict(connection.execute(told, values | {"shas": list(known)}).all())
    shas = {last(sha, following) for sha in known}
    shas |= {last(old, following) for old in following if old.startswith(start)}
    if len(shas) > 1:
        raise NotThere(what="the commit", value=given, why="several commits begin so; give more of the hash")
    return shas.pop() if shas else start


def is_known(connection: Connection, client: str, project: str, commit: str) -> bool:
    """Whether the project has a commit with this full hash, or had it before it was rewritten."""
    statement = text("""
        SELECT EXISTS (SELECT FROM commits WHERE client = :client AND project = :project AND sha = :sha)
            OR EXISTS (SELECT FROM rewrites WHERE client = :client AND project = :project AND :sha IN (old, new))
    """)
    return bool(connection.scalar(statement, {"client": client, "project": project, "sha": commit}))


def last(commit: str, following: Mapping[str, str]) -> str:
    """Return what stands for a commit after every rewrite; ``following`` maps old hashes to new ones."""
    seen = {commit}
    while (new := following.get(commit)) is not None and new not in seen:
        seen.add(new)
        commit = new
    return commit


def _checked(told: Work) -> dict[str, Any]:
    words = {name: clean(getattr(told, name)).strip() for name in ("outcome", "tests", "review")}
    for name, value in words.items():
        if len(value) > LONGEST:
            raise BadValue(what=name, value=f"of {len(value)} characters", why=f"{LONGEST} is the most")
    if told.score is not None and not 0 <= told.score <= 100:
        raise BadValue(what="the score", value=told.score, why="it is from 0 to 100")
    if told.seconds is not None and not 0 <= told.seconds < 2**31:
        raise BadValue(what="the duration", value=told.seconds, why="seconds from 0 up are wanted")
    return {**words, "score": told.score, "seconds": told.seconds}


def _of_commit(connection: Connection, client: str, item: str, commit: str) -> dict[str, Any] | None:
    """The item's entry of this commit, also where one of the two hashes is only a beginning."""
    statement = text("""
        SELECT id::text, by, origin, outcome, tests, review, score, seconds, commit FROM work_log
        WHERE client = :client AND item = :item AND commit IS NOT NULL
          AND (starts_with(commit, :commit) OR starts_with(:commit, commit)) LIMIT 1
    """)
    row = connection.execute(statement, {"client": client, "item": item, "commit": commit}).mappings().first()
    return None if row is None else dict(row)


def _fill(connection: Connection, client: str, known: Mapping[str, Any], told: Mapping[str, Any]) -> None:
    takes_over = known["origin"] == "commit"  # also from the commit that was amended into this one
    after: dict[str, Any] = {}
    for name in ("outcome", "tests", "review", "score", "seconds"):
        empty = known[name] in ("", None)
        after[name] = told[name] if told[name] not in ("", None) and (empty or takes_over) else known[name]
    source = told if takes_over else known
    after |= {"by": source["by"], "origin": source["origin"]}
    after["commit"] = max(known["commit"], told["commit"], key=len)
    connection.execute(
        text("""
            UPDATE work_log SET outcome = :outcome, tests = :tests, review = :review, score = :score,
                seconds = :seconds, by = :by, origin = :origin, commit = :commit
            WHERE client = :client AND id = :id
        """),
        {**after, "client": client, "id": known["id"]},
    )


def _entry(connection: Connection, client: str, identifier: str) -> WorkEntry:
    statement = text(f"{SELECT_WORK} WHERE w.client = :client AND w.id = :id")
    return WorkEntry(**connection.execute(statement, {"client": client, "id": identifier}).mappings().one())
