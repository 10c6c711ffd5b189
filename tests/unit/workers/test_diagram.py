"""The documented diagram is the one the code follows."""

from __future__ import annotations

from pathlib import Path

from workers.diagram import mermaid

DOCS = Path(__file__).parents[3] / "docs" / "sessions.md"


def test_the_docs_show_the_table():
    shown = DOCS.read_text("utf-8").split("```mermaid\n")[1].split("\n```")[0]
    assert shown == mermaid()
    assert "active --> ended: end / distil" in shown
    assert "distilled --> reopened: activity" in shown
