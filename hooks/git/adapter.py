"""git: what its hooks tell in arguments, standard input and the files beside HEAD; no git is run here.

A commit is only named; the shipper reads the rest of it from the repository.
"""

from __future__ import annotations

import os

from capture.event import Event
from capture.head import head, pseudo
from capture.project import Project, find

AGENT = "git"
PAIRS = 200
MOST_REBASED = 50
SESSIONS = ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID")
LONGEST_SESSION = 64
REBASING = ("rebase-merge", "rebase-apply")


def wants_input(arguments: list[str]) -> bool:
    """Only post-rewrite is told something on standard input; the others may inherit a terminal."""
    return arguments[:1] == ["post-rewrite"]


def read(arguments: list[str], raw: bytes) -> list[Event]:
    """Return the events of the hook named by the first argument, for the repository of this directory."""
    name = arguments[0] if arguments else ""
    try:
        cwd = os.getcwd()
    except OSError:
        return []
    project = find(cwd)
    if project.gitdir is None:
        return []
    if name == "post-commit":
        return [] if _rebasing(project) else [_commit(name, cwd, project, None)]
    if name == "post-merge":
        return _merge(name, cwd, project, squash=arguments[1:2] == ["1"])
    if name == "post-rewrite":
        return _rewrite(name, cwd, arguments[1] if len(arguments) > 1 else "", raw)
    return []


def _rebasing(project: Project) -> bool:
    """Whether a rebase replays commits: post-rewrite tells of them all at its end."""
    for name in REBASING:
        try:
            os.stat(f"{project.gitdir}/{name}")
        except OSError:
            continue
        return True
    return False


def _commit(name: str, cwd: str, project: Project, base: str | None) -> Event:
    sha, branch = head(project)
    event = Event(AGENT, name, "commit", cwd=cwd, needs="commit", session=_committing_session())
    event.extra = {"sha": sha, "branch": branch, "base": base, "enriched": False}
    return event


def _committing_session() -> str | None:
    """The session of the agent that runs this git, where its environment tells: evidence, never a setting."""
    for variable in SESSIONS:
        told = os.environ.get(variable, "")
        if told and len(told) <= LONGEST_SESSION and told.replace("-", "").replace("_", "").isalnum():
            return told
    return None


def _merge(name: str, cwd: str, project: Project, squash: bool) -> list[Event]:
    """The merge, and (unless squashed, which commits nothing yet) the commit it led to, told from where it began."""
    event = Event(AGENT, name, "merge", cwd=cwd, extra={"sha": head(project)[0], "squash": squash})
    return [event] if squash else [event, _commit(name, cwd, project, pseudo(project, "ORIG_HEAD"))]


def _rewrite(name: str, cwd: str, how: str, raw: bytes) -> list[Event]:
    """The pairs of old and new ids, in portions; after a rebase, which keeps post-commit quiet, the new commits too."""
    pairs = [line.split()[:2] for line in raw.decode("utf-8", "replace").splitlines()]
    pairs = [pair for pair in pairs if len(pair) == 2]
    how = how if how in ("amend", "rebase") else "other"
    events = []
    for start in range(0, len(pairs), PAIRS):
        portion: dict[str, object] = {"how": how, "pairs": pairs[start : start + PAIRS]}
        events.append(Event(AGENT, name, "rewrite", cwd=cwd, extra=portion))
    fresh = dict.fromkeys(new for _, new in pairs) if how == "rebase" else {}
    for sha in list(fresh)[-MOST_REBASED:]:
        event = Event(AGENT, name, "commit", cwd=cwd, needs="commit")
        event.extra = {"sha": sha, "enriched": False}
        events.append(event)
    return events
