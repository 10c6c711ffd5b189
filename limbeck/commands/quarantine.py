"""``limbeck quarantine``: events that could not be stored, kept aside with the reason."""

from __future__ import annotations

from typing import Annotated

import typer

from limbeck.commands.named import QUARANTINE, whole
from limbeck.commands.options import AsJson
from limbeck.context import opened, print_json
from limbeck.show import minute, moment, say, short, table

Identifier = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="The id that `limbeck quarantine list` shows, or its first characters."
    ),
]

quarantine = typer.Typer(
    help="Events that could not be stored: list, show, retry, drop.", no_args_is_help=True
)


@quarantine.command("list")
def listed(
    everything: Annotated[bool, typer.Option("--all", help="Also those dropped.")] = False,
    as_json: AsJson = False,
) -> None:
    """List quarantined events, newest first, without their payloads."""
    from schema.reading import quarantined as rows_of

    with opened() as context, context.tenant() as connection:
        rows = rows_of(connection, context.client, held_only=not everything)
    if as_json:
        print_json(rows)
    elif not rows:
        print("Nothing is in quarantine.")
    else:
        table(
            ("id", "since", "tries", "state", "reason"),
            [
                (its_id, minute(row["quarantined_at"]), str(row["attempts"]), row["state"], row["reason"])
                for its_id, row in zip(short([row["id"] for row in rows]), rows, strict=True)
            ],
            prose=("reason",),
        )


@quarantine.command("show")
def show(identifier: Identifier, as_json: AsJson = False) -> None:
    """Show one quarantined event with its (redacted) payload."""
    from workers.quarantine import show as row_of

    with opened() as context, context.tenant() as connection:
        row = row_of(connection, context.client, whole(connection, context.client, identifier, QUARANTINE))
    if as_json:
        print_json(row)
        return
    for name in ("id", "state", "reason", "attempts"):
        say(f"{name}: {row[name]}")
    say(f"quarantined_at: {moment(row['quarantined_at'])}")
    if row["payload"] is not None:
        say(row["payload"])
    elif row["state"] == "dropped":
        print("(it was dropped, and its payload deleted)")
    else:
        print("(the payload could not be redacted, so it was not kept)")


@quarantine.command("retry")
def retry(identifier: Identifier) -> None:
    """Try once more to store an event, for instance after an upgrade."""
    from workers.retry import retry as retry_one

    with opened() as context, context.tenant() as connection:
        identifier = whole(connection, context.client, identifier, QUARANTINE)
        disposition = retry_one(connection, context.client, identifier)
    print(f"{identifier} is now {disposition}")


@quarantine.command("drop")
def drop(identifier: Identifier) -> None:
    """Give an event up: its payload is deleted, its line in the sums stays."""
    from workers.quarantine import drop as drop_one

    with opened() as context, context.tenant() as connection:
        identifier = whole(connection, context.client, identifier, QUARANTINE)
        drop_one(connection, context.client, identifier)
    print(f"{identifier} is dropped")
