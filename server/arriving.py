"""An event that came over the network: without secrets before it goes anywhere, and kept to what its token reaches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, cast
from uuid import UUID

from capture.envelope import decode, encode
from capture.net import second_net
from capture.redact import Deadline, redact
from capture.redact.walk import walk
from schema.ids import HELD, recognised
from schema.projects import keys

SECONDS = 0.5  # of processor time, for the secrets of one event
CHECKED = ("v", "id", "at", "origin", "kind")  # of a form that holds no secret
IDENTIFIERS = ("session", "turn", "call")
MOST_COUNTED = 1_000_000
MOST_KEPT, LONGEST_KEPT = 8192, 200

_spotless: set[str] = set()  # short texts in which nothing was found; one with a secret in it is never kept


class NotYours(Exception):
    """The token may not send events of this project."""

    def __str__(self) -> str:
        """The sentence."""
        return self.__doc__ or ""


class NoSession(NotYours):
    """A token that is held to some projects tells of calls and commits only in a session, or as git's."""


def clean(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the envelope ``event`` is, what the hook's net finds in it taken out and counted. Raises CaptureError.

    The worker's nets go over it again; this one is so that not even the queue holds a secret.
    """
    told = cast("dict[str, Any]", decode(encode(dict(event))))
    deadline = Deadline(SECONDS)
    left = {name: told[name] for name in told if name in CHECKED or _identifier(name, told[name])}
    searched = {name: value for name, value in told.items() if name not in left}
    redacted, found = walk(searched, lambda text: _redacted(text, deadline))
    if not found:
        return told
    # Where a secret stood in a name that has a form of its own, this is no event any more.
    made = cast("dict[str, Any]", decode(encode({**told, **redacted})))
    counts = dict(made.get("redactions") or {})
    for rule, times in found.items():
        counts[rule] = min(counts.get(rule, 0) + times, MOST_COUNTED)
    return made | {"redactions": counts}


def _identifier(name: str, value: object) -> bool:
    return name in IDENTIFIERS and recognised(value)


def _redacted(text: str, deadline: Deadline) -> tuple[str, dict[str, int]]:
    if text in _spotless:
        return text, {}
    redacted, found = redact(text, deadline=deadline)
    if not found and len(text) <= LONGEST_KEPT:
        if len(_spotless) >= MOST_KEPT:
            _spotless.clear()
        _spotless.add(text)
    return redacted, found


def held(
    event: dict[str, Any], projects: Sequence[str], home_of: Callable[[str], str | None]
) -> dict[str, Any]:
    """Return ``event`` so that all it can reach are ``projects``, whatever is known by the time it is stored.

    ``home_of`` tells the project within them that a key leads to. It is of the project that its strongest key leads
    to, and keeps no other key: none becomes known for a project through it. The session it names is one of these
    projects' own, which no event from elsewhere is in. Raises NotYours and NoSession.
    """
    project = dict(event.get("project") or {})
    home = home_of(keys(project, str(event.get("cwd") or ""))[0])
    if home is None:
        raise NotYours
    for name in ("remote", "id"):
        if project.get(name) and home_of(f"{name}:{project[name]}") != home:
            del project[name]
    made = {**event, "project": project} if "project" in event else dict(event)
    if event.get("session"):
        made["session"] = held_name(str(event["session"]), projects)
    elif event["agent"] == "git":
        made["session"] = held_name("", projects)  # what it is linked to is looked for within them
    elif event.get("call") or event["kind"] in ("outcomes", "commit", "rewrite"):
        raise NoSession
    return made


def held_name(session: str, projects: Sequence[str]) -> str:
    """Return the name that the agent's ``session`` has where it was told by a token held to ``projects``.

    No net may touch what tells it from others, so a name that one would redact is replaced by a digest of it.
    """
    mark = blake2b(" ".join(sorted(set(projects))).encode(), digest_size=6).hexdigest()
    name = f"{session}{HELD}{mark}"
    if recognised(name) or (len(session) <= 100 and second_net(name) == (name, {})):
        return name
    return f"{UUID(bytes=blake2b(session.encode('utf-8', 'replace'), digest_size=16).digest())}{HELD}{mark}"
