"""``limbeck quarantine``: events that could not be stored, kept aside with the reason."""

from __future__ import annotations

from typing import Annotated

import typer

from limbeck.commands.options import AsJson
from limbeck.context import opened, print_json
from limbeck.show import moment, table

Identifier = Annotated[str, typer.Argument(help="The id that `limbeck quarantine list` shows.")]

quarantine = typer.Typer(
    help="Events that could not be stored: list, show, retry, drop.", no_args_is_help=True
)


@quarantine.command("list")
def listed(
    everything: Annotated[bool, typer.Option("--all", help="Also those dropped.")] = False,
    as_json: AsJson = False,
) -> None:
    """List quarantined events, newest first, without their payloads."""
    from workers.quarantine import listed as rows_of

    with opened() as context, context.tenant() as connection:
        rows = rows_of(connection, context.client, held_only=not everything)
    if as_json:
        print_json(rows)
    elif not rows:
        print("Nothing is in quarantine.")
    else:
        table(
            ("id", "since", "attempts", "state", "reason"),
            [
                (row["id"], moment(row["quarantined_at"]), str(row["attempts"]), row["state"], row["reason"])
                for row in rows
            ],
        )


@quarantine.command("show")
def show(identifier: Identifier, as_json: AsJson = False) -> None:
    """Show one quarantined event with its (redacted) payload."""
    from workers.quarantine import show as row_of

    with opened() as context, context.tenant() as connection:
        row = row_of(connection, context.client, identifier)
    if as_json:
        print_json(row)
        return
    for name in ("id", "state", "reason", "attempts", "quarantined_at"):
        print(f"{name}: {row[name]}")
    print(
        row["payload"]
        if row["payload"] is not None
        else "(the payload could not be redacted, so it was not kept)"
    )


@quarantine.command("retry")
def retry(identifier: Identifier) -> None:
    """Try once more to store an event, for instance after an upgrade."""
    from workers.retry import retry as retry_one

    with opened() as context, context.tenant() as connection:
        disposition = retry_one(connection, context.client, identifier)
    print(f"{identifier} is now {disposition}")


@quarantine.command("drop")
def drop(identifier: Identifier) -> None:
    """Give an event up: its payload is deleted, its line in the sums stays."""
    from workers.quarantine import drop as drop_one

    with opened() as context, context.tenant() as connection:
        drop_one(connection, context.client, identifier)
    print(f"{identifier} is dropped")
