"""Scripted sessions: a few lines of text become a SessionEvidence."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from schema.records import ChangedFile, Commit, Exchange, Observation, Outcome, Role, SessionEvidence

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DATA = Path(__file__).resolve().parents[2] / "data" / "sessions"
ROLES = {"P": Role.PERSON, "R": Role.REPLY, "M": Role.MACHINE, "S": Role.SUBAGENT, "K": Role.COMPACTION}
FILE_TOOLS = {"Edit", "Write", "Read"}


def scripts(name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = yaml.safe_load((DATA / f"{name}.yaml").read_text())
    return loaded


def evidence(lines: Iterable[str], *, start: datetime = START, session: str = "s1") -> SessionEvidence:
    exchanges, observations, commits = [], [], []
    turn, at = 0, start
    for number, line in enumerate(lines):
        at = start + timedelta(minutes=number)
        mark, _, text = line.partition(": ")
        name = f"{session}-{number}"
        if mark in ROLES:
            turn += mark == "P"
            exchanges.append(Exchange(name, ROLES[mark], text, at, str(turn)))
        elif mark == "O":
            tool, target, outcome = (part.strip() for part in text.split("|"))
            in_file = tool in FILE_TOOLS
            observations.append(
                Observation(
                    name,
                    tool,
                    target if in_file else None,
                    None if in_file else target,
                    Outcome(outcome),
                    at,
                    str(turn),
                )
            )
        elif mark == "C":
            message, _, files = (part.strip() for part in text.partition("|"))
            changed = tuple(ChangedFile(path.strip(), 10, 2) for path in files.split(",") if path.strip())
            sha = f"{abs(hash(name)) % 16**10:010x}" + "0" * 30
            commits.append(Commit(name, sha, message, at, author="Ada", files=changed))
        else:
            raise ValueError(line)
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
