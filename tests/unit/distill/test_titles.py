"""A session is named by what came of it: neither a prompt's words nor a commit's message name it."""

from __future__ import annotations

from datetime import UTC, datetime

from distill.offline.summary import title_of
from schema.records import ChangedFile, Commit, EventKind, Exchange, NewEvent, Role, SessionEvidence

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
ASKED = Exchange("x1", Role.PERSON, "Please look after zanzibar in the login.", AT)


def evidence(
    *, commits: tuple[Commit, ...] = (), exchanges: tuple[Exchange, ...] = (ASKED,)
) -> SessionEvidence:
    return SessionEvidence("c", "p", "s", "claude", AT, AT, exchanges=exchanges, commits=commits)


def commit(*paths: str) -> Commit:
    return Commit(
        "k1", "ab" * 20, "zanzibar is over", AT, files=tuple(ChangedFile(path, 1, 0) for path in paths)
    )


def event(kind: EventKind, title: str) -> NewEvent:
    return NewEvent(kind, title, title, AT, "key", ())


def test_a_decision_names_it():
    found = [event(EventKind.QUESTION, "Is it?"), event(EventKind.DECISION, "Use Postgres")]
    assert title_of(evidence(commits=(commit("a.py"),)), found) == "Use Postgres"


def test_what_was_changed_names_it():
    assert title_of(evidence(commits=(commit("a.py", "b.py"),)), ()) == "Changed a.py, b.py in 1 commit"
    many = commit("a.py", "b.py", "c.py", "d.py", "e.py")
    assert (
        title_of(evidence(commits=(many, commit("a.py"))), ())
        == "Changed a.py, b.py, c.py and 2 more in 2 commits"
    )


def test_where_nothing_was_changed_no_words_are_repeated():
    assert title_of(evidence(), ()) == "A session of claude: 0 tool calls, nothing changed"
    assert title_of(evidence(commits=(commit(),)), ()) == "1 commit of claude"
    assert title_of(evidence(), [event(EventKind.QUESTION, "Is it open?")]) == "Is it open?"
