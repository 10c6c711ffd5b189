"""How people read what is stored: tables, times and short ids. Nothing in a stored text drives the terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from limbeck.visible import visible

WIDE = 200
GAP = "  "
SHORTEST = 13  # of a UUIDv7, all of its time: shorter ones are shared by whatever came in the same minute


def say(text: str) -> None:
    """Print stored text."""
    print(visible(text))  # noqa: T201 - what the command answers


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], prose: Collection[str] = ()) -> None:
    """Print rows under headings. At a terminal the columns named in ``prose`` fold to its width, and no other does.

    Where nobody looks at a terminal each row is one line, without blanks at its end.
    """
    cells = [[visible(" ".join(cell.split())) for cell in row] for row in rows]
    console = Console(highlight=False)
    if not console.is_terminal:
        _lines([list(headings), *cells])
        return
    shown = Table(box=None, pad_edge=False)
    for heading in headings:
        shown.add_column(heading, overflow="fold", no_wrap=heading not in prose)
    for row in cells:
        shown.add_row(*(escape(cell) for cell in row))
    console.print(shown)


def _lines(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True))
        print(GAP.join(padded).rstrip())  # noqa: T201 - what the command answers


def moment(at: datetime | None) -> str:
    """A time in the reader's zone, to the second."""
    return "" if at is None else at.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def minute(at: datetime | None) -> str:
    """A time in the reader's zone, to the minute: for tables."""
    return moment(at)[:16]


def day(at: datetime | None) -> str:
    """A time's day in the reader's zone."""
    return moment(at)[:10]


def short(ids: Sequence[str]) -> list[str]:
    """The beginnings by which ``ids`` are told apart: a UUIDv7's time, or more where that is not enough."""
    length = SHORTEST
    while len({one[:length] for one in ids}) < len(set(ids)):
        length += 1
    return [one[:length] for one in ids]


def one_id(identifier: str) -> str:
    """The beginning by which one id is told from all others, as far as its time tells it."""
    return identifier[:SHORTEST]


def counted(count: int, thing: str) -> str:
    """A number with its noun: ``1 file``, ``2 files``."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"
