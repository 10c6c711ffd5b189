"""A session's summary in bounded, plain sentences: asked, decided, changed, failed and fixed, given up,
committed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from distill.offline.fixes import wrote
from distill.offline.labels import unlabelled
from schema.records import EventKind, NewEvent, Role, SessionEvidence
from schema.speech import sentences, shortened

LONGEST_SUMMARY = 1600
LONGEST_TITLE = 100
LONGEST_LINE = 320
MOST_NAMED = 3
MOST_ASKED, MOST_EVENTS, MOST_FILES, MOST_COMMITS = 4, 4, 8, 5


def title_of(evidence: SessionEvidence, events: Sequence[NewEvent]) -> str:
    """Return one line that names the session by what came of it: its first decision or fix, else what it changed,
    else another event, else how much was done. Never the words of a prompt or of a commit's message.
    """
    for kind in (EventKind.DECISION, EventKind.FIX):
        for event in events:
            if event.kind is kind:
                return shortened(event.title, LONGEST_TITLE)
    files = changed_files(evidence)
    if files:
        more = f" and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else ""
        commits = f" in {_counted(len(evidence.commits), 'commit')}" if evidence.commits else ""
        return shortened(f"Changed {', '.join(files[:MOST_NAMED])}{more}{commits}", LONGEST_TITLE)
    if events:
        return shortened(events[0].title, LONGEST_TITLE)
    if evidence.commits:
        return f"{_counted(len(evidence.commits), 'commit')} of {evidence.agent}"
    done = _counted(len(evidence.observations), "tool call")
    return f"A session of {evidence.agent}: {done}, nothing changed"


def summary_of(evidence: SessionEvidence, events: Sequence[NewEvent]) -> str:
    """Return the summary, one line a subject, at most 1,600 characters. Prompts are told, not repeated
    whole.
    """
    lines = [
        _line("Asked", _asked(evidence)[:MOST_ASKED]),
        _line("Decided", _told(events, EventKind.DECISION)),
        _line("Conventions", _told(events, EventKind.CONVENTION)),
        _line("Changed", _changed(evidence)),
        _line("Fixed", _told(events, EventKind.FIX)),
        _line("Given up", _told(events, EventKind.DEAD_END)),
        _line("Open", _told(events, EventKind.QUESTION)),
        _line(
            "Commits",
            [f"{c.sha[:10]} {c.message.partition(chr(10))[0]}" for c in evidence.commits][:MOST_COMMITS],
        ),
    ]
    text = "\n".join(line for line in lines if line)
    if not text:
        return f"Nothing was asked or changed ({len(evidence.observations)} tool calls)."
    return text if len(text) <= LONGEST_SUMMARY else text[: LONGEST_SUMMARY - 1].rsplit(" ", 1)[0] + "…"


def changed_files(evidence: SessionEvidence) -> list[str]:
    """Return the files a session changed, most often changed first."""
    counts: Counter[str] = Counter()
    for call in evidence.observations:
        if wrote(call):
            counts.update([call.target] if call.target else call.files)
    for commit in evidence.commits:
        counts.update(changed.path for changed in commit.files)
    return [path for path, _ in counts.most_common()]


def _counted(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"


def _asked(evidence: SessionEvidence) -> list[str]:
    prompts = [e for e in evidence.exchanges if e.role is Role.PERSON]
    firsts = [sentences(prompt.text)[:2] for prompt in prompts]
    return [" ".join(unlabelled(part)[1] for part in parts) for parts in firsts if parts]


def _told(events: Iterable[NewEvent], kind: EventKind) -> list[str]:
    return [event.text for event in events if event.kind is kind][:MOST_EVENTS]


def _changed(evidence: SessionEvidence) -> list[str]:
    files = changed_files(evidence)
    more = [f"and {len(files) - MOST_FILES} more"] if len(files) > MOST_FILES else []
    return [", ".join(files[:MOST_FILES] + more)] if files else []


def _line(name: str, parts: Sequence[str]) -> str:
    told = "; ".join(shortened(part, LONGEST_LINE).rstrip(".;") for part in parts if part)
    return f"{name}: {told}{'' if told.endswith(('?', '!', '…')) else '.'}" if told else ""
