"""When are two events one? Pure functions over decoded, redacted events.

*Redelivered*: the same event again (two installations, a resume, a replayed spool, an import after live capture).
*Merged*: another call that looks and ends the same within five minutes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b

from schema.projects import keys
from workers.incoming import Incoming

_CANONICAL = json.JSONEncoder(sort_keys=True)
TWIN_REACH = timedelta(seconds=1)  # two spans of +-1 s overlap where the times differ by less than 2 s


def key(event: Incoming) -> str:
    """The identity that the database keeps unique.

    A tool call has the agent's own call id; a commit, and what it did to symbols, its hash; all else the event's id.
    """
    if event.kind == "tool" and event.call:
        return call_key(event.agent, event.session, event.subagent, event.call)
    if event.kind in ("commit", "symbols"):
        return "|".join((event.kind, project_keys(event)[0], str(event.body.get("sha"))))
    return f"event|{event.id}"


def digest(event: Incoming, identity: str) -> bytes | None:
    """A digest of what an event without an id of its own says; None where its ``identity`` is the agent's."""
    if event.session is None or not identity.startswith("event|"):
        return None
    text = event.body.get("text")
    said = event.body if text is None else text
    return _hash([event.agent, event.session, event.kind, event.turn, event.subagent, said])


@dataclass(frozen=True, slots=True)
class Looks:
    """What must be equal for two observations to be merged: who, where, what and how it ended."""

    project: str
    session: str | None
    agent: str
    subagent: str | None
    tool: str | None
    server: str | None
    target: str | None
    shape: str | None
    outcome: str

    @property
    def fingerprint(self) -> str:
        """All of it in sixteen bytes, as hex digits."""
        return _hash([getattr(self, name) for name in self.__slots__]).hex()


def looks(event: Incoming, project: str) -> Looks:
    """How a tool call looks; ``session`` is the agent's own id."""
    body = event.body
    return Looks(
        project=project,
        session=event.session,
        agent=event.agent,
        subagent=event.subagent,
        tool=body.get("tool"),
        server=body.get("server"),
        target=body.get("target"),
        shape=body.get("shape"),
        outcome=body.get("outcome") or "unknown",
    )


def call_key(agent: str, session: str | None, subagent: str | None, call: str) -> str:
    """The identity of a tool call that has the agent's own id."""
    return "|".join(("call", agent, session or "", subagent or "", call))


def project_keys(event: Incoming) -> list[str]:
    """The keys a project may be known by, strongest first: its remote, the id kept beside it, its folder."""
    if not event.places:
        event.places = keys(event.project, event.cwd)
    return event.places


def project_name(event: Incoming) -> str:
    """A name for people: the remote's last part, else the folder's."""
    path = event.project.get("remote") or event.project.get("root") or event.cwd or ""
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] or "unnamed"


def _hash(said: list[object]) -> bytes:
    return blake2b(_CANONICAL.encode(said).encode(), digest_size=16).digest()
