"""Which proposals are one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlog.likeness import Said, alike, belongs

SAME = [
    ("Login fails after the timeout", "login fails after a timeout!"),
    ("Fix the login timeout", "The login timeout must be fixed"),
    ("We need CSV export for invoices", "Add CSV exports of invoices"),
    ("Retry uploads", "Uploads should be retried"),
    ("Export invoices as CSV", "Export invoices as CSV with a header line"),
]
OTHER = [
    ("Export invoices as CSV", "Export invoices as JSON"),
    ("Login crashes on Safari when offline", "Login crashes on Firefox when offline"),
    ("Add dark mode", "Remove dark mode"),
    ("Login", "Login fails after the timeout"),
    ("Support TLS 1.2", "Support TLS 1.3"),
    ("Fix it", "Add that"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_request_in_two_wordings(one, other):
    assert alike(Said("BU", one), Said("TA", other))
    assert not alike(Said("US", one), Said("TA", other))  # a use case is never what belongs to it


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_two_requests_that_look_alike(one, other):
    assert not alike(Said("BU", one), Said("BU", other))


def test_one_evidence_needs_half_of_the_words():
    here = frozenset({"prompt"})
    one = Said("FE", "Customers download invoices as spreadsheet", here)
    assert alike(one, Said("FE", "Spreadsheet download of all receipts for customers", here))
    assert not alike(one, Said("FE", "Rotate the signing keys", here))


@given(st.text(max_size=80), st.text(max_size=80))
def test_likeness_is_mutual_and_everything_is_like_itself(one, other):
    assert alike(Said("FE", one), Said("FE", other)) == alike(Said("FE", other), Said("FE", one))
    assert alike(Said("FE", one), Said("FE", one))


def test_a_child_belongs_where_most_of_its_words_are():
    cases = [("a", "Export invoices for the accountant"), ("b", "Sign in with a passkey")]
    assert belongs("Invoices exported as CSV", cases) == "a"
    assert belongs("The passkey prompt never signs in", cases) == "b"
    assert belongs("Invoices", cases) is None
