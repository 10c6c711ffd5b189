"""``limbeck sessions``: the sessions the mirror holds."""

from __future__ import annotations

from typing import Annotated

import typer

from limbeck.commands.options import AsJson, Everywhere, ProjectName
from limbeck.context import opened, print_json
from limbeck.show import minute, short, table


def sessions(
    project: ProjectName = None,
    everywhere: Everywhere = False,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many, newest first.")] = 20,
    as_json: AsJson = False,
) -> int:
    """List sessions, newest first: state, counts, and what each came to."""
    from schema.scope import Scope
    from schema.sessions import listed

    with opened() as context, context.tenant() as connection:
        scope = context.project(connection, project, everywhere)
        within = Scope(context.client, None if scope is None else (scope,))
        rows = listed(connection, within, limit=limit)
    if as_json:
        print_json(rows)
        return 0
    if not rows:
        print(
            "No session yet. `limbeck install claude` begins to capture, `limbeck import PATH` reads old ones."
        )
        return 0
    headings = ("id", "last", "agent", "state", "said", "calls", "commits", "came to")
    table(
        (*headings, "project") if everywhere else headings,
        [
            (
                its_id,
                minute(row["last_at"]),
                row["agent"],
                row["state"] + (" (failed)" if row["distil_error"] else ""),
                str(row["exchanges"]),
                str(row["calls"]),
                str(row["commits"]),
                row["title"] or "",
                *([row["project"]] if everywhere else []),
            )
            for its_id, row in zip(short([row["session"] for row in rows]), rows, strict=True)
        ],
        prose=("came to", "project"),
    )
    return 0
