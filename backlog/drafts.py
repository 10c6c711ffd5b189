"""What a person does with drafts: approve, edit, merge, reject. All work in the caller's transaction.

Approving what belongs to a use case draft approves that one first: an item needs the home it was proposed for. A
commit among a draft's evidence has been delivered already, so the approved item starts in review with it noted.
Rejecting or merging a use case draft leaves the drafts below it waiting, without it or in the other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from backlog import draft_store, items, store
from backlog.delivery import deliver
from backlog.errors import (
    DraftHasChildren,
    NotANumber,
    NotAUseCase,
    OwnTarget,
    UseCaseStandsAlone,
    VersionStale,
)
from backlog.numbers import parse, type_named
from backlog.resting import add_evidence
from schema.backlog import USE_CASE, Item
from schema.drafts import KeptDraft
from schema.evidence import load_commit


@dataclass(frozen=True, slots=True)
class Edit:
    """What to change of a draft; None leaves a field. ``use_case`` is an item's number, "" takes it out of any."""

    type: str | None = None
    title: str | None = None
    text: str | None = None
    use_case: str | None = None


NO_EDIT = Edit()


def approve(
    connection: Connection,
    client: str,
    project: str,
    draft: str,
    *,
    by: str,
    now: datetime,
    wanted: Edit = NO_EDIT,
    expected: int | None = None,
    whole: bool = False,
) -> list[Item]:
    """Make an item of a draft, changed as ``wanted``; return it last, after the use case that had to come first.

    ``whole`` also approves what waits below a use case draft. Raises DraftDecided, NoSuchDraft, ManyDrafts, and what
    making an item raises.
    """
    found = draft_store.find(connection, client, project, draft)
    if found.parent is not None:  # first: whoever approves its neighbour takes the locks in this order too
        draft_store.lock(connection, client, found.parent)
    held = edit(connection, client, project, found.id, wanted, now=now, expected=expected)
    made: list[Item] = []
    use_case = held.use_case
    if held.parent is not None:
        parent = draft_store.hold(connection, client, project, held.parent)
        made.append(_make(connection, client, parent, None, by, now))
        use_case = made[0].number
    made.append(_make(connection, client, held, use_case, by, now))
    if whole and held.type == USE_CASE:
        waiting = draft_store.waiting_for(connection, client, project, made[-1].number)
        made += [_make(connection, client, child, child.use_case, by, now) for child in waiting]
    return made


def in_order(connection: Connection, client: str, project: str, ids: Sequence[str]) -> list[str]:
    """The whole ids of drafts, use cases first, so that approving several makes no home twice."""
    found = [draft_store.find(connection, client, project, one) for one in ids]
    return list(dict.fromkeys(one.id for one in sorted(found, key=lambda one: one.type != USE_CASE)))


def edit(
    connection: Connection,
    client: str,
    project: str,
    draft: str,
    wanted: Edit,
    *,
    now: datetime,
    expected: int | None = None,
) -> KeptDraft:
    """Change a draft that waits; ``expected`` is the version that the change was made on.

    Raises VersionStale, DraftDecided, DraftHasChildren, UseCaseStandsAlone, NotAUseCase, and what titles raise.
    """
    held = draft_store.hold(connection, client, project, draft)
    if expected is not None and expected != held.version:
        raise VersionStale(number=f"The draft {held.id[:8]}", version=held.version, expected=expected)
    values: dict[str, object] = {}
    kind = held.type if wanted.type is None else type_named(wanted.type)
    if kind != held.type:
        left = draft_store.children(connection, client, held.id) if held.type == USE_CASE else []
        if left:
            raise DraftHasChildren(draft=held.id[:8], count=len(left), why="it cannot become something else")
        values["type"] = kind
    if wanted.title is not None:
        values["title"] = items.titled(wanted.title)
    if wanted.text is not None:
        values["text"] = items.worded(wanted.text)
    if wanted.use_case:
        values |= {"parent": None, "use_case": _use_case(connection, client, project, wanted.use_case)}
    elif wanted.use_case == "" or (kind == USE_CASE and (held.parent or held.use_case)):
        values |= {"parent": None, "use_case": None}
    if kind == USE_CASE and wanted.use_case:
        raise UseCaseStandsAlone(number="The draft")
    return draft_store.update(connection, client, held, now, values) if values else held


