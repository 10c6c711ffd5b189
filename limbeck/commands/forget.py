"""``limbeck forget``: a key that should be remembered no longer, or something for good, wherever it is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limbeck.commands.forms import a_memory_or_entry, an_id, words
from limbeck.commands.options import AsJson
from limbeck.commands.remember import Scope
from limbeck.context import print_json
from limbeck.show import counted, say, table
from limbeck.steps import steps
from schema.errors import LimbeckError

if TYPE_CHECKING:
    from server.perform import Performer
    from server.principal import Principal


class NotConfirmed(LimbeckError):
    """Nothing was forgotten: nobody is there to confirm it. Give --yes once you have seen what would go."""


@dataclass(frozen=True)
class Asked:
    """One request, with what runs it and what it means on this machine's disk."""

    performer: Performer
    principal: Principal
    given: dict[str, Any]
    spool: Path
    wanted: Callable[[Any], bool] | None

    def run(self, confirm: str | None = None) -> Any:
        """Count, or with ``confirm`` remove."""
        from server.operations.forget import OPERATIONS

        given = self.given | ({"confirm": confirm} if confirm else {})
        return self.performer.perform(self.principal, OPERATIONS[1], given, "command")


def forget(
    key: Annotated[str | None, typer.Argument(help="A key of `limbeck remember`.")] = None,
    scope: Scope = "global",
    text: Annotated[
        str | None,
        typer.Option(
            callback=words, help="For good: every row that holds this text, a person's name for one."
        ),
    ] = None,
    memory: Annotated[
        str | None, typer.Option(callback=a_memory_or_entry, help="For good: the memory with this id.")
    ] = None,
    fact: Annotated[
        str | None, typer.Option(callback=an_id, help="For good: this fact with all its versions.")
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            callback=words,
            help="For good: this session, by its id or its beginning, and what rests on it alone.",
        ),
    ] = None,
    project: Annotated[
        str | None, typer.Option(metavar="NAME", help="For good: this project with all that is kept of it.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count, and change nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> int:
    """Forget a key, or with one of the options something for good: rows, index, queue and this machine's spool.

    What would go is counted and shown first. For good means that it cannot be undone.
    """
    given = {"text": text, "memory": memory, "fact": fact, "session": session, "project": project}
    meant = {name: value for name, value in given.items() if value is not None}
    if len(meant) + (key is not None) != 1:
        raise typer.BadParameter("give a key, or one of --text, --memory, --fact, --session and --project")
    if key is not None:
        return _key(key, scope, as_json)
    return _for_good(meant, dry_run, yes, as_json)


def _key(key: str, scope: str, as_json: bool) -> int:
    from limbeck.server.local import checked, performing
    from server.operations.forget import OPERATIONS

    given = {"scope": scope, "key": key}
    checked(OPERATIONS[0], given)
    with performing() as (performer, principal):
        done: Any = performer.perform(principal, OPERATIONS[0], given, "command")
    if as_json:
        print_json(done.model_dump(mode="json", by_alias=True))
    else:
        say(done.note)
    return 0 if done.forgotten else 1


def _for_good(given: dict[str, str], dry_run: bool, yes: bool, as_json: bool) -> int:
    from limbeck.forgetting import drop_briefs, waiting
    from limbeck.forgetting import forget as from_spool
    from limbeck.server.local import checked, performing
    from limbeck.settings import load
    from server.operations.forget import OPERATIONS

    checked(OPERATIONS[1], given)
    home = load().home
    with performing() as (performer, principal):
        asked = Asked(performer, principal, given, home / "spool", _wanted(performer, principal, given))
        with steps("looking where it is"):
            seen = asked.run()
            local = waiting(asked.spool, asked.wanted) if asked.wanted else 0
        if dry_run or not seen.total + local:
            _print(seen, local, as_json)
            return 0
        if not yes:
            _ask(seen, local)
        with steps("removing it") as tell:
            went = from_spool(asked.spool, asked.wanted) if asked.wanted else None
            done = asked.run(asked.run().confirm)
            drop_briefs(home)
            tell("writing the files below the tables anew")
            _scrub(done)
    if went is not None and not went.reached:
        done.not_reached.insert(0, "Events wait in the spool and a shipper is at work on it: run it again.")
    _print(done, went.events if went else 0, as_json)
    return 0


def _scrub(done: Any) -> None:
    """Where the database is this machine's own, clean its files too, and say what could not be cleaned."""
    from limbeck import scrub
    from limbeck.services.addresses import addresses
    from limbeck.settings import load
    from server.operations.forget import BELOW

    settings = load()
    if settings.database_url:
        return
    at = addresses(settings)
    why = scrub.database(at.owner_url, [*done.removed, *done.reworded]) or scrub.queue(at.redis_url)
    told = [f"{BELOW} It was tried: {why}"] if why else []
    done.not_reached[:] = [line for line in done.not_reached if line != BELOW] + told


def _ask(seen: Any, local: int) -> None:
    if not sys.stdin.isatty():
        raise NotConfirmed
    _print(seen, local, as_json=False)
    typer.confirm("Forget all of it for good?", abort=True)


def _wanted(
    performer: Performer, principal: Principal, given: dict[str, str]
) -> Callable[[Any], bool] | None:
    """Which events on this machine's disk are meant; None where none can be."""
    if "text" in given:
        from server.forget.words import Words

        return Words(given["text"]).within
    if "project" in given:
        return _of_project(performer, principal, given["project"])
    if "session" not in given:
        return None
    from schema import sessions
    from schema.scope import Scope as Wall

    wall = Wall(principal.client)
    with performer.database.tenant(principal.client) as connection:
        row = sessions.one(connection, wall, sessions.named(connection, wall, given["session"]))
    meant = (row["agent"], row["agent_session"])
    return lambda event: isinstance(event, dict) and (event.get("agent"), event.get("session")) == meant


def _of_project(performer: Performer, principal: Principal, name: str) -> Callable[[Any], bool]:
    from functools import partial
    from uuid import UUID

    from schema.projects import named
    from server.forget.selection import event_of, project_keys

    with performer.database.tenant(principal.client) as connection:
        project = UUID(named(connection, principal.client, name))
        return partial(event_of, project_keys(connection, principal.client, project))


def _print(outcome: Any, local: int, as_json: bool) -> None:
    from server.operations.forget import RESCAN

    if as_json:
        print_json(outcome.model_dump(mode="json", by_alias=True) | {"spool": local})
        return
    rows = [[name, str(count), "removed"] for name, count in sorted(outcome.removed.items())]
    rows += [[name, str(count), "loses the words"] for name, count in sorted(outcome.reworded.items())]
    rows += [["queue", str(outcome.queue), "removed"]] if outcome.queue else []
    rows += [["spool", str(local), "removed"]] if local else []
    if rows:
        table(["where", "how many", "what becomes of it"], rows)
    if outcome.events:
        print(f"{counted(outcome.events, 'captured event')} keep a line in the sums, without content.")
    print(
        "Forgotten." if outcome.done else "Nothing is removed yet." if rows else "There is nothing to forget."
    )
    if outcome.done:
        for line in outcome.not_reached:
            say(f"Not reached: {line}")
    if outcome.note.endswith(RESCAN):
        say(RESCAN)
