"""Tables and times as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rich.console import Console
from rich.markup import escape
from rich.table import Table

WIDE = 200


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under headings; wide where nobody looks at a terminal, so that nothing is folded for a pipe."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDE)
    shown = Table(box=None, pad_edge=False)
    for heading in headings:
        shown.add_column(heading, overflow="fold")
    for row in rows:
        shown.add_row(*(escape(cell) for cell in row))
    console.print(shown)


def moment(at: datetime | None) -> str:
    """A time in the reader's zone, to the second."""
    return "" if at is None else at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
