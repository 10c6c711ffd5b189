"""Put units into the index and take them out: the one way in, for the workers and the bench alike."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, text

from recall.postings import BLOCK, Counts, erase, write
from recall.words import counted
from schema.evidence import pointer, pointers, pointers_json
from schema.records import Unit

DIGEST = 16  # bytes

_KNOWN = text("""
    SELECT unit, kind, ref, digest FROM search_units
    WHERE client = :client AND kind = :kind AND ref = ANY(:refs)
""")

_INSERT = text("""
    INSERT INTO search_units (client, project, kind, ref, session, at, title, text, files, standing, slot, current,
                              valid_from, valid_to, evidence, digest)
    VALUES (:client, CAST(:project AS uuid), :kind, :ref, :session, :at, :title, :text, :files, :standing, :slot,
            :current, :valid_from, :valid_to, CAST(:evidence AS jsonb), :digest)
    ON CONFLICT (client, kind, ref) DO NOTHING
    RETURNING unit
""")

# What may change of a unit whose words stay. One statement for all, and a row is written only where it differs.
_REFRESH = text("""
    UPDATE search_units u
    SET standing = n.standing, slot = n.slot, current = n.current, valid_from = n.valid_from, valid_to = n.valid_to,
        evidence = n.evidence, at = n.at
    FROM jsonb_to_recordset(CAST(:units AS jsonb)) AS n(
        kind text, ref text, standing text, slot text, current boolean, valid_from timestamptz, valid_to timestamptz,
        evidence jsonb, at timestamptz)
    WHERE u.client = :client AND u.kind = n.kind AND u.ref = n.ref
      AND (u.standing, u.slot, u.current, u.valid_from, u.valid_to, u.evidence, u.at)
          IS DISTINCT FROM (n.standing, n.slot, n.current, n.valid_from, n.valid_to, n.evidence, n.at)
""")

_FILES = text("""
    INSERT INTO search_files (client, path, project, unit, name, owner, kind)
    VALUES (:client, :path, CAST(:project AS uuid), :unit, :name, :owner, :kind)
    ON CONFLICT DO NOTHING
""")

_GOING = text("""
    SELECT project, kind, array_agg(unit) AS units,
           (SELECT coalesce(array_agg(DISTINCT l), '{}')
            FROM search_units s, unnest(s.lexemes) AS l
            WHERE s.client = :client AND s.unit = ANY(array_agg(u.unit))) AS lexemes
    FROM search_units u WHERE client = :client AND unit = ANY(:units)
    GROUP BY project, kind ORDER BY project, kind
""")

# Words that are to be written anew although they are the same: the digest is longer by a byte until that is done.
_SUSPECT = text("""
    UPDATE search_units SET digest = digest || '\\x00' WHERE client = :client AND length(digest) = :size
""")
_SUSPECTED = text("""
    SELECT project::text AS project, kind, ref, session, at, title, text, files, standing, slot, current, valid_from,
           valid_to, evidence
    FROM search_units WHERE client = :client AND length(digest) > :size ORDER BY unit LIMIT :limit
""")
_SETTLE = text("""
    UPDATE search_units SET digest = substring(digest FOR :size), lexemes = '{}'
    WHERE client = :client AND unit = ANY(:units)
