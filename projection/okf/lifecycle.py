"""The extension namespace ``x-limbeck/``: every version of every fact, exactly, as JSON lines.

The pages beside it are for readers; from these lines the same facts come back with the same states.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from projection.errors import NotABundle
from projection.okf.state import Check
from schema.records import Cardinality, Evidence, Fact, FactKind, Freshness, Slot, Standing

FOLDER = "x-limbeck"
LINES = 1_000  # of one file
LONGEST = 1_000_000  # characters of one line that are read


def files(versions: Sequence[Fact], checks: Iterable[Check]) -> dict[str, str]:
    """Return the files' texts by name; a fact's check stands beside its last version."""
    of_fact = {check.fact: check for check in checks}
    last = {version.id: version.version for version in versions}
    lines = [
        json.dumps(
            _line(one, of_fact.get(one.id) if last[one.id] == one.version else None), ensure_ascii=False
        )
        for one in versions
    ]
    parts = [lines[first : first + LINES] for first in range(0, len(lines), LINES)] or [[]]
    return {
        f"facts-{number:04}.jsonl": "".join(f"{_storable(one)}\n" for one in part)
        for number, part in enumerate(parts, 1)
    }


def read(name: str, text: str) -> tuple[list[Fact], list[Check]]:
    """Return the versions and checks of one file. Raises NotABundle, with the line."""
    versions, checks = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            if len(line) > LONGEST:
                raise ValueError("it is too long")
            told = json.loads(line)
            version = _fact(told)
            if told.get("checked"):
                checks.append(_check(version.id, told["checked"]))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            why = f"line {number} of {name} is no version of a fact ({type(error).__name__}: {error})"
            raise NotABundle(folder="it", why=why) from error
        versions.append(version)
    return versions, checks


def _line(one: Fact, check: Check | None) -> dict[str, Any]:
    told: dict[str, Any] = {
        "fact": one.id,
        "version": one.version,
        "subject": one.slot.subject,
        "attribute": one.slot.attribute,
        "scope": one.slot.scope,
        "cardinality": one.cardinality.value,
        "kind": one.kind.value,
        "value": one.value,
        "statement": one.statement,
        "standing": one.standing.value,
        "valid_from": one.valid_from.isoformat(),
        "valid_to": _time(one.valid_to),
        "recorded_at": one.recorded_at.isoformat(),
        "retired_at": _time(one.retired_at),
        "superseded_by": one.superseded_by,
        "reason": one.reason,
        "pinned": one.pinned,
        "session": one.session,
        "evidence": [_pointer(evidence) for evidence in one.evidence],
        "files": list(one.files),
    }
    if check is not None:
        told["checked"] = {"freshness": check.freshness.value, "sha": check.sha, "at": check.at.isoformat()}
    return told


def _pointer(one: Evidence) -> dict[str, str | None]:
    told = {
        "kind": one.kind,
        "id": one.id,
        "at": one.at.isoformat(),
        "session": one.session,
        "commit": one.commit,
    }
    return {name: held for name, held in told.items() if held is not None}


def _fact(told: Mapping[str, Any]) -> Fact:
    return Fact(
        id=_uuid(told["fact"]),
        version=_uuid(told["version"]),
        slot=Slot(_text(told["subject"]), _text(told["attribute"]), _text(told["scope"])),
        cardinality=Cardinality(told["cardinality"]),
        kind=FactKind(told["kind"]),
        value=_text(told["value"]),
        statement=_text(told["statement"]),
        standing=Standing(told["standing"]),
        valid_from=_at(told["valid_from"]),
        recorded_at=_at(told["recorded_at"]),
        valid_to=_at(told["valid_to"]) if told["valid_to"] else None,
        retired_at=_at(told["retired_at"]) if told["retired_at"] else None,
        superseded_by=_uuid(told["superseded_by"]) if told["superseded_by"] else None,
        reason=_text(told["reason"]),
        pinned=told["pinned"] is True,
        session=_uuid(told["session"]) if told["session"] else None,
        evidence=tuple(
            Evidence(_text(e["kind"]), _text(e["id"]), _at(e["at"]), e.get("session"), e.get("commit"))
            for e in told["evidence"]
        ),
        files=tuple(_text(name) for name in told["files"]),
    )


def _check(fact: str, told: Mapping[str, Any]) -> Check:
    return Check(fact, Freshness(told["freshness"]), told.get("sha"), _at(told["at"]))


def _at(told: str) -> datetime:
    found = datetime.fromisoformat(told)
    if found.tzinfo is None:
        raise ValueError("a time has no offset")
    return found


def _time(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _text(told: object) -> str:
    if not isinstance(told, str) or "\x00" in told:
        raise ValueError("a text is wanted")
    return told


def _uuid(told: str) -> str:
    return str(UUID(told))


def _storable(line: str) -> str:
    """Without lone surrogates, which no file can hold."""
    return line.encode("utf-8", "replace").decode("utf-8")
