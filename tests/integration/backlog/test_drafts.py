"""Drafts: offered once, approved, edited, merged, rejected."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from backlog import drafts as decide
from backlog import offers
from backlog.drafts import Edit
from backlog.errors import (
    DraftDecided,
    DraftHasChildren,
    NoSuchDraft,
    NoTitle,
    OwnTarget,
    VersionStale,
)
from backlog.resting import add_evidence
from schema.drafts import drafts
from schema.ids import new_id
from schema.records import Draft, Evidence
from tests.integration.backlog.conftest import ANN, START, Board, sha


class Desk:
    """A board with drafts on it."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def offer(self, *proposals, origin="classified", at=START):
        b = self.board
        with b.database.tenant(b.client) as c:
            return offers.offer(c, b.client, b.project, proposals, origin=origin, by="limbeck", now=at)

    def act(self, name, *arguments, **options):
        b = self.board
        with b.database.tenant(b.client) as c:
            return getattr(decide, name)(c, b.client, b.project, *arguments, now=START, **options)

    def approve(self, draft, **options):
        return self.act("approve", draft, by=ANN, **options)

    def reject(self, draft, **options):
        return self.act("reject", draft, by=ANN, **options)

    def listed(self, *states):
        b = self.board
        with b.database.tenant(b.client) as c:
            return drafts(c, b.client, b.project, states=states or ("draft",))

    def titles(self, *states):
        return [(d.type, d.title) for d in self.listed(*states)]

    def one(self, title, *states):
        return next(d for d in self.listed(*(states or ("draft",))) if d.title == title)


@pytest.fixture
def desk(board):
    return Desk(board)


def said(*, at=START, kind="exchange", **more):
    return Evidence(kind, more.pop("id", None) or new_id(), at, **more)


def proposal(kind, title, *, key=None, evidence=None, **more):
    return Draft(kind, title, more.pop("text", ""), key or new_id(), (evidence or said(),), **more)


def family():
    """A use case with two drafts below it."""
    return (
        proposal("FE", "Invoices as CSV", parent="top"),
        proposal("BU", "The last page is lost", parent="top"),
        proposal("US", "Export invoices", key="top"),
    )


def test_a_use_case_comes_with_what_belongs_to_it(desk):
    assert len(desk.offer(*family()).added) == 3
    top, *rest = desk.listed()
    assert (top.type, top.title, top.parent) == ("US", "Export invoices", None)
    assert {d.parent for d in rest} == {top.id}
    assert all(d.item is None for d in desk.listed())  # no number before approval


def test_the_same_request_is_one_draft_that_names_all_its_evidence(desk):
    desk.offer(proposal("BU", "Login fails after the timeout"))
    again = desk.offer(proposal("BU", "login fails after a timeout!"), proposal("BU", "Logout fails"))
    assert (len(again.added), again.repeated) == (1, 1)
    assert len(desk.one("Login fails after the timeout").evidence) == 2


def test_what_is_an_item_already_only_adds_its_evidence(desk):
    desk.board.make("BU", "Login fails after the timeout")
    assert desk.offer(proposal("TA", "Fix: login fails after timeout")).repeated == 1
    assert desk.listed() == []
    assert len(desk.board.item("BU3001").evidence) == 1


def test_what_repeats_a_done_item_later_may_be_back(desk):
    desk.board.make("BU", "Login fails after the timeout")
    desk.board.done("BU3001")
    assert desk.offer(proposal("BU", "Login fails after the timeout", evidence=said(at=START))).repeated == 1
    later = said(at=START + timedelta(days=1))
    desk.offer(proposal("BU", "Login fails after the timeout", evidence=later))
    assert desk.listed()[0].reason == "like BU3001, which is done"