""")

_DELETE = text("DELETE FROM search_units WHERE client = :client AND unit = ANY(:units)")


def put(conn: Connection, client: str, units: Iterable[Unit]) -> int:
    """Index ``units``, replacing what (kind, ref) held; return how many were written anew.

    A unit whose words have not changed keeps its postings and vector. Vectors are made later, by ``vectors.embed``.
    """
    wanted: dict[tuple[str, str], Unit] = {(unit.kind, unit.ref): unit for unit in units}
    digests = {key: _digest(unit) for key, unit in wanted.items()}
    stale: list[int] = []
    fresh = dict(wanted)
    same: list[Unit] = []
    suspected: dict[int, Unit] = {}
    for held, key, digest in _known(conn, client, wanted):
        if digest[:DIGEST] == digests[key]:
            same.append(fresh.pop(key))
            if len(digest) > DIGEST:
                suspected[held] = same[-1]
        else:
            stale.append(held)
    _refresh(conn, client, same)
    _drop(conn, client, stale)
    groups: dict[tuple[str, str], list[Counts]] = defaultdict(list)
    _settle(conn, client, suspected)
    for held, unit in suspected.items():
        groups[unit.project, unit.kind].append(_counts(held, unit))
    for key, unit in sorted(fresh.items()):
        number = conn.execute(_INSERT, _row(client, unit, digests[key])).scalar()
        if number is not None:  # else another writer was first with the same unit
            groups[unit.project, unit.kind].append(_counts(number, unit))
            _touch(conn, client, number, unit)
    for (project, kind), batch in sorted(groups.items()):
        for first in range(0, len(batch), BLOCK):  # a block at a time: the planner foresees no larger batch
            write(conn, client, project, kind, batch[first : first + BLOCK])
    return sum(len(batch) for batch in groups.values()) - len(suspected)


def suspect(conn: Connection, client: str) -> None:
    """Have the words of every unit written anew when it is put next, also where they are the same; vectors stay."""
    conn.execute(_SUSPECT, {"client": client, "size": DIGEST})


def suspected(conn: Connection, client: str, limit: int) -> list[Unit]:
    """Units that are suspected still: each as its own row tells of it, without what else helped to find it."""
    rows = conn.execute(_SUSPECTED, {"client": client, "size": DIGEST, "limit": limit}).mappings()
    return [
        Unit(**{**row, "files": tuple(row["files"]), "evidence": pointers(row["evidence"])}) for row in rows
    ]


def remove(conn: Connection, client: str, kind: str, refs: Sequence[str]) -> int:
    """Take the units of ``kind`` with these refs out of every search table; return how many there were."""
    found = conn.execute(_KNOWN, {"client": client, "kind": kind, "refs": list(refs)})
    units = [row.unit for row in found]
    _drop(conn, client, units)
    return len(units)


def _known(
    conn: Connection, client: str, wanted: dict[tuple[str, str], Unit]
) -> list[tuple[int, tuple[str, str], bytes]]:
    refs: dict[str, list[str]] = defaultdict(list)
    for kind, ref in wanted:
        refs[kind].append(ref)
    return [
        (row.unit, (row.kind, row.ref), bytes(row.digest))
        for kind, of_kind in refs.items()
        for row in conn.execute(_KNOWN, {"client": client, "kind": kind, "refs": of_kind})
    ]


def _refresh(conn: Connection, client: str, units: Sequence[Unit]) -> None:
    if units:
        told = json.dumps([_changeable(unit) for unit in units])
        conn.execute(_REFRESH, {"client": client, "units": told})


def _changeable(unit: Unit) -> dict[str, Any]:
    return {
        "kind": unit.kind,
        "ref": unit.ref,
        "standing": unit.standing,
        "slot": unit.slot,
        "current": unit.current,
        "valid_from": unit.valid_from and unit.valid_from.isoformat(),
        "valid_to": unit.valid_to and unit.valid_to.isoformat(),
        "evidence": [pointer(one) for one in unit.evidence],
        "at": unit.at.isoformat(),
    }


def _drop(conn: Connection, client: str, units: Sequence[int]) -> None:
    if not units:
        return
    _erase(conn, client, units)
    conn.execute(_DELETE, {"client": client, "units": list(units)})


def _settle(conn: Connection, client: str, units: Collection[int]) -> None:
    """Take the words of units away, to be written anew."""
    if units:
        _erase(conn, client, units)
        conn.execute(_SETTLE, {"client": client, "units": list(units), "size": DIGEST})


def _erase(conn: Connection, client: str, units: Collection[int]) -> None:
    for row in conn.execute(_GOING, {"client": client, "units": list(units)}).all():
        erase(conn, client, str(row.project), row.kind, row.units, row.lexemes)


def _touch(conn: Connection, client: str, number: int, unit: Unit) -> None:
    rows = [
        {
            "client": client,
            "path": path,
            "project": unit.project,
            "unit": number,
            "name": path.rsplit("/", 1)[-1],
            "owner": unit.session or f"{unit.kind}:{unit.ref}",
            "kind": unit.kind,
        }
        for path in sorted({_storable(path) for path in unit.files})
    ]
    if rows:
        conn.execute(_FILES, rows)


def _counts(number: int, unit: Unit) -> Counts:
    own = counted(f"{unit.title}\n{unit.text}")
    for path in unit.files:
        own.update(counted(path).keys() - own.keys())
    return Counts(unit=number, own=own, whole=own + counted(unit.context))


def _digest(unit: Unit) -> bytes:
    """Of everything that words, files and vectors are made from."""
    parts = [unit.project, unit.session, unit.title, unit.text, unit.context, sorted(unit.files)]
    return hashlib.sha256(json.dumps(parts).encode()).digest()[:DIGEST]


def _row(client: str, unit: Unit, digest: bytes) -> dict[str, Any]:
    return {
        "client": client,
        "project": unit.project,
        "kind": unit.kind,
        "ref": unit.ref,
        "session": unit.session,
        "at": unit.at,
        "title": _storable(unit.title),
        "text": _storable(unit.text),
        "files": sorted({_storable(path) for path in unit.files}),
        "standing": unit.standing,
        "slot": unit.slot,
        "current": unit.current,
        "valid_from": unit.valid_from,
        "valid_to": unit.valid_to,
        "evidence": pointers_json(unit.evidence),
        "digest": digest,
    }


def _storable(value: str) -> str:
    """Postgres text holds neither NUL nor a lone surrogate."""
    return value.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
