"""What a commit's message delivers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlog.references import delivered, mentioned

TOLD = [
    ("fixes BU3001", "BU3001"),
    ("Fix BU3001", "BU3001"),
    ("FIXED bu3001.", "BU3001"),
    ("close FE2002", "FE2002"),
    ("Closes: FE2002", "FE2002"),
    ("closed fe2002;", "FE2002"),
    ("resolve TA4001", "TA4001"),
    ("Resolves TA4001", "TA4001"),
    ("RESOLVED TA4001", "TA4001"),
    ("fixes BU3001, FE2002 and TA4001", "BU3001 FE2002 TA4001"),
    ("fixes BU3001,FE2002,TA4001", "BU3001 FE2002 TA4001"),
    ("fixes BU3001 & FE2002", "BU3001 FE2002"),
    ("fixes BU3001 FE2002", "BU3001 FE2002"),
    ("fixes BU3001,\n  FE2002, and PO5001", "BU3001 FE2002 PO5001"),
    ("fixes BU3001 and closes RE6001", "BU3001 RE6001"),
    ("Stream the export (fixes BU3001)", "BU3001"),
    ("fix(auth): BU3001 login loops", "BU3001"),
    ("fix!: BU3001", "BU3001"),
    ("fixes #BU3001", "BU3001"),
    ("fixes [BU3001]", "BU3001"),
    ("fixes the bug BU3001", "BU3001"),
    ("closes use case US1001", "US1001"),
    ("fixes BU-3001", "BU3001"),
    ("fixes #12, APP-7 and BU3001", "BU3001"),
    ("fixes BU3001 and fixes BU3001", "BU3001"),
    ("Subject\n\nFixes: BU3001\nCloses: FE2002", "BU3001 FE2002"),
    ("fixes BU10001", "BU10001"),
    # what delivers nothing
    ("see BU3001", ""),
    ("BU3001: login loops", ""),
    ("prefixes BU3001", ""),
    ("hotfix BU3001", ""),
    ("fixes XX3001", ""),
    ("fixes BU300", ""),
    ("fixes BU3001x", ""),
    ("does not fix BU3001", ""),
    ("doesn't fix BU3001", ""),
    ("This will not yet fix BU3001", ""),
    ('Revert "Stop the loop, fixes BU3001"\n\nThis reverts commit 0123456.', ""),
    ("fixes BU3001\n\nFE2002 is next", "BU3001"),
    ("fixing BU3001", ""),
    ("", ""),
]


@pytest.mark.parametrize(("message", "numbers"), TOLD)
def test_what_a_message_delivers(message, numbers):
    assert delivered(message) == tuple(numbers.split())


KEYWORDS = [*("fix", "fixes", "fixed", "close", "closes", "closed", "resolve", "resolves", "resolved")]
STARTS = {"US": 1001, "FE": 2001, "BU": 3001, "TA": 4001, "PO": 5001, "RE": 6001}
numbers = st.builds(
    lambda kind, more: f"{kind}{STARTS[kind] + more}", st.sampled_from(list(STARTS)), st.integers(0, 900)
)
any_case = st.sampled_from([str.lower, str.upper, str.title, str])


@given(
    st.sampled_from(KEYWORDS),
    st.lists(numbers, min_size=1, max_size=6, unique=True),
    st.sampled_from([", ", ",", " and ", " & ", " ", ", and ", "; ", " + ", "/"]),
    any_case,
    any_case,
    st.sampled_from([" ", ": ", ":"]),
    st.sampled_from(["", "Stop the loop. ", "Subject\n\n", "("]),
    st.sampled_from(["", ".", ")", "\n\nMore words.", " for good"]),
)
def test_every_form_of_a_list_is_read_whole(keyword, wanted, joined, case, id_case, colon, before, after):
    message = before + case(keyword) + colon + joined.join(id_case(number) for number in wanted) + after
    assert delivered(message) == tuple(wanted)


@given(st.text())
def test_any_text_is_read_and_what_it_delivers_it_mentions(text):
    assert set(delivered(text)) <= set(mentioned(text))


@given(st.lists(numbers, max_size=4), st.text(alphabet="abdghjkmnopqtuvwyz ,.\n", max_size=60))
def test_without_a_keyword_nothing_is_delivered(wanted, words):
    assert delivered(f"{words} {' '.join(wanted)} {words}") == ()
