"""Open work against the code: what commits say is done, and what names things that are no longer there.

A commit that names an item whose state does not know of it yet is delivered now. An item that nobody works on (open
or pending) is archived, reversibly and with the reason, where everything it names was there at an earlier pass and is
gone; what is in progress or in review is only reported, and so is a file that lies elsewhere now or went alone. What
was brought back is not archived again for the same reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection, text

from backlog import items, store
from backlog.delivery import before_its_number, deliver
from backlog.errors import ItemArchived, NotThere, UseCaseDone
from backlog.references import delivered
from schema.backlog import Item
from schema.backlog import items as listed
from schema.evidence import load_commit
from schema.mentions import paths_named, symbols_named
from schema.records import Freshness

BY = "rescan"
UNTOUCHED = {"open", "pending"}


class Tree(Protocol):
    """A commit's tree: its hash, every path with its content's hash, and which looked-for code names occur in it."""

    @property
    def sha(self) -> str:
        """Return the commit's hash."""

    @property
    def files(self) -> Mapping[str, str]:
        """Return paths with their contents' hashes."""

    @property
    def symbols(self) -> frozenset[str]:
        """Return the names that occur."""


@dataclass(frozen=True, slots=True)
class Known:
    """What an item named that was there at an earlier pass: files with their hashes, and code names."""

    files: Mapping[str, str]
    symbols: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ItemCheck:
    """What a pass says of one open item; ``gone``: everything it named is."""

    item: Item
    freshness: Freshness
    detail: str
    known: Known
    gone: bool = False


@dataclass(frozen=True, slots=True)
class RescannedWork:
    """What a pass changed (numbers with reasons) and what it says of the open items."""

    delivered: tuple[tuple[str, str], ...] = ()
    archived: tuple[tuple[str, str], ...] = ()
    checks: tuple[ItemCheck, ...] = ()

    @property
    def stale(self) -> list[ItemCheck]:
        """The items that a person should look at."""
        return [check for check in self.checks if check.freshness is Freshness.STALE]


def texts(connection: Connection, client: str, project: str) -> list[str]:
    """What open items say, for whoever looks the names up in the tree."""
    return [f"{item.title}\n{item.text}" for item in _open(connection, client, project)]


def rescan(connection: Connection, client: str, project: str, tree: Tree, now: datetime) -> RescannedWork:
    """Reconcile a project's open items with its commits and with ``tree``, in the caller's transaction."""
    done = _deliver(connection, client, project, now)
    before = _known(connection, client, project)
    checks = [
        check(item, tree, before.get(item.id, Known({}))) for item in _open(connection, client, project)
    ]
    archived = []
    for one in checks:
        _save(connection, client, project, tree.sha, one, now)
        if one.gone and one.item.state in UNTOUCHED:
            try:
                items.archive(connection, client, project, one.item.number, reason=one.detail, by=BY, now=now)
            except NotThere:
                continue  # a use case with items that stand: reported, not archived
            archived.append((one.item.number, one.detail))
    return RescannedWork(tuple(done), tuple(archived), tuple(checks))


def undo(
    connection: Connection, client: str, project: str, by: str, now: datetime
) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    """Bring back every item that the last pass archived; return them, and why others could not come back."""
    statement = text("""
        SELECT i.type || i.serial FROM items i
        WHERE i.client = :client AND i.project = :project AND i.archived_at = (
            SELECT max(checked_at) FROM item_checks WHERE client = :client AND project = :project)
        ORDER BY i.type <> 'US', i.serial
    """)
    numbers = list(connection.scalars(statement, {"client": client, "project": project}))
    back, left = [], []
    for number in numbers:
        try:
            back.append(items.restore(connection, client, project, number, by=by, now=now))
        except (UseCaseDone, ItemArchived) as refusal:
            left.append(str(refusal))
    return tuple(back), tuple(left)


