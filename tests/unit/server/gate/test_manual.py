"""docs/server.md shows the operations that there are."""

from __future__ import annotations

from pathlib import Path

from server.operations import ALL
from server.rest.table import table

ROOT = Path(__file__).resolve().parents[4]
BEGIN, END = "<!-- operations -->", "<!-- /operations -->"


def test_the_table_of_the_manual_is_in_step():
    text = (ROOT / "docs" / "server.md").read_text("utf-8")
    shown = text.partition(BEGIN)[2].partition(END)[0]
    assert shown.strip() == table(ALL).strip(), (
        "put what `limbeck call --list --markdown` prints between the marks"
    )
