"""Scripted sessions: a few lines of text become a session's evidence, or the envelopes that would bring
it.

P is a person's prompt, R a reply, M a machine message, S a subagent's report, K a compaction summary, O a
tool call (tool | target | outcome), C a commit (message | files).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from capture.ids import new_id
from schema.records import ChangedFile, Commit, Exchange, Observation, Outcome, Role, SessionEvidence

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DATA = Path(__file__).parent / "facts_data"
ROLES = {
    "P": Role.PERSON,
    "R": Role.REPLY,
    "M": Role.MACHINE,
    "S": Role.SUBAGENT,
    "K": Role.COMPACTION,
}
FILE_TOOLS = {"Edit", "Write", "Read"}
KINDS = {"P": "prompt", "M": "prompt", "R": "reply", "S": "subagent", "K": "compaction"}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a script, with its time and the turn it belongs to."""

    number: int
    mark: str
    text: str
    at: datetime
    turn: str


def scripts(name: str) -> list[dict[str, Any]]:
    """Return the labelled sessions of one half: ``tuning`` or ``unseen``."""
    loaded: list[dict[str, Any]] = yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))
    return loaded


def lines_of(script: Iterable[str], start: datetime) -> Iterator[Line]:
    """Return the lines of a script, a minute apart."""
    turn = 0
    for number, line in enumerate(script):
        mark, _, text = line.partition(": ")
        turn += mark == "P"
        yield Line(number, mark, text, start + timedelta(minutes=number), str(turn))


def evidence(script: Iterable[str], *, start: datetime = START, session: str = "s1") -> SessionEvidence:
    """Return the evidence a script stands for. Raises ValueError for a line that begins with no known
    mark.
    """
    exchanges, observations, commits = list[Exchange](), list[Observation](), list[Commit]()
    at = start
    for line in lines_of(script, start):
        at, name = line.at, f"{session}-{line.number}"
        if line.mark in ROLES:
            exchanges.append(Exchange(name, ROLES[line.mark], line.text, at, line.turn))
        elif line.mark == "O":
            tool, target, outcome = _parts(line.text)
            file, shape = (target, None) if tool in FILE_TOOLS else (None, target)
            observations.append(Observation(name, tool, file, shape, Outcome(outcome), at, line.turn))
        elif line.mark == "C":
            message, files = _parts(line.text)
            changed = tuple(ChangedFile(path, 10, 2) for path in _files(files))
            commits.append(Commit(name, _sha(name), message, at, author="Ada", files=changed))
        else:
            raise ValueError(f"{line.mark}: {line.text}")
    return SessionEvidence(
        client="local",
        project="p",
        session=session,
        agent="claude",
        started_at=start,
        last_at=at,
        exchanges=tuple(exchanges),
        observations=tuple(observations),
        commits=tuple(commits),
    )


def envelopes(
    script: Iterable[str], *, project: str, session: str, start: datetime = START, ended: bool = True
) -> list[dict[str, Any]]:
    """Return the envelopes that bring a script through ingest, a session's end last."""
    made = [_envelope(line, project, session) for line in lines_of(script, start)]
    if ended:
        last = Line(len(made), "E", "", start + timedelta(minutes=len(made)), "0")
        made.append(_base(last, project, session, "session.end", {"reason": "other"}))
    return made


def _envelope(line: Line, project: str, session: str) -> dict[str, Any]:
    if line.mark in KINDS:
        body: dict[str, Any] = {"text": line.text, "chars": len(line.text)}
        body |= {"machine": True} if line.mark == "M" else {}
        return _base(line, project, session, KINDS[line.mark], body)
    if line.mark == "O":
        tool, target, outcome = _parts(line.text)
        where = "target" if tool in FILE_TOOLS else "shape"
        made = _base(line, project, session, "tool", {"tool": tool, where: target, "outcome": outcome})
        return made | {"call": f"call-{session}-{line.number}"}
    message, files = _parts(line.text)
    body = {
        "sha": _sha(f"{session}-{line.number}"),
        "parents": [],
        "message": message,
        "branch": "main",
        "author": "Ada",
        "committed": int(line.at.timestamp() * 1000),
        "files": [{"path": path, "added": 10, "deleted": 2} for path in _files(files)],
        "manifests": [],
        "languages": {},
        "languages_before": {},
        "enriched": True,
    }
    return _base(line, project, session, "commit", body)


def _base(line: Line, project: str, session: str, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    at = int(line.at.timestamp() * 1000)
    return {
        "v": 1,
        "id": new_id(at),
        "at": at,
        "agent": "claude",
        "origin": "import",
        "hv": "bench",
        "kind": kind,
        "event": kind,
        "session": session,
        "turn": line.turn,
        "cwd": f"/{project}",
        "project": {"root": f"/{project}", "remote": f"bench.example/{project}"},
        "body": body,
    }


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split("|")]


def _files(text: str) -> list[str]:
    return [path.strip() for path in text.split(",") if path.strip()]


def _sha(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:40]
