"""``limbeck review``: proposals that wait for a person, and the decision."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limbeck.commands.forms import an_id
from limbeck.commands.options import AsJson, By, Everywhere, ProjectName, only_a_front
from limbeck.context import opened, print_json
from limbeck.show import day, one_id, say, short, table

if TYPE_CHECKING:
    from distill.store.flags import Flag

FlagId = Annotated[
    str, typer.Argument(callback=an_id, help="The id `limbeck review` shows, or its first characters.")
]

review = typer.Typer(help="Proposals that wait for a person's decision.", invoke_without_command=True)


@review.callback()
def listed(
    context: typer.Context,
    state: Annotated[str, typer.Option(help="open, accepted or rejected.")] = "open",
    project: ProjectName = None,
    everywhere: Everywhere = False,
    as_json: AsJson = False,
) -> None:
    """List what waits: the fact that stands, what speaks against it, and why code did not decide."""
    if only_a_front(context):
        return
    if state not in {"open", "accepted", "rejected"}:
        raise typer.BadParameter("the state is open, accepted or rejected")
    from distill.store.flags import listed as flags_of
    from schema.scope import Scope

    with opened() as opening, opening.tenant() as connection:
        scope = opening.project(connection, project, everywhere)
        within = Scope(opening.client, None if scope is None else (scope,))
        found = flags_of(connection, within, state=state)
    if as_json:
        print_json([_plain(flag) for flag in found])
    elif not found:
        print("Nothing waits for review." if state == "open" else f"Nothing was {state}.")
    else:
        ids = short([flag.id for flag in found])
        table(
            ("id", "stands", "proposed", "because", "since"),
            [
                (its_id, flag.statement, flag.proposal.statement, flag.reason, day(flag.flagged_at))
                for its_id, flag in zip(ids, found, strict=True)
            ],
            prose=("stands", "proposed", "because"),
        )


@review.command("accept")
def accept(flag: FlagId, by: By = None, as_json: AsJson = False) -> None:
    """Let the proposal replace (or end) the fact that stands."""
    _decide(flag, by, accepted=True, as_json=as_json)


@review.command("reject")
def reject(flag: FlagId, by: By = None, as_json: AsJson = False) -> None:
    """Let the fact stand; the same proposal comes back only with newer evidence."""
    _decide(flag, by, accepted=False, as_json=as_json)


def _decide(flag: str, by: str | None, *, accepted: bool, as_json: bool) -> None:
    from distill.changes import decide

    with opened() as opening:
        with opening.tenant() as connection:
            who, now = by or getpass.getuser(), datetime.now(UTC)
            taken = decide(connection, opening.client, flag, who, now, accepted=accepted)
        if accepted:
            opening.index_facts(taken.project)
    if as_json:
        print_json(_plain(taken))
    else:
        say(f"{one_id(taken.id)} is {taken.state} by {taken.decided_by}: {taken.proposal.statement}")


def _plain(flag: Flag) -> dict[str, Any]:
    return {
        "id": flag.id,
        "fact": flag.fact,
        "stands": flag.statement,
        "proposed": flag.proposal.statement,
        "value": flag.proposal.value,
        "ends": flag.proposal.negated,
        "standing": flag.proposal.standing.value,
        "reason": flag.reason,
        "state": flag.state,
        "flagged_at": flag.flagged_at,
        "decided_at": flag.decided_at,
        "decided_by": flag.decided_by,
    }
