"""``limbeck hotspots``: the files that change most."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from limbeck.commands.options import AsJson, Everywhere, ProjectName
from limbeck.context import opened, print_json
from limbeck.show import day, table


def hotspots(
    project: ProjectName = None,
    everywhere: Everywhere = False,
    days: Annotated[
        int | None, typer.Option(min=1, max=36_500, help="Only commits of the last DAYS days.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many files.")] = 20,
    as_json: AsJson = False,
) -> int:
    """List files by how many commits touched them; amended and rebased commits count once.

    Complexity is the cyclomatic complexity of all of a file's functions now, and what it grew by since then.
    """
    from schema.churn import hotspots as rows_of
    from schema.scope import Scope

    since = None if days is None else datetime.now(UTC) - timedelta(days=days)
    with opened() as context, context.tenant() as connection:
        scope = context.project(connection, project, everywhere)
        within = Scope(context.client, None if scope is None else (scope,))
        rows = rows_of(connection, within, since=since, limit=limit)
    if as_json:
        print_json(rows)
        return 0
    if not rows:
        print(
            "No commit here yet. Install the git hooks (`limbeck install git`) or run `limbeck import --git`."
        )
        return 0
    headings = ("file", "commits", "added", "deleted", "authors", "complexity", "last")
    table(
        ("project", *headings) if everywhere else headings,
        [
            (
                *([row["project"]] if everywhere else []),
                row["path"],
                *(str(row[name]) for name in ("commits", "added", "deleted", "authors")),
                _complexity(row["complexity"], row["complexity_change"]),
                day(row["last_at"]),
            )
            for row in rows
        ],
        prose=("file", "project"),
    )
    return 0


def _complexity(now: int | None, change: int | None) -> str:
    if now is None:
        return "-"
    return f"{now} ({change:+d})" if change else str(now)
