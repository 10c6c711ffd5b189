"""One run over a folder of pages: every use case in a transaction of its own, then its file.

A run that is interrupted between the two does no harm: the next one finds that both sides say the same, and writes
the file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection

from projection.errors import BrokenPage
from projection.okf.clean import clean_text
from projection.pages import bases, folder
from projection.pages.folder import Found
from projection.pages.merge import Edit, Merged, Unknown, Verb, merge, resolved
from projection.pages.page import Entry, Page, of_use_case, worded
from projection.pages.render import render
from schema.backlog import STATES, Backlog, UseCase, backlog, hold_use_case
from schema.database import Database
from schema.errors import NotFound, Refused

BUSY = "it was changed meanwhile; the next run looks again"


class Writes(Protocol):
    """The backlog's side of an edit."""

    def __call__(self, connection: Connection, edit: Edit) -> str:
        """Do it; return the number of what was made or changed. Raises Refused and NotFound."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one page.

    ``what`` is written, written again, taken over, conflict, refused, removed, busy or unchanged.
    """

    path: str
    number: str
    what: str
    detail: str = ""
    edits: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """What one run works with."""

    database: Database
    client: str
    project: str
    folder: Path
    writes: Writes
    now: Callable[[], datetime]


def sync(run: Run) -> list[Outcome]:
    """Bring the folder's pages and the database together. Raises UnsafePath, DatabaseUnavailable, DatabaseConflict."""
    found = folder.scan(run.folder)
    with run.database.tenant(run.client) as connection:
        known = {case.item.number: case for case in _read(connection, run).use_cases}
    done = [_one(run, one, known) for one in found]
    paged = {one.page.top.number for one in found if one.page} | {one.number for one in done}
    broken = {one.name for one in found if one.page is None}
    for number, case in known.items():
        if number not in paged and not _named_by(number, broken):
            done.append(_first(run, case))
    return done


def _one(run: Run, found: Found, known: dict[str, UseCase]) -> Outcome:
    if found.page is None:
        return Outcome(found.name, "", "refused", found.broken)
    try:
        if not found.page.top.number:
            return _create(run, found, found.page)
        case = known.get(found.page.top.number)
        if case is None:
            return _orphan(run, found, found.page)
        return _both(run, found, found.page, case)
    except BrokenPage as error:
        return Outcome(found.name, found.page.top.number, "refused", str(error))


def shown(run: Run, number: str) -> str:
    """A use case's page as the database writes it, with the mark that a merge begins from. Raises NotFound."""
    with run.database.tenant(run.client) as connection:
        case = _case(connection, run, number)
        agreed = of_use_case(case, clean_text)
        mark = bases.keep(connection, run.client, run.project, agreed, run.now())
    return render(replace(agreed, base=mark), case.work)


def merged_in(run: Run, found: Found, number: str) -> tuple[str, Merged]:
    """Bring one page, wherever it was written, and its use case together; return the page as it stands then.

    Raises NotFound, and BrokenPage where the page is no page of this use case or asks for what is refused.
    """
    page = found.page
    if page is None:
        raise BrokenPage(path=found.name, line=1, why=found.broken)
    if page.top.number != number:
        raise BrokenPage(path=found.name, line=page.top.line, why=f"it is not the page of {number}")
    with run.database.tenant(run.client) as connection:
        case = _case(connection, run, number)
    return _settled(run, found, page, case)


def _settled(run: Run, found: Found, page: Page, case: UseCase) -> tuple[str, Merged]:
    """Merge, write into the database where the page asks for it; return the page that both agree on."""
    page = _clean(page)
    number = page.top.number
    with run.database.tenant(run.client) as connection:
        base = bases.find(connection, run.client, run.project, page.base, number)
        merged = _merge(found, base, page, of_use_case(case, clean_text))
        if merged.edits:
            hold_use_case(connection, run.client, run.project, number)
            case = _case(connection, run, number)  # as it is now, and stays until the edits are written
            merged = _merge(found, base, page, of_use_case(case, clean_text))
            _apply(connection, run, found, page, case, merged.edits)
            case = _case(connection, run, number)
        agreed = of_use_case(case, clean_text)
        mark = bases.keep(connection, run.client, run.project, agreed, run.now())
    final, theirs = resolved(page, agreed, merged)
    return render(replace(final, base=mark), case.work, theirs), merged


def _both(run: Run, found: Found, page: Page, case: UseCase) -> Outcome:
    """A page and its use case: merge, write into the database where the page asks for it, write the page."""
    number = page.top.number
    text, merged = _settled(run, found, page, case)
    content = text.encode()
    if content != found.content and not folder.put(found, found.path, content):
        return Outcome(found.name, number, "busy", BUSY)
    if merged.conflicts:
        fields = ", ".join(f"{one} {name}" for one, name in sorted(merged.conflicts))
        return Outcome(found.name, number, "conflict", fields, len(merged.edits))
    if merged.edits:
        return Outcome(found.name, number, "taken over", _told(merged.edits), len(merged.edits))
    return Outcome(found.name, number, "unchanged" if content == found.content else "written")