def check(item: Item, tree: Tree, known: Known) -> ItemCheck:
    """Return what ``tree`` says of one item; ``known`` is what it named that was there before."""
    said = f"{item.title}\n{item.text}"
    paths, symbols = paths_named(said), symbols_named(said)
    here = {path: tree.files[path] for path in paths if path in tree.files}
    names = frozenset(name for name in symbols if name in tree.symbols)
    lost = [path for path in paths if path in known.files and path not in tree.files]
    lost_names = [name for name in symbols if name in known.symbols and name not in tree.symbols]
    seen = Known({**known.files, **here}, known.symbols | names)
    if not (lost or lost_names):
        if here or names:
            return ItemCheck(item, Freshness.FRESH, "what it names is there", seen)
        return ItemCheck(item, Freshness.UNVERIFIABLE, "it names nothing that is or was in the tree", seen)
    moved = _moved(lost, known, tree)
    told = [moved.get(path, f"{path} is gone") for path in lost] + [f"{name} is gone" for name in lost_names]
    gone = not here and not names and not moved
    if gone and item.state in UNTOUCHED:
        seen = Known({})  # so that a person who brings it back has the last word
    return ItemCheck(item, Freshness.STALE, f"{', '.join(told)} at {tree.sha[:10]}", seen, gone)


def _moved(lost: Iterable[str], known: Known, tree: Tree) -> dict[str, str]:
    """Of lost files those whose content lies elsewhere now."""
    by_content = {content: path for path, content in tree.files.items()}
    there = {path: by_content.get(known.files[path]) for path in lost}
    return {path: f"{path} is {place} now" for path, place in there.items() if place is not None}


def _deliver(connection: Connection, client: str, project: str, now: datetime) -> list[tuple[str, str]]:
    """Deliver what commits say of open items since they were made, where it was not noted."""
    found = []
    waiting = {item.number: item for item in _open(connection, client, project) if item.state != "review"}
    for commit in _commits_naming(connection, client, project, sorted(waiting)):
        loaded = load_commit(connection, client, commit)
        told = [] if loaded is None else [n for n in delivered(loaded[1].message) if n in waiting]
        told = [n for n in told if loaded and not before_its_number(waiting[n], loaded[1])]
        if loaded is None or not told:
            continue
        before = {number: store.find(connection, client, project, number).state for number in told}
        deliver(connection, client, project, loaded[1], now=now)
        for number in told:
            after = store.find(connection, client, project, number)
            if after.state != before[number]:
                found.append((number, f"commit {loaded[1].sha[:10]} delivers it"))
    return found


def _commits_naming(connection: Connection, client: str, project: str, numbers: Sequence[str]) -> list[str]:
    statement = text("""
        SELECT id::text FROM commits
        WHERE client = :client AND project = :project AND rewritten_to IS NULL
          AND replace(message, '-', '') ILIKE ANY(:patterns)
        ORDER BY at, id
    """)
    if not numbers:
        return []
    values = {"client": client, "project": project, "patterns": [f"%{number}%" for number in numbers]}
    return list(connection.scalars(statement, values))


def _open(connection: Connection, client: str, project: str) -> list[Item]:
    return [item for item in listed(connection, client, project) if item.state != "done"]


def _known(connection: Connection, client: str, project: str) -> dict[str, Known]:
    statement = text("""
        SELECT item::text, files, symbols FROM item_checks WHERE client = :client AND project = :project
    """)
    rows = connection.execute(statement, {"client": client, "project": project})
    return {row.item: Known(row.files, frozenset(row.symbols)) for row in rows}


def _save(connection: Connection, client: str, project: str, sha: str, one: ItemCheck, now: datetime) -> None:
    connection.execute(
        text("""
            INSERT INTO item_checks (client, item, project, freshness, sha, detail, files, symbols, checked_at)
            VALUES (:client, :item, :project, :freshness, :sha, :detail, cast(:files AS jsonb), :symbols, :now)
            ON CONFLICT (client, item) DO UPDATE
            SET freshness = excluded.freshness, sha = excluded.sha, detail = excluded.detail,
                files = excluded.files, symbols = excluded.symbols, checked_at = excluded.checked_at
        """),
        {
            "client": client,
            "item": one.item.id,
            "project": project,
            "freshness": one.freshness.value,
            "sha": sha,
            "detail": one.detail,
            "files": json.dumps(dict(one.known.files)),
            "symbols": sorted(one.known.symbols),
            "now": now,
        },
    )
