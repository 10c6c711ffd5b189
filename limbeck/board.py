"""What the commands of the backlog share: the project meant, who acts, and recall kept in step with what changed."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from limbeck.context import Context, opened
from limbeck.show import say

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from schema.backlog import Item
    from schema.drafts import KeptDraft

Result = TypeVar("Result")


def who(by: str | None) -> str:
    """The name that stands with a decision: the one given, else the account's."""
    return by or getpass.getuser()


def looked(
    project: str | None, read: Callable[[Connection, str, str], Result], draft: str | None = None
) -> Result:
    """Return what ``read`` finds for the client and the project meant.

    That is the one named, else that of the ``draft`` whose id was given, else the one the working directory lies in.
    """
    with opened() as opening, opening.tenant() as connection:
        return read(connection, opening.client, _meant(opening, connection, project, draft))


def _meant(opening: Context, connection: Connection, project: str | None, draft: str | None) -> str:
    """The project; of the beginning of an id that drafts of several projects have, the one here. Raises ManyDrafts."""
    from backlog.draft_store import projects_of
    from backlog.errors import ManyDrafts
    from schema.errors import NotFound

    if project is not None or draft is None:
        return opening.one_project(connection, project, Path.cwd())
    holding = projects_of(connection, opening.client, draft)
    if len(holding) == 1:
        return holding[0]
    with suppress(NotFound):
        here = opening.one_project(connection, None, Path.cwd())
        if here in holding:
            return here
    raise ManyDrafts(draft=draft)


def each(
    project: str | None, everywhere: bool, read: Callable[[Connection, str, str], list[Result]]
) -> list[tuple[str, list[Result]]]:
    """Return what ``read`` finds, by the project's name: of the project meant, or of every one that has something."""
    from schema.projects import every

    with opened() as opening, opening.tenant() as connection:
        scope = opening.project(connection, project, everywhere)
        found = [
            (name, read(connection, opening.client, one))
            for one, name in every(connection, opening.client)
            if scope in (None, one)
        ]
    return [(name, rows) for name, rows in found if rows]


def listing(
    found: list[tuple[str, list[Result]]],
    everywhere: bool,
    show: Callable[[list[Result]], None],
) -> None:
    """Print each project's rows, under its name where there may be several."""
    for number, (name, rows) in enumerate(found):
        if everywhere:
            say(f"{'' if number == 0 else chr(10)}{name}")
        show(rows)


def changed(
    project: str | None,
    change: Callable[[Connection, str, str, datetime], Result],
    draft: str | None = None,
) -> Result:
    """Make a change in one transaction and return what it gives; recall knows of it afterwards.

    The project is meant as for ``looked``.
    """
    from recall.items import index_items

    with opened() as opening:
        with opening.tenant() as connection:
            scope = _meant(opening, connection, project, draft)
            result = change(connection, opening.client, scope, datetime.now(UTC))
        index_items(opening.database, opening.client, scope)
    return result


def commit_named(connection: Connection, client: str, project: str, given: str) -> str:
    """Return the full hash of the commit that ``given`` begins: one of the project's, else of the repository here.

    The repository that the working directory lies in counts where it is the project's. Raises NoSuchCommit, NotThere.
    """
    from backlog.errors import NoSuchCommit
    from backlog.work import is_known, whole_commit

    whole = whole_commit(connection, client, project, given)
    if is_known(connection, client, project, whole):
        return whole
    here = _in_repository(connection, client, project, whole)
    if here is None:
        raise NoSuchCommit(what="commit", name=given)
    return here


def _in_repository(connection: Connection, client: str, project: str, commit: str) -> str | None:
    from capture.project import find
    from limbeck.ship.errors import GitUnanswered, RepositoryGone
    from limbeck.ship.git import Repository
    from schema.projects import keys, lookup

    place = find(str(Path.cwd().resolve()), make_id=None)
    known = keys({"remote": place.remote, "id": place.id, "root": place.root})
    if place.common is None or lookup(connection, client, known) != project:
        return None
    try:
        return Repository(Path(place.common)).text("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
    except (RepositoryGone, GitUnanswered):
        return None


def plain(item: Item) -> dict[str, Any]:
    """An item as scripts read it."""
    return {name: value for name, value in asdict(item).items() if name != "position"}


def plain_draft(draft: KeptDraft) -> dict[str, Any]:
    """A draft as scripts read it."""
    return asdict(draft)
