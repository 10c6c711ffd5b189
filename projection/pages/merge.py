"""What a page, the database and what they last agreed on come to. Pure: nothing is read or written here.

Field by field: where one side changed, that side is taken; where both did, differently, both stay and the field waits
for a person: the page keeps what it says with an entry under "Conflicts" that tells the database's, and the database
keeps its own. Deleting the entry lets the page win. An item that is missing in the page is not deleted, it comes
back; one that the database no longer has leaves the page, unless it was edited there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from projection.pages.page import FIELDS, GONE, ORDER, Entry, Page


class Verb(StrEnum):
    """What the page asks of the database."""

    CREATE = "create"
    CHANGE = "change"
    REORDER = "reorder"


@dataclass(frozen=True, slots=True)
class Edit:
    """One thing to do in the database; ``line`` is where the page says it.

    A change has the fields that are to be otherwise, a creation the whole entry. A reordering has the children's
    numbers in order; a child that is only being created stands there as ``"+0"``, ``"+1"``, in the order of creation.
    """

    verb: Verb
    number: str
    line: int
    fields: Mapping[str, str] = field(default_factory=dict)
    entry: Entry | None = None
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Merged:
    """The edits for the database, and which fields stay the page's own until a person has decided."""

    edits: tuple[Edit, ...] = ()
    conflicts: frozenset[tuple[str, str]] = frozenset()
    dropped: frozenset[str] = frozenset()


class Unknown(ValueError):
    """The page has an item that its use case never had."""

    def __init__(self, entry: Entry) -> None:
        """Keep which."""
        super().__init__(entry.number)
        self.entry = entry


def merge(base: Page | None, page: Page, database: Page) -> Merged:
    """Hold ``page`` and ``database`` against what they agreed on (None: that is not known). Raises Unknown."""
    before = {} if base is None else {one.number: one for one in (base.top, *base.children)}
    held = {one.number: one for one in (database.top, *database.children)}
    edits: list[Edit] = []
    conflicts: set[tuple[str, str]] = set()
    dropped: set[str] = set()
    shown = {one.number for one in page.children}
    fresh = [
        one for one in database.children if base and one.number not in before and one.number not in shown
    ]
    created = 0
    places: list[str] = []
    for entry in (page.top, *page.children):
        if not entry.number:
            twin = next((one for one in fresh if (one.type, one.title) == (entry.type, entry.title)), None)
            if twin is not None:  # made by a run that was interrupted before it wrote the page
                fresh.remove(twin)
                places.append(twin.number)
                continue
            edits.append(Edit(Verb.CREATE, database.top.number, entry.line, entry=entry))
            places.append(f"+{created}")
            created += 1
        elif entry.number in held:
            changes, open_ = _fields(before.get(entry.number), entry, held[entry.number], page)
            conflicts |= open_
            if changes:
                edits.append(Edit(Verb.CHANGE, entry.number, entry.line, fields=changes))
            if entry is not page.top:
                places.append(entry.number)
        elif (entry.number, GONE) in page.conflicts:
            conflicts.add((entry.number, GONE))
        elif entry.number in before:
            if _same(before[entry.number], entry):
                dropped.add(entry.number)
            else:
                conflicts.add((entry.number, GONE))
        else:
            raise Unknown(entry)
    order, waits = _order(base, places, database, page)
    if waits:
        conflicts.add((database.top.number, ORDER))
    elif order:
        edits.append(Edit(Verb.REORDER, database.top.number, page.top.line, order=order))
    return Merged(tuple(edits), frozenset(conflicts), frozenset(dropped))


def resolved(page: Page, database: Page, merged: Merged) -> tuple[Page, dict[tuple[str, str], str]]:
    """The page as it is to be written once the edits are in ``database``, and what the database says of conflicts."""
    mine = {one.number: one for one in (page.top, *page.children) if one.number}
    theirs: dict[tuple[str, str], str] = {}

    def kept(entry: Entry) -> Entry:
        for name in FIELDS:
            if (entry.number, name) in merged.conflicts:
                theirs[entry.number, name] = getattr(entry, name)
                entry = replace(entry, **{name: getattr(mine[entry.number], name)})
        return entry

    children = [kept(child) for child in database.children]
    gone = [one for one in page.children if (one.number, GONE) in merged.conflicts]
    if (database.top.number, ORDER) in merged.conflicts:
        theirs[database.top.number, ORDER] = ", ".join(one.number for one in database.children)
        places = [one.number for one in page.children]
        children.sort(key=lambda one: places.index(one.number) if one.number in places else len(places))
    top = kept(database.top)
    return replace(database, top=top, children=(*children, *gone), conflicts=merged.conflicts), theirs


def _fields(
    before: Entry | None, entry: Entry, held: Entry, page: Page
) -> tuple[dict[str, str], set[tuple[str, str]]]:
    changes: dict[str, str] = {}
    conflicts: set[tuple[str, str]] = set()
    for name in FIELDS:
        mine, theirs = getattr(entry, name), getattr(held, name)
        if mine == theirs or (name == "state" and not mine):
            continue
        if (entry.number, name) in page.conflicts or before is None:
            conflicts.add((entry.number, name))
        elif theirs == getattr(before, name):
            changes[name] = mine
        elif mine != getattr(before, name):
            conflicts.add((entry.number, name))
    return changes, conflicts


def _order(
    base: Page | None, places: Sequence[str], database: Page, page: Page
) -> tuple[tuple[str, ...], bool]:
    """The order the page asks for (empty where it asks for none), and whether it waits for a decision.

    Compared are the children that all sides know; what only one side knows keeps its place there.
    """
    theirs = [one.number for one in database.children]
    mine = [one for one in places if one in theirs]
    common = [one for one in theirs if one in mine]
    new = [one for one in places if one.startswith("+")]
    last = list(places[len(places) - len(new) :]) == new
    if mine == common:
        return (tuple(places), False) if new and not last else ((), False)
    if (database.top.number, ORDER) in page.conflicts or base is None:
        return (), True
    agreed = [one.number for one in base.children if one.number in mine]
    if agreed == [one for one in mine if one in agreed]:  # only the database changed it
        return (), False
    if agreed == [one for one in common if one in agreed]:
        return tuple(places), False
    return (), True


def _same(known: Entry, entry: Entry) -> bool:
    return all(
        getattr(known, name) == getattr(entry, name) for name in FIELDS if name != "state" or entry.state
    )
