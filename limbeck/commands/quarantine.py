"""``limbeck quarantine``: events that could not be stored, kept aside with the reason."""

from __future__ import annotations

from typing import Annotated

import typer

from limbeck.commands.forms import an_id
from limbeck.commands.named import QUARANTINE, whole
from limbeck.commands.options import AsJson
from limbeck.context import opened, print_json
from limbeck.show import counted, minute, moment, say, short, table
from limbeck.steps import steps

Identifier = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        callback=an_id,
        help="The id that `limbeck quarantine list` shows, or its first characters.",
    ),
]

quarantine = typer.Typer(
    help="Events that could not be stored: list, show, retry, drop.", no_args_is_help=True
)


@quarantine.command("list")
def listed(
    everything: Annotated[bool, typer.Option("--all", help="Also those dropped.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many events.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List quarantined events, oldest first, without their payloads."""
    from workers.quarantine import oldest

    with opened() as context, context.tenant() as connection:
        rows, more = oldest(connection, context.client, held_only=not everything, limit=limit)
    if as_json:
        print_json(rows)
        return
    if not rows:
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
    if more:
        print(f"and {counted(more, 'more event')}; --limit {len(rows) + more} shows all")


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
def retry(
    identifier: Annotated[
        str | None,
        typer.Argument(metavar="ID", callback=an_id, help="The id of one event, or its first characters."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All that are held, each by itself.")] = False,
    as_json: AsJson = False,
) -> None:
    """Try once more to store an event, or all of them, for instance after an upgrade.

    With --all it ends with 1 where some cannot be stored still.
    """
    from workers.retry import retry as retry_one
    from workers.retry import retry_all

    if every is (identifier is not None):
        raise typer.BadParameter("give the id of an event, or --all")
    with opened() as context:
        if identifier is None:
            with steps("storing what is held"):
                came_to = retry_all(context.database, context.client)
            if as_json:
                print_json(came_to)
                raise typer.Exit(1 if came_to["held"] else 0)
            told = ", ".join(f"{counted(number, 'event')} {name}" for name, number in sorted(came_to.items()))
            print(told or "Nothing is held.")
            if came_to["held"]:
                raise typer.Exit(1)
            return
        with context.tenant() as connection:
            identifier = whole(connection, context.client, identifier, QUARANTINE)
            disposition = retry_one(connection, context.client, identifier)
    if as_json:
        print_json({"id": identifier, "disposition": disposition})
        return
    print(f"{identifier} is now {disposition}")


@quarantine.command("drop")
def drop(identifier: Identifier, as_json: AsJson = False) -> None:
    """Give an event up: its payload is deleted, its line in the sums stays."""
    from workers.quarantine import drop as drop_one

    with opened() as context, context.tenant() as connection:
        identifier = whole(connection, context.client, identifier, QUARANTINE)
        drop_one(connection, context.client, identifier)
    if as_json:
        print_json({"id": identifier, "disposition": "dropped"})
        return
    print(f"{identifier} is dropped")
