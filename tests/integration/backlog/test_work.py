"""What was done: once for each item and commit, on the item and on its use case."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from backlog.delivery import follow_rewrites
from backlog.errors import BadValue, NothingTold, NotThere
from tests.integration.backlog.conftest import START, sha


@pytest.fixture
def ours(board):
    """US1001 with BU3001 and FE2001."""
    board.make("US", "Export invoices")
    board.make("BU", "Loses the last page", "US1001")
    board.make("FE", "As CSV", "US1001")
    return board


def told(entries):
    return [(e.item, e.use_case, e.outcome, e.commit, e.origin) for e in entries]


def test_an_entry_stands_on_the_item_and_on_its_use_case(ours):
    entry, new = ours.log(
        "BU3001", outcome="The page is kept", tests="12 passed", review="ok", score=90, seconds=600
    )
    assert new
    assert ours.work("US1001") == [entry]
    assert (entry.item, entry.use_case, entry.tests, entry.score, entry.seconds) == (
        *("BU3001", "US1001", "12 passed", 90, 600),
    )


def test_a_commit_is_noted_once_however_often_it_arrives(ours):
    commit = ours.commit(sha(1), "Keep the last page\n\nFixes BU3001, FE2001 and BU3999")
    first = ours.deliver(commit)
    assert [item.number for item in first.items] == ["BU3001", "FE2001"]
    assert first.notes == (f"commit {sha(1)[:10]} names BU3999, which this project does not have",)
    with ThreadPoolExecutor(6) as pool:
        again = list(pool.map(ours.deliver, [commit] * 6))
    assert not any(one.changed for one in again)
    assert told(ours.work("US1001")) == [
        ("BU3001", "US1001", "Keep the last page", sha(1), "commit"),
        ("FE2001", "US1001", "Keep the last page", sha(1), "commit"),
    ]
    assert ours.item("BU3001").state == "review"
    assert [h.action for h in ours.history("BU3001")] == ["created", "delivery"]


def test_the_same_commit_does_not_move_an_item_that_a_person_took_back(ours):
    commit = ours.commit(sha(1), "fixes BU3001")
    ours.deliver(commit)
    ours.set("BU3001", state="in-progress")
    ours.deliver(commit)
    assert ours.item("BU3001").state == "in-progress"
    ours.deliver(ours.commit(sha(2), "fixes BU3001"))
    assert ours.item("BU3001").state == "review"


def test_a_commit_older_than_the_number_meant_another_trackers(ours):
    old = ours.commit(sha(1), "fixes BU3001", at=START - timedelta(days=300))
    done = ours.deliver(old)
    assert (done.items, done.changed) == ((), False)
    assert done.notes == (f"commit {sha(1)[:10]} names BU3001, which is younger than the commit",)
    assert ours.item("BU3001").state == "open"


def test_done_stays_done(ours):
    ours.done("BU3001")
    ours.deliver(ours.commit(sha(1), "closes BU3001"))
    assert ours.item("BU3001").state == "done"
    assert len(ours.work("US1001")) == 1


def test_another_projects_item_is_never_touched(ours):
    other = ours.second_project()
    other.make("TA", "Theirs alone")
    done = ours.deliver(ours.commit(sha(1), "fixes TA4001"))
    assert done.items == ()
    assert other.item("TA4001").state == "open"


@pytest.mark.parametrize("rewrite_first", [True, False])
def test_an_amended_commit_is_not_a_second_delivery(ours, rewrite_first):
    ours.deliver(ours.commit(sha(1), "fixes BU3001"))
    if rewrite_first:
        ours.rewrite(sha(1), sha(2))
    amended = ours.commit(sha(2), "Keep the page, fixes BU3001")
    ours.deliver(amended)
    if not rewrite_first:
        ours.rewrite(sha(1), sha(2))
        ours.deliver(amended)
    assert [e.commit for e in ours.work("US1001")] == [sha(2)]
    assert [h.action for h in ours.history("BU3001")] == ["created", "delivery"]


def test_a_rebase_of_a_rebase_and_a_squash_leave_one_entry(ours):
    for number in (1, 2):
        ours.deliver(ours.commit(sha(number), "fixes BU3001"))
    ours.rewrite(sha(1), sha(3))
    ours.rewrite(sha(3), sha(5))
    ours.rewrite(sha(2), sha(5))
    ours.deliver(ours.commit(sha(5), "fixes BU3001"))
    assert [e.commit for e in ours.work("US1001")] == [sha(5)]


def test_an_item_taken_back_stays_back_when_its_commit_is_amended(ours):
    ours.deliver(ours.commit(sha(1), "fixes BU3001"))
    ours.set("BU3001", state="open")
    ours.rewrite(sha(1), sha(2))
    ours.deliver(ours.commit(sha(2), "fixes BU3001"))
    assert ours.item("BU3001").state == "open"


def test_the_skill_fills_in_what_the_commit_could_not_tell(ours):
    ours.deliver(ours.commit(sha(1), "Keep the page, fixes BU3001"))
    entry, new = ours.log(
        "BU3001", commit=sha(1)[:12], outcome="The last page is kept", tests="12 passed", score=95
    )
    assert not new
    assert (entry.commit, entry.origin, entry.tests, entry.score) == (sha(1), "agent", "12 passed", 95)
    assert told(ours.work("US1001")) == [("BU3001", "US1001", "The last page is kept", sha(1), "agent")]


def test_the_skill_may_be_faster_than_the_commit(ours):
    short = sha(10**39)[:10]
    ours.log("BU3001", commit=short, outcome="Kept")
    ours.deliver(ours.commit(sha(10**39), "fixes BU3001"))
    assert told(ours.work("US1001")) == [("BU3001", "US1001", "Kept", sha(10**39), "agent")]
    assert ours.item("BU3001").state == "review"


def test_what_two_people_wrote_of_squashed_commits_is_kept(ours):
    ours.log("BU3001", commit=sha(1), outcome="First half")
    ours.log("BU3001", commit=sha(2), outcome="Second half")
    ours.rewrite(sha(1), sha(3))
    ours.rewrite(sha(2), sha(3))
    ours.deliver(ours.commit(sha(3), "Both"))
    assert [(e.outcome, e.commit) for e in ours.work("US1001")] == [
        ("First half", sha(3)),
        (f"Second half (commit {sha(2)[:10]}, now part of {sha(3)[:10]})", None),
    ]


def test_entries_without_a_commit_may_be_many(ours):
    for _ in range(2):
        ours.log("BU3001", outcome="Looked into it")
    assert len(ours.work("US1001")) == 2


def test_an_entry_stays_with_the_use_case_it_was_made_under(ours):
    ours.make("US", "Another")
    ours.log("BU3001", outcome="Kept")
    ours.set("BU3001", use_case="US1002")
    assert [len(ours.work(use_case)) for use_case in ("US1001", "US1002")] == [1, 0]


def test_bad_entries_are_refused_with_a_sentence(ours):
    with pytest.raises(NothingTold):
        ours.log("BU3001", tests="12 passed")
    with pytest.raises(BadValue, match="a hash of at least seven characters"):
        ours.log("BU3001", commit="HEAD")
    with pytest.raises(BadValue, match="from 0 to 100"):
        ours.log("BU3001", outcome="x", score=101)
    for number in (1, 2):
        ours.commit(f"abcdef{number:034x}", "x")
    with pytest.raises(NotThere, match="several commits begin so"):
        ours.log("BU3001", outcome="x", commit="abcdef0")


def test_a_commit_that_names_nothing_touches_no_other_entry(ours):
    ours.deliver(ours.commit(sha(1), "fixes BU3001"))
    ours.rewrite(sha(1), sha(2))
    assert not ours.deliver(ours.commit(sha(7), "Unrelated")).changed
    assert [e.commit for e in ours.work("US1001")] == [sha(1)]
    with ours.database.tenant(ours.client) as c:
        assert follow_rewrites(c, ours.client, ours.project) == 1
    assert [e.commit for e in ours.work("US1001")] == [sha(2)]
