"""``limbeck remember``: keep something under a key."""

from __future__ import annotations

from typing import Annotated

import typer

from limbeck.commands.options import BIGGEST, AsJson
from limbeck.context import print_json
from limbeck.show import say

SCOPE = "global, agent:ID or project:NAME."
Scope = Annotated[str, typer.Option(metavar="SCOPE", help=SCOPE)]


def remember(
    key: Annotated[str, typer.Argument(help="A short name; the same key is replaced.")],
    value: Annotated[str, typer.Argument(help="What to keep, without secrets.")],
    scope: Scope = "global",
    version: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=BIGGEST,
            help="The version you have read (0: none); refused where another stands there.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Keep something for yourself and your agents; `limbeck memory recall` reads a scope again.

    It can be recalled at once. What it replaces is told, and its earlier values are kept until it is forgotten.
    """
    from limbeck.server.local import checked, performing
    from server.operations.remember import OPERATIONS

    given = {"scope": scope, "key": key, "value": value, "version": version}
    checked(OPERATIONS[0], given)
    with performing() as (performer, principal):
        kept = performer.perform(principal, OPERATIONS[0], given, "command")
    if as_json:
        print_json(kept.model_dump(mode="json", by_alias=True))
    else:
        say(str(kept.model_dump()["note"]))
    return 0
