"""The operations as a table for people: what docs/server.md shows, and what `limbeck call --list --markdown` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from server.mcp.core import CORE
from server.operation import Operation
from server.rest.openapi import plain

HEAD = "| tool | route | right | what it answers |\n|---|---|---|---|"


def table(operations: Sequence[Operation[Any, Any]]) -> str:
    """Return the operations by subject, each subject a table, as Markdown."""
    return "\n".join(_lines(operations))


def _lines(operations: Sequence[Operation[Any, Any]]) -> Iterator[str]:
    ordered = sorted(operations, key=lambda one: (one.tag, plain(one.path), one.method))
    for tag, found in groupby(ordered, key=lambda one: one.tag):
        yield f"\n### {tag}\n"
        yield HEAD
        for one in found:
            name = f"`{one.name}`" if one.tool else f"(`{one.operation_id}`)"
            name = f"{name} *all*" if one.tool and one.name not in CORE else name
            name = f"[`{one.operation_id}`]" if one.by_hand else name
            yield f"| {name} | `{one.method} {plain(one.path)}` | {one.right} | {_cell(one.purpose)} |"


def _cell(purpose: str) -> str:
    """The first sentence; what follows tells an agent how to use it."""
    first = purpose.split(". ", maxsplit=1)[0].rstrip(".").replace("|", "\\|")
    return " ".join(first.split())
