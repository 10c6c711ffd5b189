"""``limbeck trace``: where something came from, and what it led to."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.tree import Tree

from limbeck.commands.forms import words
from limbeck.commands.named import ANYTHING, whole
from limbeck.commands.options import AsJson
from limbeck.context import opened, print_json
from limbeck.show import WIDE, minute
from limbeck.visible import visible

if TYPE_CHECKING:
    from schema.trace import Node, Trace

HEADINGS = (
    ("because", "rests on"),
    ("sessions", "session"),
    ("prompts", "asked for by"),
    ("commits", "commits"),
    ("symbols", "changed"),
    ("led_to", "led to"),
)


def trace(
    identifier: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            callback=words,
            help="A fact, event, summary, draft, item, session, commit, memory, document, proposal, mirror row (or its "
            "first characters), or a captured event.",
        ),
    ],
    as_json: AsJson = False,
) -> int:
    """Walk from a fact, event or summary to its mirror rows, session, prompt and commit, or from those back.

    Evidence that retention dropped is still named, with the date it was dropped.
    """
    from limbeck.server import owner
    from schema.scope import Scope
    from schema.trace import trace as follow
    from server.memory import typeid

    user = owner.name()
    with opened() as context, context.database.tenant(context.client, user) as connection:
        meant = whole(connection, context.client, typeid.plain(identifier), ANYTHING)
        found = follow(connection, Scope(context.client, None, user), meant)
    if as_json:
        print_json(asdict(found))
        return 0
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(tree(found))
        return 0
    wide = Console(highlight=False, width=WIDE)
    with wide.capture() as capture:
        wide.print(tree(found))
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))
    return 0


def tree(found: Trace) -> Tree:
    """The trace as a tree for a terminal."""
    root = Tree(_line(found.what))
    for name, heading in HEADINGS:
        nodes = [node for node in getattr(found, name) if node.id != found.what.id]
        if nodes:
            branch = root.add(heading)
            for node in nodes:
                branch.add(_line(node))
    return root


def _line(node: Node) -> str:
    said = node.text
    if node.dropped_at is not None:
        said = f"dropped by retention on {node.dropped_at:%Y-%m-%d}"
    elif node.forgotten_at is not None:
        said = f"forgotten on {node.forgotten_at:%Y-%m-%d}"
    sure = f" (found by {node.link})" if node.link else ""
    return escape(visible(f"{node.kind} {node.id[:13]}  {minute(node.at)}  {said}{sure}"))
