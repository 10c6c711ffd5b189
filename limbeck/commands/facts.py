"""``limbeck facts``: what is true now, what was, and a person's corrections."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limbeck.commands.forms import an_id
from limbeck.commands.options import TIMES, AsJson, By, Everywhere, ProjectName, at_time, only_a_front
from limbeck.context import opened, print_json
from limbeck.show import day, one_id, say, short, table

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from schema.doubts import Doubt
    from schema.records import Fact

FactId = Annotated[
    str, typer.Argument(callback=an_id, help="The id `limbeck facts` shows, or its first characters.")
]

facts = typer.Typer(help="What is true of the project, with its history.", invoke_without_command=True)


@facts.callback()
def listed(
    context: typer.Context,
    history: Annotated[bool, typer.Option("--history", help="Also what is true no longer.")] = False,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help=f"As it was true then: {TIMES}.")
    ] = None,
    known_at: Annotated[
        str | None,
        typer.Option("--known-at", metavar="TIME", help="As it was believed then; the same forms."),
    ] = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    as_json: AsJson = False,
) -> None:
    """List facts; the current ones unless a time or the history is asked for."""
    if only_a_front(context):
        return
    from distill.store.facts import view
    from schema.doubts import doubts

    true_at, believed_at = at_time(as_of), at_time(known_at)
    with opened() as opening, opening.tenant() as connection:
        scope = opening.project(connection, project, everywhere)
        found = view(connection, opening.client, scope, as_of=true_at, known_at=believed_at, history=history)
        against = doubts(connection, opening.client, [fact.id for fact in found if fact.current])
    if history and true_at is not None:
        found = tuple(fact for fact in found if fact.valid_from <= true_at)
    if as_json:
        told = {fact: doubt.told for fact, doubt in against.items()}
        print_json([plain(fact) | {"doubt": told.get(fact.id) if fact.current else None} for fact in found])
    elif not found:
        narrowed = true_at is not None or believed_at is not None
        print(
            "No facts as of then; `limbeck facts` shows those of now."
            if narrowed
            else "No facts. They come from sessions, commits and `limbeck rescan`."
        )
    else:
        _print(found, history, against)


@facts.command("retire")
def retire(
    fact: FactId,
    reason: Annotated[str, typer.Option("--reason", help="Why it is true no longer.")] = "",
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Close a fact: it leaves the current view and stays in the history."""
    from distill.changes import retire as change

    _act(lambda c, client, now: change(c, client, fact, _who(by), reason, now), "retired", as_json)


@facts.command("restore")
def restore(fact: FactId, by: By = None, as_json: AsJson = False) -> None:
    """Undo what ended a fact, so that the current view is as it was before."""
    from distill.changes import restore as change

    _act(lambda c, client, now: change(c, client, fact, _who(by), now), "current again", as_json)


@facts.command("confirm")
def confirm(fact: FactId, by: By = None, as_json: AsJson = False) -> None:
    """Stand by a fact: it counts as a person's word from now on."""
    from distill.changes import confirm as change

    _act(lambda c, client, now: change(c, client, fact, _who(by), now), "confirmed", as_json)


@facts.command("pin")
def pin(
    fact: FactId,
    off: Annotated[bool, typer.Option("--off", help="Unpin it.")] = False,
    as_json: AsJson = False,
) -> None:
    """Pin a fact: nothing replaces it without your review."""
    from distill.changes import pin as change

    _act(
        lambda c, client, now: change(c, client, fact, not off, now), "unpinned" if off else "pinned", as_json
    )


@facts.command("edit")
def edit(
    fact: FactId,
    statement: Annotated[str, typer.Option("--statement", help="The sentence to show.")] = "",
    value: Annotated[str, typer.Option("--value", help="The value itself.")] = "",
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Reword a fact or correct its value; the old wording stays in the history."""
    from distill.changes import edit as change

    if not statement and not value:
        raise typer.BadParameter("say what to change: --statement, --value or both")
    _act(
        lambda c, client, now: change(c, client, fact, _who(by), now, statement=statement, value=value),
        "edited",
        as_json,
    )


def plain(fact: Fact) -> dict[str, Any]:
    """A fact as scripts read it."""
    from schema.facts import files_of

    return {
        "id": fact.id,
        "subject": fact.slot.subject,
        "attribute": fact.slot.attribute,
        "scope": fact.slot.scope,
        "value": fact.value,
        "statement": fact.statement,
        "kind": fact.kind.value,
        "standing": fact.standing.value,
        "current": fact.current,
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "recorded_at": fact.recorded_at,
        "superseded_by": fact.superseded_by,
        "reason": fact.reason,
        "pinned": fact.pinned,
        "session": fact.session,
        "commits": sorted({e.commit for e in fact.evidence if e.commit}),
        "files": list(files_of(fact.files)),
    }


def _act(change: Callable[[Connection, str, datetime], Fact], done: str, as_json: bool) -> None:
    from distill.store.facts import find

    with opened() as opening:
        with opening.tenant() as connection:
            fact = change(connection, opening.client, datetime.now(UTC))
            project, _ = find(connection, opening.client, fact.id)
        opening.index_facts(project)
    if as_json:
        print_json(plain(fact))
    else:
        say(f"{one_id(fact.id)} is {done}: {fact.statement}")


def _who(by: str | None) -> str:
    return by or getpass.getuser()


def _print(found: Sequence[Fact], history: bool, against: Mapping[str, Doubt]) -> None:
    headings = ["id", "fact", "from", "since"]
    rows = []
    for fact, its_id in zip(found, short([fact.id for fact in found]), strict=True):
        row = [
            its_id,
            fact.statement
            + (" (pinned)" if fact.pinned else "")
            + (f" ({against[fact.id].told})" if fact.current and fact.id in against else ""),
            fact.standing.value,
            day(fact.valid_from),
        ]
        if history:
            commit = next((e.commit for e in fact.evidence if e.commit), "")
            never = fact.valid_to == fact.valid_from
            row += ["never held" if never else day(fact.valid_to), fact.reason, (commit or "")[:8]]
        rows.append(row)
    table([*headings, "until", "because", "commit"] if history else headings, rows, prose=("fact", "because"))
