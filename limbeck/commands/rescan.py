"""``limbeck rescan``: the whole tree against every fact; what it disproves is closed, and can be brought
back.
"""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limbeck.board_tables import plain_work, print_rescanned
from limbeck.commands.options import AsJson
from limbeck.context import opened, print_json
from limbeck.show import counted, one_id, say, table
from limbeck.steps import steps

if TYPE_CHECKING:
    from backlog.rescan import RescannedWork
    from distill.rescan import Rescanned
    from distill.resolve import Action


class _DryRun(Exception):
    """Carries the plan out of a transaction that must not be committed."""

    def __init__(self, result: Rescanned, work: RescannedWork) -> None:
        self.result, self.work = result, work


def rescan(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of the repository.")] = Path(),
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan, change nothing.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Bring back what the last pass closed.")] = False,
    project: Annotated[
        str | None, typer.Option(help="A project by name, remote or id; else that of the folder.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Check every fact and every open item against the code at HEAD; close and archive what it disproves."""
    if undo and dry_run:
        raise typer.BadParameter("--undo and --dry-run exclude one another")
    return _undo(folder, project, as_json) if undo else _pass(folder, project, dry_run, as_json)


def _pass(folder: Path, project: str | None, dry_run: bool, as_json: bool) -> int:
    from backlog.rescan import rescan as pass_over_work
    from backlog.rescan import texts
    from distill.rescan import rescan as pass_over
    from distill.store.facts import view
    from limbeck.ship.tree import tree_at
    from recall.items import index_items

    now = datetime.now(UTC)
    with opened() as opening, steps("reading what is believed") as tell:
        with opening.tenant() as connection:
            scope = opening.one_project(connection, project, folder)
            facts = view(connection, opening.client, scope)
            planned = texts(connection, opening.client, scope)
        tree = tree_at(folder, facts, planned, tell)  # git is asked with no transaction open
        tell(f"checking {counted(len(facts), 'fact')} against {counted(len(tree.files), 'file')}")
        try:
            with opening.tenant() as connection:
                result = pass_over(connection, opening.client, scope, tree, now)
                work = pass_over_work(connection, opening.client, scope, tree, now)
                if dry_run:
                    raise _DryRun(result, work)
        except _DryRun as plan:
            result, work = plan.result, plan.work
        else:
            tell("bringing the index up to date")
            opening.index_facts(scope)
            index_items(opening.database, opening.client, scope)
    if as_json:
        print_json(_plain(result, tree.sha, dry_run) | plain_work(work))
    else:
        _print(result, tree.sha, dry_run)
        print_rescanned(work, dry_run)
    return 0


def _undo(folder: Path, project: str | None, as_json: bool) -> int:
    from backlog.rescan import undo as bring_work_back
    from distill.rescan import undo as bring_back
    from recall.items import index_items

    with opened() as opening, steps("bringing back what the last pass closed") as tell:
        with opening.tenant() as connection:
            scope = opening.one_project(connection, project, folder)
            who, now = getpass.getuser(), datetime.now(UTC)
            restored = bring_back(connection, opening.client, scope, who, now)
            items, left = bring_work_back(connection, opening.client, scope, who, now)
        tell("bringing the index up to date")
        opening.index_facts(scope)
        index_items(opening.database, opening.client, scope)
    if as_json:
        facts = [{"id": fact.id, "statement": fact.statement} for fact in restored]
        print_json({"restored": facts, "items": [item.number for item in items], "not_restored": left})
        return 0
    for item in items:
        say(f"{item.number} is {item.state} again: {item.title}")
    for why in left:
        say(why)
    if not restored and not items:
        print("The last pass closed nothing that is still closed.")
    else:
        for fact in restored:
            say(f"{one_id(fact.id)} is current again: {fact.statement}")
    return 0


def _plain(result: Rescanned, sha: str, dry_run: bool) -> dict[str, Any]:
    return {
        "commit": sha,
        "dry_run": dry_run,
        "checks": result.counts,
        "changes": [
            {
                "what": action.verb.value,
                "fact": action.target.id if action.target else None,
                "statement": _statement(action),
                "reason": action.reason,
            }
            for action in result.actions
        ],
        "facts": [
            {"id": check.fact, "freshness": check.freshness.value, "why": check.detail}
            for check in result.checks
        ],
    }


def _print(result: Rescanned, sha: str, dry_run: bool) -> None:
    counts = ", ".join(f"{count} {name}" for name, count in result.counts.items())
    print(f"At {sha[:10]}: {counts}.")
    if not result.actions:
        print("Nothing changes.")
        return
    print("Would change:" if dry_run else "Changed (`limbeck rescan --undo` brings back what was closed):")
    _table(result.actions)


def _table(actions: Sequence[Action]) -> None:
    rows = [(action.verb.value, _statement(action), action.reason) for action in actions]
    table(("what", "fact", "because"), rows, prose=("fact", "because"))


def _statement(action: Action) -> str:
    return action.target.statement if action.target else action.proposal.statement
