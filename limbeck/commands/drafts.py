"""``limbeck drafts``: proposals for the backlog, and a person's decision on each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from limbeck.board import changed, each, listing, looked, plain, plain_draft, who
from limbeck.board_tables import print_drafts
from limbeck.commands.forms import a_draft_or_number, a_title, a_type, a_use_case_or_none, an_id
from limbeck.commands.options import AsJson, By, Everywhere, ProjectName, only_a_front
from limbeck.context import opened, print_json
from limbeck.show import counted, minute, say
from limbeck.steps import steps

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from backlog.classify.run import Classified
    from schema.backlog import Item
    from schema.drafts import KeptDraft

DraftId = Annotated[
    str,
    typer.Argument(metavar="ID", callback=an_id, help="The id `limbeck drafts` shows, or its beginning."),
]
DraftIds = Annotated[
    list[str], typer.Argument(metavar="ID...", callback=an_id, help="Ids as `limbeck drafts` shows them.")
]
Kind = Annotated[str | None, typer.Option("--type", callback=a_type, help="US, FE, BU, TA, PO or RE.")]
Title = Annotated[str | None, typer.Option("--title", callback=a_title, help="One line.")]
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
Whole = Annotated[bool, typer.Option("--whole", help="Also what waits below a use case.")]

OfDraft = Annotated[
    str | None,
    typer.Option("--project", metavar="NAME", help="A project by name, remote or id; else the draft's."),
]

drafts = typer.Typer(
    help="Proposals for the backlog that wait for a person's decision.", invoke_without_command=True
)


@drafts.callback()
def front(
    context: typer.Context,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    as_json: AsJson = False,
) -> None:
    """List what waits, as `limbeck drafts list` does."""
    if not only_a_front(context):
        listed(project=project, everywhere=everywhere, as_json=as_json)


@drafts.command("list")
def listed(
    state: Annotated[
        list[str] | None, typer.Option(help="draft, approved, rejected or merged; several.")
    ] = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    as_json: AsJson = False,
) -> None:
    """List drafts, each use case followed by what belongs to it."""
    from schema.drafts import STATES
    from schema.drafts import drafts as read

    states = state or ["draft"]
    if set(states) - set(STATES[1:]):
        raise typer.BadParameter(f"a draft's state is one of {', '.join(STATES[1:])}")
    found = each(project, everywhere, lambda c, client, scope: read(c, client, scope, states=states))
    if as_json:
        print_json([plain_draft(one) | {"project_name": name} for name, rows in found for one in rows])
    elif not found:
        print("No drafts. They come from sessions and `limbeck drafts classify`.")
    else:
        listing(found, everywhere, print_drafts)


@drafts.command("show")
def show(draft: DraftId, project: OfDraft = None, as_json: AsJson = False) -> None:
    """Show a draft with the evidence it rests on; `limbeck trace` follows each further."""
    from backlog.draft_store import find

    found = looked(project, lambda c, client, scope: find(c, client, scope, draft), draft)
    if as_json:
        print_json(plain_draft(found))
        return
    by = f", by {found.by}" if found.by else ""
    say(f"{found.id}\n{found.type} {found.title}\n{found.state}, from {found.origin}{by}")
    for name, value in (("use case", found.use_case), ("item", found.item), ("because", found.reason)):
        if value:
            say(f"{name}: {value}")
    if found.text:
        say(f"\n{found.text}")
    print("\nEvidence")
    for one in found.evidence:
        say(f"{one.kind} {one.id} {minute(one.at)} {(one.commit or '')[:10]}".rstrip())


@drafts.command("approve")
def approve(
    ids: DraftIds,
    kind: Kind = None,
    title: Title = None,
    text: Text = None,
    use_case: Home = None,
    whole: Whole = False,
    by: By = None,
    project: OfDraft = None,
    as_json: AsJson = False,
) -> None:
    """Make items of drafts, changed as told; a use case draft they belong to comes first. All of them or none."""
    from backlog.drafts import Edit, in_order
    from backlog.drafts import approve as decide

    wanted = Edit(kind, title, text, use_case)
    if len(ids) > 1 and (title or text):
        raise typer.BadParameter("--title and --text are for one draft")
    made = changed(
        project,
        lambda c, client, scope, now: [
            item
            for draft in in_order(c, client, scope, ids)
            for item in decide(c, client, scope, draft, by=who(by), now=now, wanted=wanted, whole=whole)
        ],
        ids[0],
    )
    _tell_items(made, as_json)


@drafts.command("edit")
def edit(
    draft: DraftId,
    kind: Kind = None,
    title: Title = None,
    text: Text = None,
    use_case: Home = None,
    project: OfDraft = None,
    as_json: AsJson = False,
) -> None:
    """Change a draft that waits."""
    from backlog.drafts import NO_EDIT, Edit
    from backlog.drafts import edit as change

    wanted = Edit(kind, title, text, use_case)
    if wanted == NO_EDIT:
        raise typer.BadParameter("say what to change: --type, --title, --text or --use-case")
    made = changed(
        project, lambda c, client, scope, now: change(c, client, scope, draft, wanted, now=now), draft
    )
    _tell([made], as_json)


@drafts.command("merge")
def merge(
    draft: DraftId,
    into: Annotated[
        str,
        typer.Argument(
            metavar="INTO", callback=a_draft_or_number, help="Another draft's id, or an item's number."
        ),
    ],
    title: Annotated[
        str | None, typer.Option("--title", callback=a_title, help="What both are called from now on.")
    ] = None,
    by: By = None,
    project: OfDraft = None,
    as_json: AsJson = False,
) -> None:
    """Fold a draft into another one or into an item: its evidence goes there, and what waits below it."""
    from backlog.drafts import Edit
    from backlog.drafts import edit as rename
    from backlog.drafts import merge as decide
    from backlog.items import Change, change

    def merged(connection: Connection, client: str, scope: str, now: datetime) -> KeptDraft:
        found = decide(connection, client, scope, draft, into, by=who(by), now=now)
        if title is not None and found.item:
            change(connection, client, scope, into, Change(title), by=who(by), now=now)
        elif title is not None:
            rename(connection, client, scope, into, Edit(title=title), now=now)
        return found

    _tell([changed(project, merged, draft)], as_json)


@drafts.command("reject")
def reject(
    ids: DraftIds,
    reason: Annotated[str, typer.Option("--reason", help="Why it is not wanted.")] = "",
    whole: Whole = False,
    by: By = None,
    project: OfDraft = None,
    as_json: AsJson = False,
) -> None:
    """Say no to drafts; they do not come back from the same evidence."""
    from backlog.drafts import reject as decide

    gone = changed(
        project,
        lambda c, client, scope, now: [
            one
            for draft in ids
            for one in decide(c, client, scope, draft, by=who(by), now=now, reason=reason, whole=whole)
        ],
        ids[0],
    )
    _tell(gone, as_json)


@drafts.command("classify")
def classify(project: ProjectName = None, as_json: AsJson = False) -> None:
    """Read every prompt, commit, message and document that nobody has read yet, and propose what they ask for."""
    from pathlib import Path

    from backlog.classify.run import classify as read
    from limbeck.services.workers import classifying

    runs: list[Classified] = []
    with opened() as opening, steps("reading what nobody has read yet") as tell:
        with opening.tenant() as connection:
            scope = opening.one_project(connection, project, Path.cwd())
        classifier = classifying(opening.settings)(opening.database)
        while not runs or runs[-1].more:
            runs.append(read(opening.database, opening.client, scope, classifier))
            tell(f"reading, {counted(sum(run.read for run in runs), 'text')} so far")
    added = [draft for run in runs for draft in run.added]
    texts = sum(run.read for run in runs)
    told = {
        "by": classifier.name,
        "read": texts,
        "added": added,
        "repeated": sum(run.repeated for run in runs),
        "rejected": sum(run.rejected for run in runs),
    }
    if as_json:
        print_json(told)
        return
    print(
        f"Read {counted(texts, 'text')} ({classifier.name}): {counted(len(added), 'new draft')}, "
        f"{told['repeated']} known already, {told['rejected']} rejected before."
    )


def _tell(found: list[KeptDraft], as_json: bool) -> None:
    if as_json:
        print_json([plain_draft(one) for one in found])
        return
    for one in found:
        into = one.item or (one.merged_into or "")[:13]
        say(f"{one.id[:13]} is {one.state}{f' into {into}' if into else ''}: {one.type} {one.title}")


def _tell_items(made: list[Item], as_json: bool) -> None:
    if as_json:
        print_json([plain(item) for item in made])
        return
    for item in made:
        home = f" of {item.use_case}" if item.use_case else ""
        say(f"{item.number}{home} is {item.state}: {item.title}")
