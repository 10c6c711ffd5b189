"""What both sides and what they agreed on come to."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projection.pages.merge import Unknown, Verb, merge, resolved
from projection.pages.page import Entry, Page

TOP = Entry("US1001", "US", "Sign in", "text", "open")
FE, BU = Entry("FE2001", "FE", "Endpoint", "", "open"), Entry("BU3001", "BU", "Clock", "", "open")
BASE = Page(TOP, (FE, BU))


def changed(page: Page, number: str, **fields: str) -> Page:
    def over(entry: Entry) -> Entry:
        return replace(entry, **fields) if entry.number == number else entry

    return replace(page, top=over(page.top), children=tuple(over(child) for child in page.children))


def asked(merged):
    return [(edit.verb.value, edit.number, dict(edit.fields)) for edit in merged.edits]


def test_what_is_alike_asks_for_nothing():
    merged = merge(BASE, BASE, BASE)
    assert (merged.edits, merged.conflicts, merged.dropped) == ((), frozenset(), frozenset())


def test_an_edit_of_the_page_reaches_the_database_and_the_databases_the_page():
    page = changed(changed(BASE, "FE2001", state="review"), "US1001", title="Log in")
    database = changed(BASE, "BU3001", title="Wrong clock")
    merged = merge(BASE, page, database)
    assert asked(merged) == [
        ("change", "US1001", {"title": "Log in"}),
        ("change", "FE2001", {"state": "review"}),
    ]
    assert not merged.conflicts
    assert resolved(page, database, merged)[0].children[1].title == "Wrong clock"


def test_both_changed_keeps_both_until_the_entry_is_deleted():
    page = changed(BASE, "FE2001", title="Mine")
    database = changed(BASE, "FE2001", title="Theirs")
    merged = merge(BASE, page, database)
    assert (merged.edits, merged.conflicts) == ((), {("FE2001", "title")})
    written, theirs = resolved(page, database, merged)
    assert written.children[0].title == "Mine"
    assert theirs == {("FE2001", "title"): "Theirs"}
    # the base is the database's from then on; while the entry stands nothing moves
    again = merge(database, written, database)
    assert (again.edits, again.conflicts) == ((), {("FE2001", "title")})
    assert asked(merge(database, replace(written, conflicts=frozenset()), database)) == [
        ("change", "FE2001", {"title": "Mine"})
    ]
    taken = changed(written, "FE2001", title="Theirs")
    assert merge(database, taken, database).conflicts == frozenset()


def test_both_changed_to_the_same_is_no_conflict():
    both = changed(BASE, "FE2001", title="Same")
    assert merge(BASE, both, both).conflicts == frozenset()


def test_without_a_base_whatever_differs_waits():
    assert merge(None, changed(BASE, "US1001", text="mine"), BASE).conflicts == {("US1001", "text")}


def test_a_new_item_is_created_once_also_after_a_run_that_died():
    page = replace(BASE, children=(FE, Entry("", "TA", "Do it"), BU))
    merged = merge(BASE, page, BASE)
    assert [edit.verb for edit in merged.edits] == [Verb.CREATE, Verb.REORDER]
    assert merged.edits[1].order == ("FE2001", "+0", "BU3001")
    created = replace(BASE, children=(FE, Entry("TA4001", "TA", "Do it", "", "open"), BU))
    assert merge(BASE, page, created).edits == ()


def test_an_item_missing_in_the_page_comes_back():
    page = replace(BASE, children=(BU,))
    merged = merge(BASE, page, BASE)
    assert merged.edits == ()
    assert resolved(page, BASE, merged)[0].children == (FE, BU)


def test_an_item_that_the_database_lost_leaves_unless_it_was_edited():
    database = replace(BASE, children=(FE,))
    assert merge(BASE, BASE, database).dropped == {"BU3001"}
    page = changed(BASE, "BU3001", text="mine")
    merged = merge(BASE, page, database)
    assert merged.conflicts == {("BU3001", "gone")}
    written, _ = resolved(page, database, merged)
    assert written.children[1].text == "mine"
    assert merge(database, written, database).conflicts == {("BU3001", "gone")}


def test_an_item_of_nowhere_is_refused():
    with pytest.raises(Unknown):
        merge(BASE, replace(BASE, children=(FE, Entry("TA4009", "TA", "x", line=9))), BASE)


def test_orders():
    turned = replace(BASE, children=(BU, FE))
    assert merge(BASE, turned, BASE).edits[0].order == ("BU3001", "FE2001")
    assert merge(BASE, BASE, turned).edits == ()
    third = Entry("TA4001", "TA", "x", "", "open")
    base = replace(BASE, children=(FE, BU, third))
    mine, theirs = replace(base, children=(BU, FE, third)), replace(base, children=(third, FE, BU))
    merged = merge(base, mine, theirs)
    assert merged.conflicts == {("US1001", "order")}
    written, said = resolved(mine, theirs, merged)
    assert written.children == mine.children
    assert said == {("US1001", "order"): "TA4001, FE2001, BU3001"}


SIDE = st.fixed_dictionaries(
    {name: st.sampled_from(["a", "b", "c"]) for name in ("title", "text")}
    | {"state": st.sampled_from(["open", "review"])}
)


@settings(max_examples=300, deadline=None)
@given(SIDE, SIDE, SIDE)
def test_nothing_is_ever_lost(before, mine, theirs):
    """Each side's change is in the database, on the page or told as a conflict; and applying it all ends in peace."""
    base, page, database = (changed(BASE, "FE2001", **side) for side in (before, mine, theirs))
    merged = merge(base, page, database)
    after = database
    for edit in merged.edits:
        after = changed(after, edit.number, **edit.fields)
    written, said = resolved(page, after, merged)
    for name in ("title", "text", "state"):
        if mine[name] != before[name]:
            assert mine[name] in (getattr(written.children[0], name), getattr(after.children[0], name))
        if theirs[name] != before[name]:
            assert theirs[name] == getattr(after.children[0], name)
            assert theirs[name] in (getattr(written.children[0], name), said.get(("FE2001", name)))
    still = merge(after, written, after)
    assert (still.edits, still.conflicts) == ((), merged.conflicts)
