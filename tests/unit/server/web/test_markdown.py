"""A preview shows Markdown and nothing that acts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.web.markdown import LONGEST, rendered

from .test_shown import read

HARMLESS = {
    "div",
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "em",
    "strong",
    "code",
    "pre",
    "blockquote",
    "hr",
    "br",
    "a",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}


def test_headings_lists_and_tables_are_drawn():
    html = rendered("# One\n\n- a\n- **b**\n\n| x | y |\n| - | - |\n| 1 | 2 |\n")
    assert {"h1", "ul", "li", "strong", "table", "td"} <= set(read(html).tags)


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=x>",
        "<a href=x>y</a>",
    ],
)
def test_tags_are_shown_as_text(hostile):
    assert set(read(rendered(hostile)).tags) <= {"div", "p"}


def test_a_picture_is_a_link_that_loads_nothing():
    assert set(read(rendered("![x](https://evil.example/p.png)")).tags) == {"div", "p", "a"}


@pytest.mark.parametrize("scheme", ["javascript", "data", "vbscript", "file", "JaVaScRiPt"])
def test_a_link_that_acts_is_no_link(scheme):
    assert "a" not in read(rendered(f"[x]({scheme}:alert)")).tags


@pytest.mark.parametrize(
    "place",
    [
        "//evil.example",
        "\\/\\/evil.example",
        "/\\\\evil.example",
        "%2F/evil.example",
        "/%2Fevil.example",
        "/%5Cevil.example",
        "<  //evil.example>",
        "&#47;/evil.example",
        "/&Tab;/evil.example",
        "/%09/evil.example",
        "https:evil.example",
        "https:///evil.example",
        "a//b",
        "http://",
    ],
)
def test_a_link_that_leaves_without_saying_so_is_no_link(place):
    assert "a" not in read(rendered(f"[x]({place})")).tags
    assert "a" not in read(rendered(f"[x]\n\n[x]: {place}")).tags


@pytest.mark.parametrize(
    "place",
    [
        "https://docs.example/x",
        "HTTP://docs.example//x",
        "mailto:a@b.example",
        "#part",
        "guide.md",
        "../guide.md#a//b",
        "/facts?q=a//b",
        "?page=2",
    ],
)
def test_a_link_to_a_page_is_one(place):
    assert f'<a href="{place}">' in rendered(f"[x]({place})")


@given(st.text(max_size=400))
def test_no_text_makes_a_tag_that_is_not_harmless(text):
    assert set(read(rendered(text)).tags) <= HARMLESS


def test_what_hides_is_written_out_and_a_cut_is_told():
    assert "⟦U+202E⟧" in rendered("a\u202eb")
    assert f"of {LONGEST + 5:,} characters" in rendered("x" * (LONGEST + 5))
