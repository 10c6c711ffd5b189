"""Approved work: made, changed, moved through its life, archived and brought back.

A done use case holds only done (or archived) items. Every function here that could break that locks the use case
first (``store.hold``), so it holds under a race too. All work in the caller's transaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from backlog import store
from backlog.clean import clean
from backlog.errors import (
    BadValue,
    ChildrenOpen,
    ItemArchived,
    NotAUseCase,
    NoTitle,
    NotThere,
    UseCaseDone,
    UseCaseStandsAlone,
    VersionStale,
)
from backlog.lifecycle import State, move, steps
from backlog.numbers import give, plain, type_named
from schema.backlog import USE_CASE, Item
from schema.ids import new_id
from schema.records import Evidence

MOST_NAMED = 10
LONGEST_TITLE = 200
LONGEST_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Change:
    """What to change; None leaves a field as it is. ``use_case`` is a number, "" takes the item out of its use case."""

    title: str | None = None
    text: str | None = None
    state: State | None = None
    use_case: str | None = None


def create(
    connection: Connection,
    client: str,
    project: str,
    *,
    kind: str,
    title: str,
    text: str = "",
    use_case: str | None = None,
    by: str,
    now: datetime,
    evidence: tuple[Evidence, ...] = (),
    reason: str = "",
) -> Item:
    """Make an item, open, at the end of its use case, with the next number of its type.

    Raises NoTitle, BadValue, NoSuchItem, NotAUseCase, UseCaseStandsAlone, UseCaseDone, ItemArchived.
    """
    kind = type_named(kind)
    parent = None
    if use_case:
        if kind == USE_CASE:
            raise UseCaseStandsAlone(number="This")
        parent = _open_use_case(connection, client, project, use_case, "an item is added to it")
    serial = give(connection, client, project, kind)
    item = Item(
        id=new_id(),
        project=project,
        number=f"{kind}{serial}",
        type=kind,
        title=titled(title),
        text=worded(text),
        state=State.OPEN.value,
        use_case=parent.number if parent else None,
        position=0,
        version=1,
        created_at=now,
        updated_at=now,
        evidence=evidence,
    )
    store.insert(connection, client, item, serial, parent.id if parent else None, by, reason)
    return store.find(connection, client, project, item.number)


def change(
    connection: Connection,
    client: str,
    project: str,
    number: str,
    wanted: Change,
    *,
    by: str,
    now: datetime,
    expected: int | None = None,
    reason: str = "",
) -> Item:
    """Change an item and return it; what is as wanted already changes nothing and makes no version.

    ``expected`` is the version that the change was made on. Raises VersionStale, MoveRefused, ChildrenOpen,
    UseCaseDone, ItemArchived, NoTitle, BadValue, NoSuchItem, NotAUseCase, UseCaseStandsAlone.
    """
    item = store.hold(connection, client, project, number, under=wanted.use_case or "")
    if expected is not None and expected != item.version:
        raise VersionStale(number=item.number, version=item.version, expected=expected)
    _standing(item)
    changes: dict[str, list[object]] = {}
    values: dict[str, object] = {}
    action = "changed"
    state = store.state_of(item)
    if wanted.state is not None and wanted.state is not state:
        action = move(item.number, state, wanted.state).value
        state = wanted.state
        changes["state"], values["state"] = [item.state, state.value], state.value
    if wanted.use_case is not None and (wanted.use_case.upper() or None) != item.use_case:
        parent = _new_parent(connection, client, project, item, wanted.use_case, state)
        number_of = parent.number if parent else None
        changes["use_case"], values["parent"] = (
            [item.use_case, number_of],
            parent.id if parent else None,
        )
    for name, new in _words(wanted):
        if new != getattr(item, name):
            changes[name], values[name] = [getattr(item, name), new], new
    if not changes:
        return item
    _allowed(connection, client, project, item, state, moved="use_case" in changes)
    return store.update(
        connection, client, item, changes, now, by, action, values=values, reason=worded(reason)
    )


def done(connection: Connection, client: str, project: str, number: str, *, by: str, now: datetime) -> Item:
    """Take an item to done, step by step, each in its history: whoever says done vouches for the steps between.

    Done already changes nothing. Raises ChildrenOpen, ItemArchived, NoSuchItem; nothing has moved then.
    """
    item = store.hold(connection, client, project, number)
    _standing(item)
    for step in steps(store.state_of(item), State.DONE):
        item = change(connection, client, project, item.number, Change(state=step), by=by, now=now)
    return item


def archive(
    connection: Connection, client: str, project: str, number: str, *, reason: str, by: str, now: datetime
) -> Item:
    """Take an item out of every list, with the reason; ``restore`` brings it back as it was.

    A use case goes after its items. Archived already changes nothing. Raises NoSuchItem, NotThere, BadValue.
    """
    item = store.hold(connection, client, project, number)
    if item.archived_at is not None:
        return item
    standing = store.standing_children(connection, client, item.id) if item.type == USE_CASE else []
    if standing:
        why = f"{_named(standing)} still belong to it; archive them first"
        raise NotThere(what="the use case", value=item.number, why=why)
    told = worded(reason)
    values = {"archived_at": now, "archive_reason": told}
    return store.update(connection, client, item, {}, now, by, "archived", values=values, reason=told)


def restore(
    connection: Connection, client: str, project: str, number: str, *, by: str, now: datetime
) -> Item:
    """Bring an archived item back, in the state it had. One that stands changes nothing.

    Raises UseCaseDone and ItemArchived (its use case is), NoSuchItem.
    """
    item = store.hold(connection, client, project, number)
    if item.archived_at is None:
        return item
    if item.use_case is not None:
        parent = store.find(connection, client, project, item.use_case)
        _standing(parent)
        if parent.state == State.DONE and item.state != State.DONE:
            raise UseCaseDone(number=parent.number, why=f"{item.number} comes back to it")
    values = {"archived_at": None, "archive_reason": ""}
    return store.update(connection, client, item, {}, now, by, "restored", values=values)


def reorder(
    connection: Connection,
    client: str,
    project: str,
    use_case: str,
    order: list[str],
    *,
    by: str,
    now: datetime,
) -> Item:
    """Put a use case's items in ``order`` (numbers); those not named follow in the order they had.

    Returns the use case; its history holds the two orders. Raises NotThere for a number that is not one of its items.
    """
    item = store.hold(connection, client, project, use_case)
    if item.type != USE_CASE:
        raise NotAUseCase(number=item.number)
    before = store.standing_children(connection, client, item.id)
    named = list(dict.fromkeys(plain(number) for number in order))
    strange = [number for number in named if number not in before]
    if strange:
        raise NotThere(what="the order", value=strange[0], why=f"it is no item of {item.number}")
    after = [*named, *(number for number in before if number not in named)]
    if after == before:
        return item
    for place, number in enumerate(after, start=1):
        store.place(connection, client, project, number, place)
    changes = {"order": [before, after]}
    return store.update(connection, client, item, changes, now, by, "reordered", values={})


def titled(title: str) -> str:
    """Return a title on one line, without secrets. Raises NoTitle and BadValue."""
    one_line = " ".join(clean(title).split())
    if not any(character.isalnum() for character in one_line):
        raise NoTitle
    if len(one_line) > LONGEST_TITLE:
        raise BadValue(
            what="the title", value=f"of {len(one_line)} characters", why=f"{LONGEST_TITLE} is the most"
        )
    return one_line


def worded(text: str) -> str:
    """Return a text as it is kept, without secrets. Raises BadValue where it is too long."""
    if len(text) > LONGEST_TEXT:
        raise BadValue(what="the text", value=f"of {len(text)} characters", why=f"{LONGEST_TEXT} is the most")
    return clean(text).strip()


def _words(wanted: Change) -> list[tuple[str, str]]:
    title = [] if wanted.title is None else [("title", titled(wanted.title))]
    return title if wanted.text is None else [*title, ("text", worded(wanted.text))]


def _new_parent(
    connection: Connection, client: str, project: str, item: Item, use_case: str, state: State
) -> Item | None:
    if not use_case:
        return None
    if item.type == USE_CASE:
        raise UseCaseStandsAlone(number=item.number)
    parent = store.find(connection, client, project, use_case)  # locked by ``hold`` already
    _holds_items(parent)
    if parent.state == State.DONE and state is not State.DONE:
        raise UseCaseDone(number=parent.number, why=f"{item.number} is moved to it")
    return parent


def _open_use_case(connection: Connection, client: str, project: str, number: str, why: str) -> Item:
    parent = store.hold(connection, client, project, number)
    _holds_items(parent)
    if parent.state == State.DONE:
        raise UseCaseDone(number=parent.number, why=why)
    return parent


def _holds_items(parent: Item) -> None:
    if parent.type != USE_CASE:
        raise NotAUseCase(number=parent.number)
    _standing(parent)


def _allowed(
    connection: Connection, client: str, project: str, item: Item, state: State, *, moved: bool
) -> None:
    """The parent rule, both ways."""
    if state is State.DONE and item.type == USE_CASE:
        left = store.open_children(connection, client, item.id)
        if left:
            raise ChildrenOpen(number=item.number, children=_named(left))
    if state is not State.DONE and item.use_case is not None and not moved:
        parent = store.find(connection, client, project, item.use_case)
        if parent.state == State.DONE and item.state == State.DONE:
            raise UseCaseDone(number=parent.number, why=f"{item.number} is reopened")


def _named(numbers: list[str]) -> str:
    more = len(numbers) - MOST_NAMED
    return ", ".join(numbers[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _standing(item: Item) -> None:
    if item.archived_at is not None:
        raise ItemArchived(number=item.number, reason=item.archive_reason or "no reason was given")
