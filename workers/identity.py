"""When are two events one? Pure functions over decoded, redacted events.

*Redelivered*: the same event again (two installations, a resume, a replayed spool, an import after live capture).
*Merged*: another call that looks and ends the same within five minutes.
"""

from __future__ import annotations

import json
from datetime import timedelta
from hashlib import blake2b

from schema.projects import keys
from workers.incoming import Incoming

TWIN_REACH = timedelta(seconds=1)  # two spans of +-1 s overlap where the times differ by less than 2 s


def key(event: Incoming) -> str:
    """The identity that the database keeps unique.

    A tool call has the agent's own call id; a commit its hash; a transcript's lines and all else the event's id.
    """
    if event.kind == "tool" and event.call:
        return "|".join(("call", event.agent, event.session or "", event.subagent or "", event.call))
    if event.kind == "commit":
        return "|".join(("commit", project_keys(event)[0], str(event.body.get("sha"))))
    return f"event|{event.id}"


def digest(event: Incoming) -> bytes | None:
    """A digest of what an event without an id of its own says; None where ``key`` already is the agent's."""
    if not key(event).startswith("event|") or event.session is None:
        return None
    text = event.body.get("text")
    said = event.body if text is None else text
    return _hash([event.agent, event.session, event.kind, event.turn, event.subagent, said])


def fingerprint(event: Incoming, project: str, session: str | None) -> bytes:
    """What must be equal for two observations to be merged: who, where, what and how it ended."""
    body = event.body
    said = [
        project,
        session,
        event.agent,
        event.subagent,
        body.get("tool"),
        body.get("server"),
        body.get("target"),
        body.get("shape"),
        body.get("outcome"),
    ]
    return _hash(said)


def project_keys(event: Incoming) -> list[str]:
    """The keys a project may be known by, strongest first: its remote, the id kept beside it, its folder."""
    return keys(event.project, event.cwd)


def project_name(event: Incoming) -> str:
    """A name for people: the remote's last part, else the folder's."""
    path = event.project.get("remote") or event.project.get("root") or event.cwd or ""
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] or "unnamed"


def _hash(said: list[object]) -> bytes:
    return blake2b(json.dumps(said, sort_keys=True, ensure_ascii=True).encode(), digest_size=16).digest()
