"""From state to text: pure, bounded, the same bytes for the same state, and fenced as data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest

from recall.fence import block, harmless
from server.brief.state import BriefState, KnownFact, PastSession

MOST_TOKENS = 900  # of the thousand that a session may pay, counted on the safe side
MOST_CHARS = 9_000
MOST_LINE = 320
MOST_DOUBT = 200
FACTS_FIRST = 12  # before anything else has its turn
NOT_OUR_WORDS = ("Asked:", "Commits:")  # lines of a summary that repeat what was said


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a section; ``ref`` (``kind:id``) is what it tells of."""

    section: str
    text: str
    ref: str


@dataclass(frozen=True, slots=True)
class Brief:
    """The text, which brief it is, and what it tells of; all empty where nothing is known."""

    text: str
    ident: str
    refs: tuple[str, ...]


SECTIONS = ("Known", "Open work", "Open questions", "Lately")
EMPTY = Brief("", "", ())


def render(state: BriefState) -> Brief:
    """Say what matters, the most important first, as far as there is room. An empty project has an empty brief."""
    kept = list(_fitting(state))
    if not kept:
        return EMPTY
    lines = [f"What is known of {_one_line(state.project, 80)}."]
    for section in SECTIONS:
        inside = [line.text for line in kept if line.section == section]
        lines += [f"{section}:", *inside] if inside else []
    lines.append("More: search_memory, list_facts, get_recent_history.")
    digest = hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()
    return Brief(block(lines, digest[:12]), digest[:16], tuple(line.ref for line in kept))


def tokens(text: str) -> int:
    """About how many tokens a text has, rather too many: three signs of ASCII a token, one of anything else."""
    plain = len(text.encode("ascii", "ignore"))
    return -(-plain // 3) + len(text) - plain


def _fitting(state: BriefState) -> Iterator[Line]:
    """The lines for which there is room, taken in the order of their weight."""
    left_tokens, left_chars = MOST_TOKENS - tokens(block([], "0" * 12)) - 60, MOST_CHARS - 600
    for line in _by_weight(state):
        cost = tokens(line.text) + 1
        if cost > left_tokens or len(line.text) + 1 > left_chars:
            continue
        left_tokens, left_chars = left_tokens - cost, left_chars - len(line.text) - 1
        yield line


def _by_weight(state: BriefState) -> Iterator[Line]:
    facts = [Line("Known", _fact(fact), f"fact:{fact.id}") for fact in state.facts]
    others = [
        [
            Line("Open work", f"- {item.number} {_one_line(item.title, 160)} [{item.state}]", f"item:{item.number}")
            for item in state.items
        ],
        [
            Line("Open questions", f"- {_one_line(question.title, 200)} [asked {question.at:%Y-%m-%d}]",
                 f"event:{question.id}")
            for question in state.questions
        ],
        [Line("Lately", _session(session), f"session:{session.id}") for session in state.sessions],
    ]  # fmt: skip
    first = [line for line in chain.from_iterable(zip_longest(*(lines[:3] for lines in others))) if line]
    rest = [line for lines in others for line in lines[3:]]
    yield from facts[:FACTS_FIRST]
    yield from first
    yield from facts[FACTS_FIRST:]
    yield from rest


def _fact(fact: KnownFact) -> str:
    marks = [
        fact.kind,
        f"known from {fact.standing}",
        f"since {fact.since:%Y-%m-%d}",
    ]
    proved = fact.standing == "code" and fact.commit  # by that commit, which checked it when it was made
    if fact.freshness or not proved:
        marks.append(fact.freshness or "not checked")
    if fact.commit:
        marks.append(f"commit {fact.commit[:10]}")
    if fact.pinned:
        marks.append("pinned")
    if fact.doubt:
        marks.append(_one_line(fact.doubt, MOST_DOUBT))
    return f"- {_one_line(fact.statement, MOST_LINE)} [{', '.join(marks)}]"


def _session(session: PastSession) -> str:
    said = [part.strip() for part in session.summary.splitlines()]
    told = [part for part in said if part and not part.startswith(NOT_OUR_WORDS)]
    title = session.title
    words = title.rstrip(".…")
    if any(words in part for part in said if part.startswith(NOT_OUR_WORDS)):  # named by what was said
        title = words = f"A session of {session.agent}"
    gist = next((part for part in told if words not in part), "")
    title = _one_line(title, 120)
    tail = f": {_one_line(gist, 200)}" if gist else ""
    return f"- {title}{tail} [{session.agent}, {session.at:%Y-%m-%d}]"


def _one_line(text: str, room: int) -> str:
    """``text`` on one line and harmless, cut with its full length told where it is longer than ``room``."""
    flat = harmless(" ".join(text.split()))
    if len(flat) <= room:
        return flat
    mark = f" [cut: {len(flat)} characters in all]"
    return flat[: room - len(mark)].rstrip() + mark
