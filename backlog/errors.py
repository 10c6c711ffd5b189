"""What the backlog refuses. Each is a ``Refused`` or a ``NotFound``, so that every boundary knows it already."""

from __future__ import annotations

from typing import ClassVar

from schema.errors import NotFound, Refused


class NoSuchItem(NotFound):
    """There is no {what} {name} in this project. `limbeck items` lists them."""


class NoSuchDraft(NotFound):
    """There is no {what} {name}. `limbeck drafts` lists those that wait, `limbeck drafts list --state STATE` others."""


class ManyDrafts(Refused):
    """Several drafts begin with {draft}. Give more of the id."""


class NotANumber(Refused):
    """{number} is not the number of an item: that is US, FE, BU, TA, PO or RE with digits, such as BU3001."""

    usage: ClassVar[bool] = True


class MoveRefused(Refused):
    """{number} is {state}: from there it goes to {targets}, not to {target}."""


class ChildrenOpen(Refused):
    """{number} cannot be done before these of its items are: {children}."""


class UseCaseDone(Refused):
    """{number} is done: reopen it before {why}."""


class VersionStale(Refused):
    """{number} is at version {version} and you changed version {expected}. Read it again and repeat the change."""


class NotAUseCase(Refused):
    """{number} is not a use case, and only a use case can hold items."""


class UseCaseStandsAlone(Refused):
    """{number} is a use case, and a use case belongs to no other."""


class ItemArchived(Refused):
    """{number} is archived ({reason}). Restore it first: `limbeck items restore {number}`."""


class NoTitle(Refused):
    """It needs a title with words in it."""

    usage: ClassVar[bool] = True


class DraftDecided(Refused):
    """The draft {draft} is {state} already."""


class DraftHasChildren(Refused):
    """The draft {draft} is a use case with {count} drafts of its own: {why}."""


class OwnTarget(Refused):
    """A draft cannot be merged into itself."""

    usage: ClassVar[bool] = True


class NothingTold(Refused):
    """A work log entry needs at least an outcome or a commit."""

    usage: ClassVar[bool] = True


class BadValue(Refused):
    """{what} {value} cannot be used: {why}."""

    usage: ClassVar[bool] = True


class NoSuchCommit(NotFound):
    """Nobody knows a commit {name} here: neither this project nor the repository you stand in. `limbeck import --git`
    brings in a repository's history; `limbeck items log` takes an --outcome without a --commit."""


class NotThere(Refused):
    """{what} {value} cannot be used: {why}."""