def test_a_rejected_draft_does_not_return_from_the_same_evidence_in_any_wording(desk):
    evidence = said()
    desk.offer(proposal("FE", "A dark mode", evidence=evidence))
    desk.reject(desk.one("A dark mode").id[:13], reason="not now")
    again = desk.offer(proposal("TA", "Paint everything black", evidence=evidence))
    assert (again.added, again.rejected) == ([], 1)
    assert desk.listed() == []
    assert len(desk.offer(proposal("FE", "A dark mode")).added) == 1  # somebody else asked for it


def test_what_a_distiller_wrote_becomes_a_draft_once(desk):
    session = desk.board.tell(
        ["P: Todo: rotate the signing keys every month", "P: Bug: the export loses its last page"]
    )
    desk.board.make("BU", "The export loses its last page")
    desk.board.distil(session)
    assert desk.listed() == []  # offered, not yet compared
    b = desk.board
    for _ in range(2):
        with b.database.tenant(b.client) as c:
            offers.settle(c, b.client, b.project, START)
        b.distil(session)
    assert [title for _, title in desk.titles()] == ["rotate the signing keys every month"]
    assert [d.item for d in desk.listed("merged")] == ["BU3001"]
    assert desk.listed()[0].evidence[0].session == session


def test_approval_gives_the_number_and_the_place(desk):
    desk.offer(*family())
    made = desk.approve(desk.one("Invoices as CSV").id)
    assert [(i.number, i.title, i.use_case, i.state) for i in made] == [
        ("US1001", "Export invoices", None, "open"),
        ("FE2001", "Invoices as CSV", "US1001", "open"),
    ]
    left = desk.one("The last page is lost")
    assert (left.parent, left.use_case) == (None, "US1001")
    assert [i.number for i in desk.approve(left.id)] == ["BU3001"]
    with pytest.raises(DraftDecided, match="is approved as BU3001 already"):
        desk.approve(left.id)


def test_a_whole_use_case_is_approved_at_once(desk):
    desk.offer(*family())
    made = desk.approve(desk.one("Export invoices").id, whole=True)
    assert sorted(i.number for i in made) == ["BU3001", "FE2001", "US1001"]
    assert {i.use_case for i in made if i.type != "US"} == {"US1001"}


def test_drafts_of_one_use_case_approved_at_once_share_it(desk):
    desk.offer(
        proposal("US", "Export", key="top"),
        *(proposal("BU", f"Broken part{n}", parent="top") for n in range(8)),
    )
    waiting = [d.id for d in desk.listed() if d.type == "BU"]
    with ThreadPoolExecutor(8) as pool:
        made = [item for items in pool.map(desk.approve, waiting) for item in items]
    assert sorted(i.number for i in made) == [*(f"BU{n}" for n in range(3001, 3009)), "US1001"]
    assert {i.use_case for i in made if i.type == "BU"} == {"US1001"}


def test_approving_one_draft_from_many_places_gives_one_number(desk):
    desk.offer(proposal("BU", "Login fails"))
    draft = desk.listed()[0].id

    def attempt(_):
        try:
            return desk.approve(draft)[0].number
        except DraftDecided:
            return None

    with ThreadPoolExecutor(6) as pool:
        assert sorted(filter(None, pool.map(attempt, range(6)))) == ["BU3001"]
    assert desk.board.make("BU", "The next").number == "BU3002"


def test_approval_may_change_what_is_approved(desk):
    desk.offer(proposal("BU", "Login fails"))
    desk.board.make("US", "Sign in")
    wanted = Edit(type="feature", title="Log in with a passkey", text="On phones too.", use_case="US1001")
    item = desk.approve(desk.listed()[0].id, wanted=wanted)[-1]
    assert (item.number, item.title, item.text, item.use_case) == (
        *("FE2001", "Log in with a passkey", "On phones too.", "US1001"),
    )


def test_what_a_commit_has_done_already_is_in_review_with_it_noted(desk):
    commit = desk.board.commit(sha(7), "fix: keep the last page")
    desk.offer(
        proposal("BU", "keep the last page", evidence=said(kind="commit", id=commit.id, commit=commit.sha))
    )
    item = desk.approve(desk.listed()[0].id)[0]
    assert item.state == "review"
    assert [(e.item, e.commit) for e in desk.board.backlog().work] == [("BU3001", sha(7))]


