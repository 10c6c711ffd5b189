"""Stored text on a page: escaped, kept to its own direction, nothing hidden."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.web.shown import LONGEST, coded, line, plain, shown


class Reader(HTMLParser):
    """What a browser would make of it: the tags, and the text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


@pytest.mark.parametrize(
    "hostile",
    [
        "<img src=x onerror=alert(1)>",
        "</script><script>alert(1)</script>",
        '"><svg onload=x>',
        "</bdi></main>",
    ],
)
def test_markup_in_a_text_is_shown_and_does_nothing(hostile):
    found = read(shown(hostile))
    assert found.tags == ["bdi"]
    assert found.text == hostile


@given(st.text(max_size=300))
def test_no_text_makes_another_tag(text):
    assert set(read(shown(text)).tags) <= {"bdi", "span"}
    assert set(read(line(text)).tags) <= {"bdi", "span"}


def test_a_direction_override_is_written_out():
    html = shown("safe\u202egnp.exe")
    assert "\u202e" not in html
    assert '<span class="mark" title="right-to-left override">U+202E</span>' in html


@pytest.mark.parametrize("character", ["\u200b", "\ufeff", "\u2066", "\x1b", "\x00", "\U000e0041", "\u2028"])
def test_what_does_not_show_is_written_out(character):
    assert f"U+{ord(character):04X}" in shown(f"a{character}b")
    assert character not in shown(f"a{character}b")


def test_words_of_another_direction_stay_as_they_are():
    assert shown("שלום") == '<bdi dir="auto">שלום</bdi>'


def test_joiners_of_real_scripts_and_emoji_stay():
    assert "U+" not in shown("می‌خواهم 👩‍💻")


def test_a_removed_secret_is_marked():
    assert '<span class="redacted" title="A secret was removed here">[REDACTED:github-token]</span>' in shown(
        "key [REDACTED:github-token]"
    )


def test_a_cut_says_so_with_the_whole_length():
    html = shown("x" * 1_000_000)
    assert "cut: 4,000 of 1,000,000 characters shown" in html
    assert len(html) < LONGEST + 200


def test_a_line_has_no_breaks():
    assert read(line("a\n\n b\tc")).text == "a b c"


def test_plain_cuts_and_writes_out():
    assert plain("a\u202eb" + "c" * 300, 10) == "aU+202Ebccccccc…"


def test_nothing_is_an_empty_text():
    assert shown(None) == '<bdi dir="auto"></bdi>'


def test_what_stands_between_backticks_is_code_and_still_no_markup():
    assert coded("run `a <b>` now") == (
        '<bdi dir="auto">run </bdi><code><bdi dir="auto">a &lt;b&gt;</bdi></code><bdi dir="auto"> now</bdi>'
    )
    assert coded("one ` alone") == shown("one ` alone")
