"""A page and its Markdown: back exactly, and refused with the line where it is broken."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projection.errors import BrokenPage
from projection.pages.page import CHILD_TYPES, Entry, Page, is_managed, titled, worded
from projection.pages.parse import STATES, parse
from projection.pages.render import render
from tests.unit.projection.build import NAME, TEXT, work

NASTY = st.lists(
    st.one_of(
        TEXT,
        st.sampled_from(
            [
                "## Items",
                "\\## items",
                "### FE2001 mine",
                "### Feature: mine",
                "\\\\### BU3001 x",
                "## What was done",
                "## Conflicts",
                "* FE2001 title: x",
                "Status: done",
                "\\Status: x",
                "```",
                "```python",
                "~~~~",
                "````",
                "   ```",
                "\\```",
                "# one",
                "#### four",
                "<<<<<<< HEAD",
                "=======",
                ">>>>>>> other",
                "---",
                "",
                "  ",
                "limbeck_page: x",
            ]
        ),
    ),
    max_size=8,
).map(lambda lines: worded("\n".join(lines)))
TITLE = (
    NAME.map(titled)
    .filter(lambda title: any(c.isalnum() for c in title))
    .map(lambda title: title.encode("utf-8", "replace").decode().replace("\x00", ""))
)


@st.composite
def pages(draw: st.DrawFn) -> Page:
    children = []
    for n in range(draw(st.integers(0, 3))):
        code = draw(st.sampled_from(sorted(CHILD_TYPES.values())))
        number = draw(st.sampled_from(["", f"{code}{2001 + n}"]))
        state = draw(st.sampled_from(["", *STATES]))
        children.append(Entry(number, code, draw(TITLE), draw(NASTY), state))
    pairs = st.tuples(
        st.sampled_from(["US1001", "FE2001"]), st.sampled_from(["title", "text", "state", "order", "gone"])
    )
    return Page(
        Entry("US1001", "US", draw(TITLE), draw(NASTY), draw(st.sampled_from(["", *STATES]))),
        tuple(children),
        draw(st.sampled_from(["", "0f3a", "1e10", "12345"])),
        draw(st.frozensets(pairs, max_size=2)),
    )


@settings(max_examples=200, deadline=None)
@given(pages(), NASTY)
def test_what_is_rendered_is_parsed_back_exactly(page, theirs):
    text = render(page, [work("FE2001", "done\n## Items")], dict.fromkeys(page.conflicts, theirs))
    assert parse(text) == page
    assert is_managed(text.encode())
    assert parse(text.replace("\n", "\r\n")) == page


def test_the_form_of_a_page():
    page = Page(
        Entry("US1001", "US", "Sign in", "People sign in with a passkey.", "in-progress"),
        (Entry("FE2001", "FE", "Token endpoint", "", "review"), Entry("", "BU", "Wrong clock", "It drifts.")),
        "0f3a",
    )
    assert render(page, [work("FE2001", "built it", "12 passed", seconds=90)]) == (
        "---\n"
        'limbeck_page: "US1001"\n'
        'base: "0f3a"\n'
        "---\n"
        "# US1001 Sign in\n"
        "\n"
        "Status: in-progress\n"
        "\n"
        "People sign in with a passkey.\n"
        "\n"
        "## Items\n"
        "\n"
        "### FE2001 Token endpoint\n"
        "\n"
        "Status: review\n"
        "\n"
        "### Bug: Wrong clock\n"
        "\n"
        "It drifts.\n"
        "\n"
        "## What was done\n"
        "\n"
        f"* 2026-03-02T12:00:00+00:00 **FE2001** built it (tests 12 passed; duration 90 s; commit {'c' * 12})\n"
    )


HEAD = "---\nlimbeck_page: US1001\n---\n"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("# US1001 Sign in\n", 1, "a page begins with frontmatter"),
        ("---\nlimbeck_page: US1001\n", 1, "no closing ---"),
        ("---\nlimbeck_page: [US1001\n---\n", 2, "not YAML"),
        ("---\nlimbeck_page: BU3001\n---\n# BU3001 x\n", 2, "the number of a use case"),
        (HEAD, 4, "the page's title is wanted"),
        (HEAD + "Sign in\n", 4, "the page's title is wanted"),
        (HEAD + "# US1002 Sign in\n", 4, "begins with the page's number"),
        (HEAD + "# US1001 ---\n", 4, "the title has no words"),
        (HEAD + "# US1001 x\n\nStatus: doing\n", 6, "a status is one of open, pending"),
        (HEAD + "# US1001 x\n\n### FE2001 y\n", 6, "stands outside of `## Items`"),
        (HEAD + "# US1001 x\n\n## Items\n\nwords\n", 8, "comes an item"),
        (HEAD + "# US1001 x\n\n## Items\n\n### y\n", 8, "an item's heading is `### FE2001 Title`"),
        (HEAD + "# US1001 x\n\n## Items\n\n### US1002 y\n", 8, "cannot be an item of a use case"),
        (HEAD + "# US1001 x\n\n## Items\n\n### Bug:\n", 8, "the title has no words"),
        (HEAD + "# US1001 x\n\n## Items\n\n### FE2001 y\n### FE2001 z\n", 9, "FE2001 stands here twice"),
        (HEAD + "# US1001 x\n\n## Items\n\n## Notes\n", 8, "put this above"),
        (HEAD + "# US1001 x\n\n```\nopen\n\n## Items\n", 6, "this code is not closed"),
        (HEAD + "# US1001 x\n\n<<<<<<< HEAD\na\n", 6, "a merge is not finished here"),
        (HEAD + "# US1001 x\n\n## What was done\n\n## Notes\n", 8, "put this above"),
    ],
)
def test_a_broken_page_is_refused_with_the_line(text, line, why):
    with pytest.raises(BrokenPage) as error:
        parse(text, "use_cases/a.md")
    assert str(error.value).startswith(f"use_cases/a.md, line {line}: ")
    assert why in str(error.value)


def test_what_people_write_by_hand_is_understood():
    words = "\n# US1001   Sign in\n\nstatus text\n\n## Notes\n\nmine\n\n## items\n### task: Do it\n"
    page = parse(HEAD + words + "Status: In Progress\nnow\n")
    assert page.top == Entry("US1001", "US", "Sign in", "status text\n\n## Notes\n\nmine")
    assert page.children == (Entry("", "TA", "Do it", "now", "in-progress"),)