def test_an_edit_keeps_versions_apart(desk):
    desk.offer(proposal("BU", "Login fails"))
    draft = desk.listed()[0]
    assert desk.act("edit", draft.id, Edit(title="Login fails on Mondays"), expected=1).version == 2
    with pytest.raises(VersionStale):
        desk.act("edit", draft.id, Edit(title="x1"), expected=1)
    with pytest.raises(NoTitle):
        desk.act("edit", draft.id, Edit(title="  "))


def test_merging_into_a_draft_and_into_an_item_moves_the_evidence(desk):
    desk.offer(
        proposal("BU", "Login fails", text="On Mondays."), proposal("BU", "Cannot sign in", text="Weekly.")
    )
    one, other = desk.one("Cannot sign in"), desk.one("Login fails")
    desk.act("merge", one.id, other.id, by=ANN)
    both = desk.one("Login fails")
    assert (len(both.evidence), both.text) == (2, "On Mondays.\n\nWeekly.")
    desk.board.make("BU", "Sign-in is broken")
    merged = desk.act("merge", both.id, "bu3001", by=ANN)
    assert (merged.state, merged.item) == ("merged", "BU3001")
    assert len(desk.board.item("BU3001").evidence) == 2
    assert desk.board.history("BU3001")[-1].action == "merged"
    desk.offer(proposal("BU", "Something else"))
    with pytest.raises(OwnTarget):
        desk.act("merge", desk.listed()[0].id, desk.listed()[0].id, by=ANN)


def test_what_waits_below_a_merged_use_case_goes_along(desk):
    desk.board.make("US", "Billing")
    desk.board.make("BU", "Elsewhere")
    desk.offer(*family())
    top = desk.one("Export invoices")
    with pytest.raises(DraftHasChildren, match="only another use case can take them"):
        desk.act("merge", top.id, "BU3001", by=ANN)
    desk.act("merge", top.id, "US1001", by=ANN)
    assert {d.use_case for d in desk.listed()} == {"US1001"}


def test_rejecting_a_use_case_leaves_the_rest_waiting_unless_the_whole_is_meant(desk):
    desk.offer(*family())
    assert len(desk.reject(desk.one("Export invoices").id)) == 1
    assert {(d.parent, d.use_case) for d in desk.listed()} == {(None, None)}
    desk.offer(
        proposal("US", "Import receipts", key="other"), proposal("FE", "Scanned receipts", parent="other")
    )
    assert len(desk.reject(desk.one("Import receipts").id, whole=True)) == 2


def test_unknown_and_short_ids_are_refused(desk):
    for wanted in ("0000000000", "zz", "", "%"):
        with pytest.raises(NoSuchDraft):
            desk.approve(wanted)


def test_two_repeats_in_one_batch_both_leave_their_evidence(desk):
    first, second, third = said(), said(), said()
    desk.offer(proposal("BU", "The reset mail never arrives", evidence=first))
    again = [proposal("BU", "The reset mail never arrives", evidence=one) for one in (second, third)]
    assert desk.offer(*again).repeated == 2
    assert {one.id for one in desk.listed()[0].evidence} == {first.id, second.id, third.id}


def test_evidence_added_by_two_at_once_is_kept_of_both(desk):
    item = desk.board.make("BU", "The reset mail never arrives")
    told = [said() for _ in range(8)]

    def add(one):
        with desk.board.database.tenant(desk.board.client) as c:
            return add_evidence(c, desk.board.client, "items", item.id, [one, told[0]])

    with ThreadPoolExecutor(4) as pool:
        assert all(list(pool.map(add, told[1:])))
    kept = [one.id for one in desk.board.item(item.number).evidence]
    assert sorted(kept) == sorted(one.id for one in told)
