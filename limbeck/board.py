"""What the commands of the backlog share: the project meant, who acts, and recall kept in step with what changed."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from limbeck.context import opened

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from schema.backlog import Item
    from schema.drafts import KeptDraft

Result = TypeVar("Result")


def who(by: str | None) -> str:
    """The name that stands with a decision: the one given, else the account's."""
    return by or getpass.getuser()


def looked(project: str | None, read: Callable[[Connection, str, str], Result]) -> Result:
    """Return what ``read`` finds for the client and the project named, or the one the working directory lies in."""
    with opened() as opening, opening.tenant() as connection:
        return read(connection, opening.client, opening.one_project(connection, project, Path.cwd()))


def changed(project: str | None, change: Callable[[Connection, str, str, datetime], Result]) -> Result:
    """Make a change in one transaction and return what it gives; recall knows of it afterwards."""
    from recall.items import index_items

    with opened() as opening:
        with opening.tenant() as connection:
            scope = opening.one_project(connection, project, Path.cwd())
            result = change(connection, opening.client, scope, datetime.now(UTC))
        index_items(opening.database, opening.client, scope)
    return result


def plain(item: Item) -> dict[str, Any]:
    """An item as scripts read it."""
    return {name: value for name, value in asdict(item).items() if name != "position"}


def plain_draft(draft: KeptDraft) -> dict[str, Any]:
    """A draft as scripts read it."""
    return asdict(draft)
