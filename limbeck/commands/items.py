"""``limbeck items``: the approved work of a project, its life and what was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from limbeck.board import changed, commit_named, each, listing, looked, plain, who
from limbeck.board_tables import grouped, print_history, print_items, print_work
from limbeck.commands.forms import a_hash, a_number, a_state, a_title, a_type, a_use_case, a_use_case_or_none
from limbeck.commands.options import BIGGEST, AsJson, By, Everywhere, ProjectName, only_a_front
from limbeck.context import print_json
from limbeck.show import day, say

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from schema.backlog import HistoryEntry, Item, WorkEntry

Number = Annotated[
    str, typer.Argument(metavar="NUMBER", callback=a_number, help="The item's number, such as BU3001.")
]
Numbers = Annotated[
    list[str], typer.Argument(metavar="NUMBER...", callback=a_number, help="Numbers, such as BU3001.")
]
Text = Annotated[str | None, typer.Option("--text", help="What there is to say about it.")]
Home = Annotated[
    str | None,
    typer.Option(
        "--use-case",
        metavar="NUMBER",
        callback=a_use_case_or_none,
        help="The use case it belongs to; '' for none.",
    ),
]

items = typer.Typer(
    help="Use cases, features, bugs, tasks, policies, requirements.", invoke_without_command=True
)


@items.callback()
def front(
    context: typer.Context,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    as_json: AsJson = False,
) -> None:
    """List what is not archived, as `limbeck items list` does."""
    if not only_a_front(context):
        listed(project=project, everywhere=everywhere, as_json=as_json)


@items.command("list")
def listed(
    kind: Annotated[
        list[str] | None, typer.Option("--type", callback=a_type, help="US, FE, BU, TA, PO or RE; several.")
    ] = None,
    state: Annotated[
        list[str] | None,
        typer.Option(callback=a_state, help="open, pending, in-progress, review or done; several."),
    ] = None,
    use_case: Annotated[
        str | None,
        typer.Option("--use-case", metavar="NUMBER", callback=a_use_case, help="Only what belongs to it."),
    ] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Also what is archived.")] = False,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    as_json: AsJson = False,
) -> None:
    """List items, each use case followed by what belongs to it."""
    from backlog.lifecycle import state_named
    from backlog.numbers import type_named
    from schema.backlog import items as read

    types = [type_named(one) for one in kind or ()]
    states = [state_named(one).value for one in state or ()]
    found = each(
        project,
        everywhere,
        lambda c, client, scope: read(
            c,
            client,
            scope,
            types=types,
            states=states,
            use_case=use_case.upper() if use_case else None,
            archived=archived,
        ),
    )
    if as_json:
        print_json([plain(item) | {"project_name": name} for name, rows in found for item in rows])
    elif not found:
        print("No items. `limbeck drafts` lists what waits for approval, `limbeck items new` makes one.")
    else:
        listing(found, everywhere, lambda rows: print_items(grouped(rows)))


@items.command("show")
def show(number: Number, project: ProjectName = None, as_json: AsJson = False) -> None:
    """Show an item: what it says, what belongs to it, what was done, and how it came to its state."""
    from backlog.store import find
    from schema.backlog import history, work
    from schema.backlog import items as read

    def look(
        c: Connection, client: str, scope: str
    ) -> tuple[Item, list[Item], list[WorkEntry], list[HistoryEntry]]:
        item = find(c, client, scope, number)
        below = read(c, client, scope, use_case=item.number) if item.type == "US" else []
        return item, below, work(c, client, scope, item=item.id), history(c, client, item.id)

    item, below, done, lines = looked(project, look)
    if as_json:
        told = {
            "items": [plain(one) for one in below],
            "work": [asdict(one) for one in done],
            "history": [asdict(one) for one in lines],
        }
        print_json(plain(item) | told)
        return
    say(f"{item.number} {item.title}")
    say(f"{item.state}, version {item.version}" + (f", of {item.use_case}" if item.use_case else ""))
    if item.archived_at:
        say(f"archived {day(item.archived_at)}: {item.archive_reason}")
    if item.text:
        say(f"\n{item.text}")
    if below:
        print()
        print_items(below)
    print("\nWhat was done")
    print_work(done)
    print("\nHistory")
    print_history(lines)


@items.command("new")
def new(
    kind: Annotated[
        str, typer.Argument(metavar="TYPE", callback=a_type, help="US, FE, BU, TA, PO or RE, or its word.")
    ],
    title: Annotated[str, typer.Argument(callback=a_title, help="One line.")],
    text: Text = None,
    use_case: Home = None,
    by: By = None,
    project: ProjectName = None,
    as_json: AsJson = False,
) -> None:
    """Make an item; it gets its number at once, since a person asked for it."""
    from backlog.items import create

    item = changed(
        project,
        lambda c, client, scope, now: create(
            c,
            client,
            scope,
            kind=kind,
            title=title,
            text=text or "",
            use_case=use_case or None,
            by=who(by),
            now=now,
        ),
    )
    _tell(item, as_json)


@items.command("set")
def set_(
    number: Number,
    title: Annotated[str | None, typer.Option("--title", callback=a_title, help="One line.")] = None,
    text: Text = None,
    state: Annotated[
        str | None, typer.Option("--state", callback=a_state, help="One step forward, or back.")
    ] = None,
    use_case: Home = None,
    version: Annotated[
        int | None,
        typer.Option("--version", min=1, max=BIGGEST, help="Refuse where the item is at another one."),
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why, for the history.")] = "",
    by: By = None,
    project: ProjectName = None,
    as_json: AsJson = False,
) -> None:
    """Change an item: its words, its state, its use case."""
    from backlog.items import Change, change
    from backlog.lifecycle import state_named

    wanted = Change(title, text, None if state is None else state_named(state), use_case)
    if wanted == Change():
        raise typer.BadParameter("say what to change: --title, --text, --state or --use-case")
    item = changed(
        project,
        lambda c, client, scope, now: change(
            c, client, scope, number, wanted, by=who(by), now=now, expected=version, reason=reason
        ),
    )
    _tell(item, as_json)


@items.command("done")
def done(numbers: Numbers, by: By = None, project: ProjectName = None, as_json: AsJson = False) -> None:
    """Take items to done, step by step; all of them or none."""
    from backlog.items import done as finish

    found = changed(
        project,
        lambda c, client, scope, now: [
            finish(c, client, scope, number, by=who(by), now=now) for number in numbers
        ],
    )
    _tell_all(found, as_json)


@items.command("archive")
def archive(
    numbers: Numbers,
    reason: Annotated[str, typer.Option("--reason", help="Why it is no longer wanted.")] = "",
    by: By = None,
    project: ProjectName = None,
    as_json: AsJson = False,
) -> None:
    """Take items out of every list; `limbeck items restore` brings them back as they were."""
    from backlog.items import archive as put_away

    found = changed(
        project,
        lambda c, client, scope, now: [
            put_away(c, client, scope, number, reason=reason, by=who(by), now=now) for number in numbers
        ],
    )
    _tell_all(found, as_json)


@items.command("restore")
def restore(numbers: Numbers, by: By = None, project: ProjectName = None, as_json: AsJson = False) -> None:
    """Bring archived items back, in the state they had."""
    from backlog.items import restore as bring_back

    found = changed(
        project,
        lambda c, client, scope, now: [
            bring_back(c, client, scope, number, by=who(by), now=now) for number in numbers
        ],
    )
    _tell_all(found, as_json)


@items.command("order")
def order(
    use_case: Annotated[
        str, typer.Argument(metavar="USE-CASE", callback=a_use_case, help="A use case, such as US1001.")
    ],
    numbers: Numbers,
    by: By = None,
    project: ProjectName = None,
    as_json: AsJson = False,
) -> None:
    """Put the items of a use case in this order; those not named follow."""
    from backlog.items import reorder

    item = changed(
        project,
        lambda c, client, scope, now: reorder(c, client, scope, use_case, numbers, by=who(by), now=now),
    )
    _tell(item, as_json)


@items.command("log")
def log(
    number: Number,
    outcome: Annotated[str, typer.Option("--outcome", help="What was done.")] = "",
    tests: Annotated[str, typer.Option("--tests", help="Which tests ran, and how they ended.")] = "",
    review: Annotated[str, typer.Option("--review", help="What a review said.")] = "",
    score: Annotated[int | None, typer.Option("--score", min=0, max=100, help="How good it is.")] = None,
    seconds: Annotated[
        int | None, typer.Option("--seconds", min=0, max=BIGGEST, help="How long it took.")
    ] = None,
    commit: Annotated[
        str | None, typer.Option("--commit", callback=a_hash, help="Its hash, or the beginning of it.")
    ] = None,
    by: By = None,
    project: ProjectName = None,
    as_json: AsJson = False,
) -> None:
    """Show what was done on an item; with --outcome or --commit note a delivery. A commit is noted once.

    It is one that the project knows, or that the repository here has.
    """
    from backlog import store
    from backlog.work import Work, add
    from schema.backlog import work

    if Work(outcome, tests, review, score, seconds, commit) == Work():
        found = looked(
            project,
            lambda c, client, scope: work(c, client, scope, item=store.find(c, client, scope, number).id),
        )
        print_json([asdict(one) for one in found]) if as_json else print_work(found)
        return
    entry, is_new = changed(
        project,
        lambda c, client, scope, now: add(
            c,
            client,
            scope,
            number,
            Work(
                outcome,
                tests,
                review,
                score,
                seconds,
                commit_named(c, client, scope, commit) if commit else None,
            ),
            by=who(by),
            origin="person",
            now=now,
        ),
    )
    if as_json:
        print_json(asdict(entry) | {"new": is_new})
    else:
        said = "noted" if is_new else "was noted already; what was missing is filled in"
        say(f"{entry.item}: {entry.outcome or entry.commit} {said}")


@items.command("history")
def history_of(number: Number, project: ProjectName = None, as_json: AsJson = False) -> None:
    """Show every change of an item: who, when, what."""
    from backlog.store import find
    from schema.backlog import history

    found = looked(project, lambda c, client, scope: history(c, client, find(c, client, scope, number).id))
    print_json([asdict(one) for one in found]) if as_json else print_history(found)


def _tell(item: Item, as_json: bool) -> None:
    if as_json:
        print_json(plain(item))
    else:
        archived = ", archived" if item.archived_at else ""
        say(f"{item.number} is {item.state}{archived} (version {item.version}): {item.title}")


def _tell_all(found: Sequence[Item], as_json: bool) -> None:
    if as_json:
        print_json([plain(item) for item in found])
        return
    for item in found:
        _tell(item, as_json=False)
