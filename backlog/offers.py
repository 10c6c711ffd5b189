"""Proposals on their way to becoming drafts: compared with items, with drafts and with what was rejected.

What asks for the same as an item or a draft only adds its evidence to it, and to a draft without a use case its own.
What rests on nothing but the evidence of a rejected draft stays rejected, however it is worded. What repeats a done
item with newer evidence becomes a draft that says so: it may be back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection, text

from backlog import draft_store
from backlog.clean import clean
from backlog.items import LONGEST_TEXT, LONGEST_TITLE
from backlog.likeness import Said, alike
from backlog.numbers import type_named
from backlog.resting import add_evidence, grown
from schema.backlog import USE_CASE, Item, items
from schema.drafts import SELECT_DRAFTS, KeptDraft, draft_of, drafts
from schema.ids import new_id
from schema.records import Draft, Evidence


@dataclass(slots=True)
class Offered:
    """What became of proposals: ids of new drafts, how many repeated what is known, how many were rejected before."""

    added: list[str] = field(default_factory=list)
    repeated: int = 0
    rejected: int = 0


@dataclass(slots=True)
class _Known:
    """What a proposal is compared with, while proposals come in."""

    items: list[Item]
    waiting: list[KeptDraft]
    rejected: set[str]

    def item_like(self, said: Said, latest: datetime | None) -> tuple[Item | None, str]:
        """The item that asks for the same, else None; with the number of a done one that may be back."""
        for item in self.items:
            if alike(said, Said(item.type, item.title, _ids(item.evidence))):
                if item.state == "done" and latest is not None and latest > item.updated_at:
                    return None, f"like {item.number}, which is done"
                return item, ""
        return None, ""

    def draft_like(self, said: Said) -> KeptDraft | None:
        """The draft that asks for the same."""
        same = (d for d in self.waiting if alike(said, Said(d.type, d.title, _ids(d.evidence))))
        return next(same, None)

    def more_for_item(
        self, connection: Connection, client: str, item: Item, more: Sequence[Evidence]
    ) -> None:
        """Let an item also rest on ``more``, here too: what comes next is compared with it."""
        add_evidence(connection, client, "items", item.id, more)
        self.items[self.items.index(item)] = replace(item, evidence=grown(item.evidence, more))

    def more_for_draft(
        self, connection: Connection, client: str, draft: KeptDraft, more: Sequence[Evidence]
    ) -> None:
        """Let a draft also rest on ``more``, here too."""
        add_evidence(connection, client, "drafts", draft.id, more)
        self.waiting[self.waiting.index(draft)] = replace(draft, evidence=grown(draft.evidence, more))


def offer(
    connection: Connection,
    client: str,
    project: str,
    proposals: Sequence[Draft],
    *,
    origin: str,
    by: str,
    now: datetime,
    session: str | None = None,
) -> Offered:
    """Make drafts of ``proposals``, use cases before what belongs to them; return what became of each."""
    draft_store.hold_project(connection, client, project)
    known = _known(connection, client, project)
    outcome = Offered()
    homes: dict[
        str, tuple[str | None, str | None]
    ] = {}  # a use case's key: its draft's id, or its item's number
    for proposal in sorted(proposals, key=lambda p: p.type != USE_CASE):
        here = proposal.parent if any(d.id == proposal.parent for d in known.waiting) else None
        parent, number = homes.get(proposal.parent or "", (here, proposal.use_case))
        draft = KeptDraft(
            id=new_id(),
            project=project,
            type=type_named(proposal.type),
            title=" ".join(clean(proposal.title).split())[:LONGEST_TITLE],
            text=clean(proposal.text).strip()[:LONGEST_TEXT],
            state="draft",
            parent=parent,
            use_case=number,
            item=None,
            merged_into=None,
            origin=origin,
            by=by,
            reason="",
            version=1,
            created_at=now,
            updated_at=now,
            decided_at=None,
            decided_by=None,
            session=session or _session(proposal.evidence),
            evidence=proposal.evidence,
        )
        home = _place(connection, client, known, draft, proposal.key, outcome)
        if draft.type == USE_CASE:
            homes[proposal.key] = home
    return outcome


def settle(connection: Connection, client: str, project: str, now: datetime) -> Offered:
    """Compare what distillers wrote since the last time, and let what is new be a draft. May run twice."""
    draft_store.hold_project(connection, client, project)
    statement = text(f"""{SELECT_DRAFTS}
        WHERE d.client = :client AND d.project = :project AND d.state = 'offered'
        ORDER BY d.type <> 'US', d.created_at, d.id
    """)
    rows = connection.execute(statement, {"client": client, "project": project}).mappings().all()
    outcome = Offered()
    known = _known(connection, client, project) if rows else None
    for row in rows if known else ():
        draft = draft_of(row)
        state, values = _judged(connection, client, known, draft, outcome) if known else ("draft", {})
        connection.execute(
            text("""
                UPDATE drafts SET state = :state, item = cast(:item AS uuid),
                    merged_into = cast(:merged_into AS uuid), reason = :reason,
                    decided_at = CASE WHEN :state = 'draft' THEN NULL ELSE cast(:now AS timestamptz) END,
                    decided_by = CASE WHEN :state = 'draft' THEN NULL ELSE 'limbeck' END
                WHERE client = :client AND id = :id AND state = 'offered'
            """),
            {
                "client": client,
                "id": draft.id,
                "state": state,
                "now": now,
                "item": None,
                "merged_into": None,
                "reason": "",
                **values,
            },
        )
    return outcome


def projects_with_offers(connection: Connection, client: str) -> list[str]:
    """The projects in which distillers wrote something that nobody has compared yet."""
    statement = text("SELECT DISTINCT project::text FROM drafts WHERE client = :client AND state = 'offered'")
    return list(connection.scalars(statement, {"client": client}))


def _place(
    connection: Connection, client: str, known: _Known, draft: KeptDraft, key: str, outcome: Offered
) -> tuple[str | None, str | None]:
    """Write one proposal, or fold it into what is known; return where what belongs to it goes."""
    state, values = _judged(connection, client, known, draft, outcome)
    if state == "merged":
        target = next((d for d in known.waiting if d.id == values.get("merged_into")), None)
        item = next((i for i in known.items if i.id == values.get("item")), None)
        return (target.id if target else None), (item.number if item else None)
    if state == "rejected":
        return None, None
    reason = values.get("reason") or ""
    placed = KeptDraft(**{name: getattr(draft, name) for name in draft.__slots__} | {"reason": reason})
    use_case = _use_case_id(known, draft.use_case)
    if not draft_store.insert(connection, client, placed, key, use_case):
        known.waiting.remove(draft)
        outcome.added.remove(draft.id)
        outcome.repeated += 1
        return None, None
    return draft.id, None


def _judged(
    connection: Connection, client: str, known: _Known, draft: KeptDraft, outcome: Offered
) -> tuple[str, dict[str, str]]:
    """The state that a proposal gets, and the columns that say why."""
    ids = _ids(draft.evidence)
    said = Said(draft.type, draft.title, ids)
    latest = max((e.at for e in draft.evidence), default=None)
    if ids and ids <= known.rejected:
        outcome.rejected += 1
        return "rejected", {"reason": "it rests on what was rejected before"}
    item, back = known.item_like(said, latest)
    if item is not None:
        known.more_for_item(connection, client, item, draft.evidence)
        outcome.repeated += 1
        return "merged", {"item": item.id, "reason": f"it repeats {item.number}"}
    twin = known.draft_like(said)
    if twin is not None:
        known.more_for_draft(connection, client, twin, draft.evidence)
        if twin.parent is None and twin.use_case is None and twin.type != USE_CASE:
            draft_store.settle_in(
                connection, client, twin.id, draft.parent, _use_case_id(known, draft.use_case)
            )
        outcome.repeated += 1
        return "merged", {"merged_into": twin.id, "reason": "it repeats a draft"}
    known.waiting.append(draft)
    outcome.added.append(draft.id)
    return "draft", {"reason": back}


def _known(connection: Connection, client: str, project: str) -> _Known:
    rejected = text("""
        SELECT DISTINCT e ->> 'id' FROM drafts, jsonb_array_elements(evidence) AS e
        WHERE client = :client AND project = :project AND state = 'rejected'
    """)
    return _Known(
        items(connection, client, project),
        drafts(connection, client, project),
        set(connection.scalars(rejected, {"client": client, "project": project})),
    )


def _use_case_id(known: _Known, number: str | None) -> str | None:
    return next((i.id for i in known.items if i.number == number and i.type == USE_CASE), None)


def _ids(evidence: Sequence[Evidence]) -> frozenset[str]:
    return frozenset(one.id for one in evidence)


def _session(evidence: Sequence[Evidence]) -> str | None:
    return next((one.session for one in evidence if one.session), None)
