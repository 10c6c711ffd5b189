"""``limbeck observations``: tool calls in compact form."""

from __future__ import annotations

from typing import Annotated

import typer

from limbeck.commands.forms import words
from limbeck.commands.options import TIMES, AsJson, Everywhere, ProjectName, since_time
from limbeck.context import opened, print_json
from limbeck.show import minute, table


def observations(
    session: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            callback=words,
            help="One session, by the agent's id or ours, or its first characters.",
        ),
    ] = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    since: Annotated[str | None, typer.Option(metavar="TIME", help=f"From this time on: {TIMES}.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many, newest first.")] = 50,
    as_json: AsJson = False,
) -> int:
    """List tool calls, newest first. Identical ones within five minutes are one line with their count."""
    from schema import reading, sessions
    from schema.scope import Scope

    start = since_time(since)
    with opened() as context, context.tenant() as connection:
        if session is not None:
            session = sessions.named(connection, Scope(context.client), session)
        scope = None if session else context.project(connection, project, everywhere)
        rows = reading.observations(
            connection, context.client, project=scope, session=session, since=start, limit=limit
        )
    if as_json:
        print_json(rows)
        return 0
    if not rows:
        print("No observation here yet.")
        return 0
    table(
        ("at", "agent", "tool", "what", "outcome", "times"),
        [
            (
                minute(row["at"]),
                row["agent"] + (f" / {row['subagent_type']}" if row["subagent_type"] else ""),
                row["tool"],
                row["target"] or row["shape"] or " ".join(row["files"]),
                row["outcome"] + (f" ({row['exit_code']})" if row["exit_code"] else ""),
                str(row["count"]),
            )
            for row in rows
        ],
        prose=("what", "agent", "tool"),
    )
    return 0