def merge(
    connection: Connection, client: str, project: str, draft: str, into: str, *, by: str, now: datetime
) -> KeptDraft:
    """Fold a draft into an item (a number) or another draft (an id): its evidence goes there, and what waits below it.

    Raises OwnTarget, DraftHasChildren, DraftDecided, NoSuchDraft, NoSuchItem.
    """
    held = draft_store.hold(connection, client, project, draft)
    left = draft_store.children(connection, client, held.id)
    if _is_number(into):
        item = store.hold(connection, client, project, into)
        _takes_children(held, left, item.type)
        add_evidence(connection, client, "items", item.id, held.evidence)
        store.update(
            connection,
            client,
            item,
            {},
            now,
            by,
            "merged",
            values={},
            reason=f"draft {held.id}: {held.title}",
        )
        draft_store.adopt(connection, client, held.id, use_case=item.id)
        return draft_store.decide(connection, client, held, now, by, "merged", item=item.id)
    target = draft_store.hold(connection, client, project, into)
    if target.id == held.id:
        raise OwnTarget
    _takes_children(held, left, target.type)
    add_evidence(connection, client, "drafts", target.id, held.evidence)
    if held.text and held.text not in target.text:
        both = f"{target.text}\n\n{held.text}".strip()[: items.LONGEST_TEXT]
        draft_store.update(connection, client, target, now, {"text": both})
    draft_store.adopt(connection, client, held.id, parent=target.id)
    return draft_store.decide(connection, client, held, now, by, "merged", merged_into=target.id)


def reject(
    connection: Connection,
    client: str,
    project: str,
    draft: str,
    *,
    by: str,
    now: datetime,
    reason: str = "",
    whole: bool = False,
) -> list[KeptDraft]:
    """Say no to a draft, and with ``whole`` to what waits below it; it does not come back from the same evidence.

    Without ``whole`` what waits below it waits on, alone. Raises DraftDecided, NoSuchDraft, ManyDrafts.
    """
    held = draft_store.hold(connection, client, project, draft)
    left = draft_store.children(connection, client, held.id)
    gone = [held, *(left if whole else [])]
    if not whole:
        draft_store.adopt(connection, client, held.id)
    return [draft_store.decide(connection, client, one, now, by, "rejected", reason=reason) for one in gone]


def _make(
    connection: Connection, client: str, draft: KeptDraft, use_case: str | None, by: str, now: datetime
) -> Item:
    item = items.create(
        connection,
        client,
        draft.project,
        kind=draft.type,
        title=draft.title,
        text=draft.text,
        use_case=use_case,
        by=by,
        now=now,
        evidence=draft.evidence,
        reason=f"draft {draft.id}",
    )
    draft_store.decide(connection, client, draft, now, by, "approved", item=item.id)
    draft_store.adopt(connection, client, draft.id, use_case=item.id)
    for told in draft.evidence:
        found = load_commit(connection, client, told.id) if told.kind == "commit" else None
        if found is not None and found[0] == draft.project:
            deliver(connection, client, draft.project, found[1], now=now, also=(item.number,))
    return store.find(connection, client, draft.project, item.number)


def home(connection: Connection, client: str, project: str, named: str) -> str:
    """Return the use case that ``named`` means: an item's number, or the whole id of a draft that waits.

    Raises NoSuchItem, NoSuchDraft, ManyDrafts, DraftDecided, NotAUseCase.
    """
    if _is_number(named):
        item = store.find(connection, client, project, named)
        if item.type != USE_CASE:
            raise NotAUseCase(number=item.number)
        return item.number
    draft = draft_store.hold(connection, client, project, named)
    if draft.type != USE_CASE:
        raise NotAUseCase(number=f"The draft {draft.id[:8]}")
    return draft.id


def _use_case(connection: Connection, client: str, project: str, number: str) -> str:
    item = store.find(connection, client, project, number)
    if item.type != USE_CASE:
        raise NotAUseCase(number=item.number)
    return item.id


def _takes_children(held: KeptDraft, left: Sequence[KeptDraft], kind: str) -> None:
    if left and kind != USE_CASE:
        raise DraftHasChildren(draft=held.id[:8], count=len(left), why="only another use case can take them")


def _is_number(text: str) -> bool:
    try:
        parse(text)
    except NotANumber:
        return False
    return True
