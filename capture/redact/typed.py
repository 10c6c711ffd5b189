"""Typed tokens: look for each row's literal, then match its pattern there."""

from capture.redact import tokens_clouds, tokens_forges, tokens_inner, tokens_models, tokens_services
from capture.redact.programs import Program, program
from capture.redact.public import public_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from capture.redact.finders import Spans
    from capture.redact.view import View

TABLES = (tokens_models.ROWS, tokens_forges.ROWS, tokens_clouds.ROWS, tokens_services.ROWS)
# Where "~" stands: no letter or digit before, but an escape such as \n, %3D or \u003d may end there.
BOUNDARY = (
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f][0-9A-Fa-f])|(?<=\\u00[0-9A-Fa-f][0-9A-Fa-f]))"
)
# A visit to our pages or a link into them: the client and an id stay, the secret goes (server/web/visits makes them).
_VISIT = Program("typed.visit", r"(?<=[A-Za-z0-9.-])_[0-9a-f]{16}_([0-9a-f]{64})(?![0-9A-Za-z])")
_LEAST_VISIT = 83
_SHORTEST = 14
_REACH = 600


def source(pattern: str) -> str:
    """Return the expression a row's pattern stands for."""
    return BOUNDARY + pattern[1:] if pattern[:1] == "~" else pattern


def declare_all() -> None:
    """Declare every row's pattern, for ``programs.all_programs``."""
    for key, pattern in _sources():
        Program(key, pattern)


def _sources() -> "Iterator[tuple[str, str]]":
    for table, rows in enumerate(TABLES):
        for at, row in enumerate(rows):
            yield f"typed.{table}.{at}", source(row[2])
    for at, inner in enumerate(tokens_inner.ROWS):
        yield f"typed.inner.{at}", inner[3]


def names() -> "Iterator[str]":
    """Every marker name the rows may give."""
    for rows in TABLES:
        for row in rows:
            yield row[0]
    for inner in tokens_inner.ROWS:
        yield inner[0]
    yield "limbeck-visit"


def dull(token: str) -> bool:
    """Whether a match is a placeholder: fewer than five distinct characters at its end, or an EXAMPLE."""
    tail = token[-16:]
    return len(set(tail)) < 5 or token.endswith(("EXAMPLE", "EXAMPLEKEY")) or "xxxxxx" in token.lower()


def find(view: "View", spans: "Spans") -> None:
    """Add the span of every typed token in the text of ``view``; no token is small letters only."""
    before = len(spans)
    text = view.text
    runs = "\n".join([run for run in view.telling if len(run) >= _SHORTEST])
    if not runs:
        return
    if any(len(run) >= _LEAST_VISIT and "_" in run for run in view.telling):
        spans.extend((*match.span(1), "limbeck-visit") for match in _VISIT().finditer(text))
    for table, rows in enumerate(TABLES):
        for at, row in enumerate(rows):
            for literal in row[1]:
                if literal in runs:
                    _at_literal(text, literal, row[0], program(f"typed.{table}.{at}", source(row[2])), spans)
    for at, inner in enumerate(tokens_inner.ROWS):
        for literal in inner[1]:
            if literal in runs:
                _around_literal(text, literal, inner, program(f"typed.inner.{at}", inner[3]), spans)
    keys = public_keys(text)
    if keys:
        spans[before:] = [
            one for one in spans[before:] if not any(a <= one[0] and one[1] <= b for a, b in keys)
        ]


def _at_literal(text: str, literal: str, name: str, pattern: "re.Pattern[str]", spans: "Spans") -> None:
    at = text.find(literal)
    while at >= 0:
        match = pattern.match(text, at)
        if match is None:
            at = text.find(literal, at + 1)
            continue
        start, end = match.span(match.re.groups and 1)
        if not dull(text[start:end]):
            spans.append((start, end, name))
        at = text.find(literal, match.end())


def _around_literal(
    text: str,
    literal: str,
    row: tuple[str, tuple[str, ...], int, str, str, str],
    pattern: "re.Pattern[str]",
    spans: "Spans",
) -> None:
    at = text.find(literal)
    done = 0
    while at >= 0:
        match = pattern.search(text, max(done, at - row[2]), at + _REACH)
        if match is None:  # nothing begins in the first half of the window either
            done = at + _REACH // 2
        else:
            done = match.end()
            if not dull(match[0]):
                spans.append((match.start(), done, row[0]))
        at = text.find(literal, done)