def _create(run: Run, found: Found, page: Page) -> Outcome:
    """A page that asks for a new use case."""
    page = _clean(page)
    with run.database.tenant(run.client) as connection:
        number = _write(connection, run, found, Edit(Verb.CREATE, "", page.top.line, entry=page.top))
        for child in page.children:
            if child.number:
                raise BrokenPage(path=found.name, line=child.line, why="a new use case has new items only")
            _write(connection, run, found, Edit(Verb.CREATE, number, child.line, entry=child))
        _state(connection, run, found, page.top, number)
        case = _case(connection, run, number)
        agreed = of_use_case(case, clean_text)
        mark = bases.keep(connection, run.client, run.project, agreed, run.now())
    folder.put(found, found.path, render(replace(agreed, base=mark), case.work).encode())
    return Outcome(found.name, number, "taken over", f"{number} is new", 1 + len(page.children))


def _first(run: Run, case: UseCase) -> Outcome:
    """A use case without a page gets one, also where somebody deleted it: a use case is retired in the backlog."""
    agreed = of_use_case(case, clean_text)
    path = folder.name_of(run.folder, agreed)
    number = agreed.top.number
    with run.database.tenant(run.client) as connection:
        again = run.folder.is_dir() and bases.any_of(connection, run.client, run.project, number)
        mark = bases.keep(connection, run.client, run.project, agreed, run.now())
    name = path.relative_to(run.folder).as_posix()
    if not folder.put(None, path, render(replace(agreed, base=mark), case.work).encode()):
        return Outcome(name, number, "refused", f"{name} is there already and is no page of this use case")
    if again:
        way = f"it was written before; deleting a page retires no use case, `limbeck items archive {number}` does"
        return Outcome(name, number, "written again", way)
    return Outcome(name, number, "written")


def _orphan(run: Run, found: Found, page: Page) -> Outcome:
    """A page whose use case is archived or was never there: it goes where nobody changed it."""
    number = page.top.number
    with run.database.tenant(run.client) as connection:
        base = bases.find(connection, run.client, run.project, page.base, number)
    same = base is not None and replace(page, base="", conflicts=frozenset()) == base
    if same and not page.conflicts:
        if not folder.remove(found):
            return Outcome(found.name, number, "busy", BUSY)
        return Outcome(found.name, number, "removed", "its use case is archived")
    way = f"`limbeck items restore {number}` brings it back; else delete the page"
    raise BrokenPage(
        path=found.name, line=page.top.line, why=f"{number} is archived, or not of this project: {way}"
    )


def _merge(found: Found, base: Page | None, page: Page, database: Page) -> Merged:
    try:
        return merge(base, page, database)
    except Unknown as error:
        number = error.entry.number
        why = f"{number} is no item of {page.top.number}: correct it, or delete it here (a new one has no number)"
        raise BrokenPage(path=found.name, line=error.entry.line, why=why) from error


def _apply(
    connection: Connection, run: Run, found: Found, page: Page, case: UseCase, edits: Sequence[Edit]
) -> None:
    """The edits in an order that the backlog's rules allow: a reopened use case first, a done one last."""
    made: list[str] = []
    top = next((one for one in edits if one.verb is Verb.CHANGE and one.number == page.top.number), None)
    state = top.fields.get("state", "") if top else ""
    back = bool(state) and STATES.index(state) < STATES.index(case.item.state)
    if back:
        _state(connection, run, found, page.top, page.top.number)
    for edit in edits:
        if edit.verb is Verb.CHANGE and edit is top:
            words = {name: held for name, held in edit.fields.items() if name != "state"}
            if words:
                _write(connection, run, found, replace(edit, fields=words))
        elif edit.verb is Verb.REORDER:
            order = tuple(made[int(one[1:])] if one.startswith("+") else one for one in edit.order)
            _write(connection, run, found, replace(edit, order=order))
        else:
            number = _write(connection, run, found, edit)
            made += [number] if edit.verb is Verb.CREATE else []
    if state and not back:
        _state(connection, run, found, page.top, page.top.number)


def _state(connection: Connection, run: Run, found: Found, entry: Entry, number: str) -> None:
    if entry.state:
        _write(connection, run, found, Edit(Verb.CHANGE, number, entry.line, fields={"state": entry.state}))


def _write(connection: Connection, run: Run, found: Found, edit: Edit) -> str:
    try:
        return run.writes(connection, edit)
    except (Refused, NotFound) as error:
        raise BrokenPage(path=found.name, line=edit.line, why=str(error).rstrip(".")) from error


def _case(connection: Connection, run: Run, number: str) -> UseCase:
    for case in _read(connection, run).use_cases:
        if case.item.number == number:
            return case
    raise NotFound(what="use case", name=number)


def _read(connection: Connection, run: Run) -> Backlog:
    return backlog(connection, run.client, run.project)


def _clean(page: Page) -> Page:
    """What a person wrote, through both nets before it goes anywhere."""
    return replace(page, top=_cleaned(page.top), children=tuple(_cleaned(child) for child in page.children))


def _cleaned(entry: Entry) -> Entry:
    return replace(
        entry, title=" ".join(clean_text(entry.title).split()), text=worded(clean_text(entry.text))
    )


def _told(edits: Sequence[Edit]) -> str:
    said = []
    for edit in edits:
        if edit.verb is Verb.CREATE and edit.entry is not None:
            said.append(f"new {edit.entry.type} {edit.entry.title!r}")
        elif edit.verb is Verb.REORDER:
            said.append("the order")
        else:
            said.append(f"{edit.number} {', '.join(edit.fields)}")
    return "; ".join(said)


def _named_by(number: str, names: set[str]) -> bool:
    """Whether a broken page is this use case's, by its file's name: it must not get a second one."""
    return any(name.rpartition("/")[2].startswith(f"{number}-") for name in names)
