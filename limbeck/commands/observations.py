"""``limbeck observations``: tool calls in compact form."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

from limbeck.commands.options import AsJson, Everywhere, ProjectName
from limbeck.context import opened, print_json
from limbeck.show import moment, table

FORMATS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%z"]


def observations(
    session: Annotated[str | None, typer.Option(help="One session, by the agent's id or ours.")] = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    since: Annotated[datetime | None, typer.Option(formats=FORMATS, help="From this time on (UTC).")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many, newest first.")] = 50,
    as_json: AsJson = False,
) -> int:
    """List tool calls, newest first. Identical ones within five minutes are one line with their count."""
    from schema import reading

    with opened() as context, context.tenant() as connection:
        scope = None if session else context.project(connection, project, everywhere)
        rows = reading.observations(
            connection, context.client, project=scope, session=session, since=since, limit=limit
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
                moment(row["at"]),
                row["agent"] + (f" / {row['subagent_type']}" if row["subagent_type"] else ""),
                row["tool"],
                row["target"] or row["shape"] or " ".join(row["files"]),
                row["outcome"] + (f" ({row['exit_code']})" if row["exit_code"] else ""),
                str(row["count"]),
            )
            for row in rows
        ],
    )
    return 0
