"""The tables of the backlog's commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from limbeck.show import day, minute, say, short, table

if TYPE_CHECKING:
    from backlog.rescan import RescannedWork
    from schema.backlog import HistoryEntry, Item, WorkEntry
    from schema.drafts import KeptDraft


def grouped(found: Sequence[Item]) -> list[Item]:
    """Each use case followed by what belongs to it, then what belongs to none of them."""
    tops = [item for item in found if item.type == "US"]
    known = {item.number for item in tops}
    rows = []
    for top in tops:
        rows += [top, *(item for item in found if item.use_case == top.number)]
    return rows + [item for item in found if item.type != "US" and item.use_case not in known]


def print_items(found: Sequence[Item]) -> None:
    """Print items as a table."""
    table(
        ("number", "title", "state", "of", "version", "changed"),
        [
            (
                item.number,
                item.title + (" (archived)" if item.archived_at else ""),
                item.state,
                item.use_case or "",
                str(item.version),
                day(item.updated_at),
            )
            for item in found
        ],
        prose=("title",),
    )


def print_work(done: Sequence[WorkEntry]) -> None:
    """Print what was done."""
    if not done:
        say("Nothing yet.")
        return
    table(
        ("when", "item", "outcome", "tests", "review", "score", "took", "commit", "by"),
        [
            (
                minute(one.at),
                one.item,
                one.outcome,
                one.tests,
                one.review,
                "" if one.score is None else str(one.score),
                "" if one.seconds is None else f"{one.seconds} s",
                (one.commit or "")[:10],
                one.by,
            )
            for one in done
        ],
        prose=("outcome", "tests", "review"),
    )


def print_history(lines: Sequence[HistoryEntry]) -> None:
    """Print the versions of an item."""
    table(
        ("version", "when", "by", "what", "from", "to", "because"),
        [
            (
                str(one.version),
                minute(one.at),
                one.by,
                " ".join([one.action, *one.changes]),
                ", ".join(str(pair[0] or "") for pair in one.changes.values()),
                ", ".join(str(pair[1] or "") for pair in one.changes.values()),
                one.reason,
            )
            for one in lines
        ],
        prose=("from", "to", "because"),
    )


def print_drafts(found: Sequence[KeptDraft]) -> None:
    """Print drafts; what belongs to a use case draft is set in below it."""
    ids = dict(zip([one.id for one in found], short([one.id for one in found]), strict=True))
    table(
        ("id", "type", "title", "for", "from", "state", "since"),
        [
            (
                ids[one.id],
                one.type,
                ("- " if one.parent in ids else "") + one.title,
                one.use_case or (ids.get(one.parent or "", "")),
                ", ".join(dict.fromkeys(told.kind for told in one.evidence)) or one.by,
                " ".join(filter(None, (one.state, one.item, one.reason and f"({one.reason})"))),
                day(one.created_at),
            )
            for one in found
        ],
        prose=("title", "state"),
    )


def plain_work(work: RescannedWork) -> dict[str, Any]:
    """What a rescan says of open work, as scripts read it."""
    return {
        "items": [
            {"number": one.item.number, "freshness": one.freshness.value, "why": one.detail}
            for one in work.checks
        ],
        "items_delivered": [{"number": number, "why": why} for number, why in work.delivered],
        "items_archived": [{"number": number, "why": why} for number, why in work.archived],
    }


def print_rescanned(work: RescannedWork, dry_run: bool) -> None:
    """Print what a rescan did to open work, and what a person should look at."""
    archived = {number for number, _ in work.archived}
    rows = [("to review", number, why) for number, why in work.delivered]
    rows += [("archive", number, why) for number, why in work.archived]
    rows += [("look", one.item.number, one.detail) for one in work.stale if one.item.number not in archived]
    if rows:
        say("Open work, as it would be:" if dry_run else "Open work:")
        table(("what", "item", "because"), rows, prose=("because",))
