"""Fixes: a command that failed, work in between, and the same command passing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from distill.identity import short_key
from distill.offline.happenings import LONGEST_EVENT
from distill.offline.mood import Mood
from distill.offline.sayings import Saying
from schema.records import EventKind, Evidence, NewEvent, Observation, Outcome, Role, SessionEvidence
from schema.speech import shortened

LOOKING = {
    "cat",
    "ls",
    "find",
    "grep",
    "rg",
    "head",
    "tail",
    "which",
    "test",
    "diff",
    "stat",
    "wc",
    "curl",
    "ps",
    "cd",
}
LOOKING_GIT = {"status", "diff", "log", "show", "branch", "blame", "grep"}
WRITING = {
    "edit",
    "write",
    "multiedit",
    "notebookedit",
    "apply_patch",
    "replace",
    "write_file",
    "edit_file",
    "patch",
}
MOST_FILES = 6

_CAUSES = (
    re.compile(
        r"\b(?:root cause|caused by|came from|failed (?:at first |first )?(?:because|on|until|since|due)|disagreed|"
        r"lacks?|complained about|"
        r"the (?:bug|problem|issue|cause|culprit|race|failure|error|crash|leak) (?:was|is|came))\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:fix(?:ed|es)? (?:by|it by)|(?:fixed|solves?|solved|resolves?|resolved) (?:it|this|that|the)|"
        r"due to|because)\b",
        re.IGNORECASE,
    ),
)
_FIXED = re.compile(
    r"^(?:that|this|it) (?:fixed|solved|did|works?|worked)\b|\bworks now\b|\bthat did it\b", re.IGNORECASE
)
_FIX_COMMIT = re.compile(r"^(?:fix(?:e[sd])?|bugfix|hotfix)(?:\([^)]*\))?[:!\s]+(?P<what>.+)", re.IGNORECASE)


@dataclass
class _Failing:
    since: datetime
    evidence: list[Evidence]
    files: list[str] = field(default_factory=list)
    worked: bool = False


def fixes(evidence: SessionEvidence, said: Sequence[Saying]) -> tuple[NewEvent, ...]:
    """Return the fixes of a session, each with the cause a reply gave for it."""
    found = [*_from_observations(evidence, said)]
    if not found:
        found += _confirmed(said)
    for commit in evidence.commits:
        match = _FIX_COMMIT.match(commit.message.strip())
        if match and not any(commit.at >= event.at for event in found):
            title = shortened(match["what"], 120)
            source = Evidence("commit", commit.id, commit.at, evidence.session, commit.sha)
            files = tuple(f.path for f in commit.files[:MOST_FILES])
            key = short_key("fix", commit.sha)
            found.append(NewEvent(EventKind.FIX, title, title, commit.at, key, (source,), files))
    return tuple(found)


def broken_at_end(evidence: SessionEvidence) -> datetime | None:
    """Return since when a command fails that never passed again, or None where all is well."""
    failing: dict[str, datetime] = {}
    for call in evidence.observations:
        name = _command(call)
        if name is None:
            continue
        if call.outcome is Outcome.FAILED:
            failing.setdefault(name, call.at)
        elif call.outcome is Outcome.OK:
            failing.pop(name, None)
    return min(failing.values(), default=None)


def wrote(call: Observation) -> bool:
    """Say whether a tool call changed files."""
    return call.tool.lower().rsplit("__", 1)[-1] in WRITING and call.outcome is not Outcome.FAILED


def _command(call: Observation) -> str | None:
    """The command a shell call ran, where failing means that something was wrong."""
    name = (call.shape or ("" if wrote(call) else call.target or "")).strip()
    program, _space, rest = name.partition(" ")
    if not name or call.tool.lower() not in {
        "bash",
        "shell",
        "exec_command",
        "local_shell",
        "run_shell_command",
    }:
        return None
    if program in LOOKING or (program == "git" and rest.split(" ")[0] in LOOKING_GIT):
        return None
    return name


def _from_observations(evidence: SessionEvidence, said: Sequence[Saying]) -> list[NewEvent]:
    failing: dict[str, _Failing] = {}
    found: list[NewEvent] = []
    for call in sorted(evidence.observations, key=lambda o: o.at):
        source = Evidence("observation", call.id, call.at, evidence.session)
        name = _command(call)
        if wrote(call):
            for trouble in failing.values():
                trouble.worked = True
                trouble.files += [call.target] if call.target else list(call.files)
        if name is None or call.outcome is Outcome.UNKNOWN:
            continue
        if call.outcome is Outcome.FAILED:
            failing.setdefault(name, _Failing(call.at, [])).evidence.append(source)
        elif name in failing:
            trouble = failing.pop(name)
            trouble.evidence.append(source)
            if trouble.worked:
                found.append(_fix(name, trouble, call.at, said))
    return found


def _fix(name: str, trouble: _Failing, at: datetime, said: Sequence[Saying]) -> NewEvent:
    files = tuple(dict.fromkeys(trouble.files))[:MOST_FILES]
    changed = f" after changes to {', '.join(files)}" if files else ""
    cause = _cause(trouble.since, at, said)
    text = f"`{name}` failed, then passed{changed}.{' ' + cause if cause else ''}"
    key = short_key("fix", name, *files)
    evidence = (trouble.evidence[0], trouble.evidence[-1])
    title = shortened(f"{name} failed, then passed", 120)
    return NewEvent(EventKind.FIX, title, shortened(text, LONGEST_EVENT), at, key, evidence, files)


def _cause(since: datetime, until: datetime, said: Sequence[Saying]) -> str:
    """The first replies that explain it: those given while it failed, then the one after it passed."""
    after = [s for s in said if s.role is Role.REPLY and s.at > until]
    near = after[:1] and [s for s in after if s.source.id == after[0].source.id]
    during = [s for s in said if s.role is Role.REPLY and since <= s.at <= until]
    explained = [s for s in [*near, *during] if s.mood not in {Mood.GUESS, Mood.DECIDED, Mood.QUESTION}]
    reasons = [s.text for cause in _CAUSES for s in explained if cause.search(s.text)]
    return reasons[0] if reasons else ""


def _confirmed(said: Sequence[Saying]) -> list[NewEvent]:
    """A person says that it is fixed: the reply before told how."""
    found = []
    replies: list[Saying] = []
    for saying in said:
        if saying.role is Role.REPLY:
            replies.append(saying)
        elif saying.by_person and _FIXED.search(saying.text):
            reasons = [r for r in replies if any(cause.search(r.text) for cause in _CAUSES)]
            if reasons:
                best = reasons[-1]
                key = short_key("fix", best.text)
                title = shortened(best.text, 120)
                found.append(
                    NewEvent(EventKind.FIX, title, best.text, saying.at, key, (best.source, saying.source))
                )
            replies = []
    return found
