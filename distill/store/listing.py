"""Facts as people and agents look at them: narrowed, in pages, each with its last check against the code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.doubts import Doubt, doubts
from schema.errors import NotFound
from schema.facts import fact_of
from schema.records import Fact
from schema.scope import Scope

# Slot, then time, then version: the same order whatever is added between two pages.
Place = tuple[str, str, str, datetime, str]

_COLUMNS = """
    SELECT v.project::text, v.version::text, v.fact::text, v.subject, v.attribute, v.scope, v.cardinality, v.kind,
           v.value, v.statement, v.standing, v.valid_from, v.valid_to, v.recorded_at, v.retired_at,
           v.superseded_by::text, v.reason, v.pinned, v.session::text, v.evidence, v.files, k.freshness, k.checked_at,
           p.name AS project_name
    FROM fact_versions v
    JOIN projects p ON p.client = v.client AND p.project = v.project
    LEFT JOIN fact_checks k ON k.client = v.client AND k.fact = v.fact
"""
_LISTED = """
    WHERE {scope} AND {believed} AND {held}
      AND (cast(:subject AS text) IS NULL OR v.subject = :subject)
      AND (cast(:kind AS text) IS NULL OR v.kind = :kind)
      AND (cast(:standing AS text) IS NULL OR v.standing = :standing)
      AND (cast(:pinned AS boolean) IS NULL OR v.pinned = :pinned)
      AND (cast(:words AS text) IS NULL OR strpos(lower(v.statement), lower(:words)) > 0)
      AND (cast(:file AS text) IS NULL OR :file = ANY(v.files))
      AND (cast(:session AS uuid) IS NULL OR v.session = :session)
      {after}
    ORDER BY v.subject, v.attribute, v.scope, v.valid_from, v.version LIMIT :limit
"""
_AFTER = """AND (v.subject, v.attribute, v.scope, v.valid_from, v.version)
           > (:a_subject, :a_attribute, :a_scope, cast(:a_from AS timestamptz), cast(:a_version AS uuid))"""
# The order is found on narrow rows first; only what is shown is fetched with its evidence.
_WEIGHTIEST = """
    JOIN (
        SELECT version, row_number() OVER () AS place FROM (
            SELECT version FROM fact_versions WHERE {scope} AND retired_at IS NULL AND valid_to IS NULL
            ORDER BY NOT pinned, {elsewhere}
                     CASE WHEN kind IN ('convention', 'decision', 'constraint')
                               THEN CASE standing WHEN 'person' THEN 0 ELSE 1 END
                          WHEN standing = 'person' THEN 1
                          WHEN kind = 'stack' THEN CASE cardinality WHEN 'one' THEN 2 ELSE 4 END
                          ELSE 3 END,
                     valid_from DESC, subject, attribute, version
            LIMIT :limit) AS ordered
    ) AS heaviest ON heaviest.version = v.version
    WHERE v.client = :client ORDER BY heaviest.place
"""
_ELSEWHERE = """
    NOT (files && CAST(:files AS text[]) OR EXISTS (
         SELECT 1 FROM unnest(files) AS f, unnest(CAST(:folders AS text[])) AS d WHERE starts_with(f, d))),
"""
_NOW, _THEN = (
    "v.retired_at IS NULL",
    "v.recorded_at <= :known_at AND (v.retired_at IS NULL OR v.retired_at > :known_at)",
)
_CURRENT, _AT = "v.valid_to IS NULL", "v.valid_from <= :as_of AND (v.valid_to IS NULL OR v.valid_to > :as_of)"
_EVER = "v.valid_to IS DISTINCT FROM v.valid_from AND (cast(:as_of AS timestamptz) IS NULL OR v.valid_from <= :as_of)"
# Of several at one moment the one that is believed is the latest.
_LIVES = """
    WHERE {scope} AND v.fact = :fact
    ORDER BY v.recorded_at DESC, v.retired_at IS NULL DESC, v.version DESC LIMIT :limit
"""


@dataclass(frozen=True, slots=True)
class Shown:
    """A fact's version with the project it belongs to, what the last check against the code said, and, of a current
    one, what was said against it.
    """

    fact: Fact
    project: str
    project_name: str
    freshness: str | None
    checked_at: datetime | None
    doubt: Doubt | None = None

    @property
    def place(self) -> Place:
        """Where it stands in the order of a list."""
        slot = self.fact.slot
        return slot.subject, slot.attribute, slot.scope, self.fact.valid_from, self.fact.version


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a list is narrowed to; ``words`` must stand in the statement as they are, in any letter case."""

    subject: str | None = None
    kind: str | None = None
    standing: str | None = None
    pinned: bool | None = None
    words: str | None = None
    file: str | None = None
    session: str | None = None


ANY = Wanted()


def listed(
    connection: Connection,
    scope: Scope,
    wanted: Wanted = ANY,
    *,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    history: bool = False,
    after: Place | None = None,
    limit: int = 50,
) -> list[Shown]:
    """Return facts as they were true at ``as_of`` and believed at ``known_at`` (both default to now).

    ``history`` returns also what is true no longer. ``after`` is the place of the last one of the page before.
    """
    believed = _NOW if known_at is None else _THEN
    held = _EVER if history else _CURRENT if as_of is None else _AT
    place = after or (None, None, None, None, None)
    values = {
        "as_of": as_of,
        "known_at": known_at,
        "subject": wanted.subject,
        "kind": wanted.kind,
        "standing": wanted.standing,
        "pinned": wanted.pinned,
        "words": wanted.words,
        "file": wanted.file,
        "session": wanted.session,
        "limit": limit,
    } | dict(zip(("a_subject", "a_attribute", "a_scope", "a_from", "a_version"), place, strict=True))
    statement = _COLUMNS + _LISTED.format(
        scope=scope.where("v"), believed=believed, held=held, after=_AFTER if after else ""
    )
    return _shown(connection, statement, scope.values | values)


def weightiest(
    connection: Connection, scope: Scope, *, files: Sequence[str] = (), limit: int = 60
) -> list[Shown]:
    """Return the current facts that weigh most: pinned ones, those that come from ``files`` (files or folders), what
    persons decided and agreed on, then the stack and the rest; the newest of each first, those in doubt last.
    """
    folders = [one.rstrip("/") + "/" for one in files]
    values = scope.values | {"files": list(files), "folders": folders, "limit": limit}
    statement = _COLUMNS + _WEIGHTIEST.format(scope=scope.where(), elsewhere=_ELSEWHERE if files else "")
    return sorted(
        _shown(connection, statement, values), key=lambda one: one.doubt is not None and not one.fact.pinned
    )


def life(connection: Connection, scope: Scope, fact: str, *, limit: int = 200) -> list[Shown]:
    """Return the latest versions of one fact (by its whole id), oldest first, believed or not. Raises NotFound."""
    statement = _COLUMNS + _LIVES.format(scope=scope.where("v"))
    found = _shown(connection, statement, scope.values | {"fact": fact, "limit": limit})
    if not found:
        raise NotFound(what="fact", name=fact)
    return found[::-1]


def _shown(connection: Connection, statement: str, values: dict[str, Any]) -> list[Shown]:
    rows = list(connection.execute(text(statement), values).mappings())
    against = doubts(connection, values["client"], [row["fact"] for row in rows])
    found = []
    for row in rows:
        fact = fact_of(row)
        doubt = against.get(fact.id) if fact.current else None
        place = row["project"], row["project_name"], row["freshness"], row["checked_at"]
        found.append(Shown(fact, *place, doubt))
    return found
