"""A gate never keeps a finder from a text that it finds something in."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capture.redact import (
    assign,
    calls,
    cards,
    columns,
    commands,
    cues,
    encoded,
    entropy,
    files,
    finders,
    headers,
    keys,
    normal,
    pipes,
    prose,
    short,
    spoken,
    sql,
    tools,
    typed,
    urls,
)
from capture.redact.view import View
from limbeck.bench.keep import KEEP
from limbeck.bench.redact import samples
from limbeck.bench.samples import expand
from tests.unit.capture.redact.test_engine import PIECES
from tests.unit.capture.redact.unseen import cases

FINDERS = (
    keys, urls, headers, assign, commands, pipes, sql, files, prose, spoken, calls, columns, cards, entropy, short,
)  # fmt: skip
RUNS = st.text("abcxyzABXYZ0159+/=_-.:%@!", min_size=8, max_size=90)
TEXTS = st.lists(st.one_of(PIECES, RUNS, st.text(max_size=12)), max_size=14).map("".join)


def texts() -> Iterator[str]:
    """Two of every shape we know, what must be kept, and shapes kept apart."""
    rng = random.Random(23)
    yield from (sample.text for sample in samples(2, rng))
    yield from (expand(template, rng) for template in KEEP)
    yield from (text for _, text, _ in cases(seed=5))


def found(view: View) -> list[tuple[int, int, str]]:
    """What all finders find where each is asked."""
    spans: list[tuple[int, int, str]] = []
    typed.find(view, spans)
    for finder in FINDERS:
        finder.find(view, spans)
    encoded.find(view, spans, lambda plain: bool(found(View(plain))))
    return spans


def gated(view: View) -> list[tuple[int, int, str]]:
    """What the gates let be found."""
    spans: list[tuple[int, int, str]] = []
    for find in finders.ALL:
        find(view, spans)
    finders.encoded(view, spans, lambda plain: bool(found(View(plain))))
    return spans


def test_known_shapes_pass_their_gates() -> None:
    for text in texts():
        view = View(text)
        assert sorted(gated(view)) == sorted(found(view)), text
        assert finders.unfolded(text) == normal.unfold(text), text


@settings(max_examples=600, deadline=None)
@given(TEXTS)
def test_any_text_passes_the_gates_of_what_finds_in_it(text: str) -> None:
    view = View(text)
    assert sorted(gated(view)) == sorted(found(view))
    assert finders.unfolded(text) == normal.unfold(text)


def test_every_program_with_secret_arguments_is_a_cue() -> None:
    assert set(cues.PROGRAMS.split()) == tools.programs()


@pytest.mark.parametrize("text", ["look at src/report/export.py and say why", "fix it: all of it, please"])
def test_words_alone_load_no_finder(text: str) -> None:
    assert gated(View(text)) == []
    assert View(text).telling == []
