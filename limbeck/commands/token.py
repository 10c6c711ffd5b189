"""``limbeck token``: who may ask the server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from limbeck.commands.forms import a_number_at_all, words
from limbeck.commands.options import AsJson
from limbeck.context import Context, opened, print_json

token = typer.Typer(help="Who may ask the server.", no_args_is_help=True)
RIGHTS = ("read", "write", "admin")


@token.command("create")
def create(
    name: Annotated[str, typer.Argument(help="What you will know it by.")],
    user: Annotated[str | None, typer.Option(help="Whom it speaks for; else this account.")] = None,
    agent: Annotated[str | None, typer.Option(help="The agent it is for, as claude or codex.")] = None,
    project: Annotated[
        list[str] | None,
        typer.Option(help="A project it may see, by name, remote or id; else all. Repeatable."),
    ] = None,
    right: Annotated[str, typer.Option(help="read, write or admin; each holds the ones before.")] = "write",
    days: Annotated[
        float | None,
        typer.Option(
            min=0.0, max=36_500, callback=a_number_at_all, help="Days until it ends; else it does not."
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Make a token and show it, this one time: only its hash is kept."""
    from limbeck.server import owner
    from schema.projects import named
    from server.principal import Right
    from server.tokens import store

    if right not in RIGHTS:
        raise typer.BadParameter(f"the right is one of {', '.join(RIGHTS)}", param_hint="--right")
    _short("a name", name)
    _short("a user", owner.name() if user is None else user)
    _short("an agent", "-" if agent is None else agent)
    now = datetime.now(UTC)
    with opened() as context:
        context.database.add_client(context.client)
        with context.tenant() as connection:
            projects = [named(connection, context.client, one) for one in project] if project else None
            made = store.create(
                connection,
                context.client,
                name=name,
                user=user or owner.name(),
                agent=agent,
                projects=projects,
                right=Right(right),
                now=now,
                expires=None if days is None else now + timedelta(days=days),
            )
        _note(context, "create_token", [made.id], now)
    if as_json:
        print_json({"id": made.id, "token": made.text})
    else:
        typer.echo("This is the only time it is shown:", err=True)
        print(made.text)
    return 0


@token.command("list")
def list_(as_json: AsJson = False) -> int:
    """Show every token of this client, without its secret, newest first."""
    from server.tokens import store

    with opened() as context, context.tenant() as connection:
        found = store.listed(connection, context.client)
    if as_json:
        print_json(found)
        return 0
    now = datetime.now(UTC)
    for one in found:
        who = f"{one['user_name']}{f' ({agent})' if (agent := one['agent']) else ''}"
        reach = "all projects" if one["projects"] is None else f"{len(one['projects'])} projects"
        print(f"{one['id']}  {one['name']}: {who}, {one['may']}, {reach}, {_state(one, now)}")
    return 0


@token.command("revoke")
def revoke(
    which: Annotated[str, typer.Argument(callback=words, help="Its id or its name.")], as_json: AsJson = False
) -> int:
    """End a token, from now on; a name ends every token of that name."""
    from server.tokens import store

    now = datetime.now(UTC)
    with opened() as context:
        with context.tenant() as connection:
            ended = store.revoke(connection, context.client, which, now)
        _note(context, "revoke_token", ended, now)
    if as_json:
        print_json({"revoked": ended})
    else:
        print(f"revoked {', '.join(ended)}")
    return 0


def _note(context: Context, operation: str, ids: list[str], now: datetime) -> None:
    """The same line in the audit log as over the server."""
    from limbeck.server import owner
    from server import audit

    who = owner.principal(context.client)
    audit.note(context.database, who, operation, via="command", at=now, ids=ids, outcome="done")


def _state(one: dict[str, Any], now: datetime) -> str:
    if one["revoked_at"] is not None:
        return f"revoked {one['revoked_at']:%Y-%m-%d %H:%M}"
    if one["expires_at"] is not None and one["expires_at"] <= now:
        return f"ended {one['expires_at']:%Y-%m-%d %H:%M}"
    return f"last used {one['used_at']:%Y-%m-%d %H:%M}" if one["used_at"] is not None else "never used"


def _short(what: str, text: str) -> None:
    if not 1 <= len(text.strip()) <= 100 or not text.isprintable():
        raise typer.BadParameter(f"{what} has 1 to 100 printable characters")
