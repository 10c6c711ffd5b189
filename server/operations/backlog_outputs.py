"""How items, drafts and what was done are told of; stored words close no fence."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from pydantic import Field

from recall.fence import harmless
from schema.backlog import HistoryEntry, Item, WorkEntry
from schema.drafts import KeptDraft
from schema.records import Evidence
from server.operation import Output


class EvidenceOutput(Output):
    """What something rests on."""

    kind: str = Field(description="exchange, commit, message, document or observation.")
    id: str
    at: datetime
    session: str | None
    commit: str | None


class ItemOutput(Output):
    """An approved piece of work."""

    number: str = Field(description="Its stable number, such as BU3001.")
    project_id: str
    type: str = Field(description="US use case, FE feature, BU bug, TA task, PO policy, RE requirement.")
    title: str
    text: str
    state: str = Field(description="open, pending, in-progress, review or done.")
    use_case: str | None = Field(description="The number of the use case it belongs to.")
    version: int = Field(description="Give it as `version` with a change, so that nobody's is lost.")
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None
    archive_reason: str


class WorkOutput(Output):
    """What was done, once."""

    id: str
    item: str
    use_case: str | None
    at: datetime
    by: str
    origin: str = Field(description="person, agent or commit.")
    outcome: str
    tests: str
    review: str
    score: int | None
    seconds: int | None
    commit: str | None


class ChangeOutput(Output):
    """What made one version of an item."""

    version: int
    at: datetime
    by: str
    action: str = Field(
        description="created, changed, forward, back, reopen, delivery, archived, restored, merged or reordered."
    )
    changes: dict[str, list[Any]] = Field(description="By field: before and after.")
    reason: str


class DraftOutput(Output):
    """A proposal; it has no number before a person approves it."""

    id: str
    project_id: str
    type: str
    title: str
    text: str
    state: str = Field(description="draft, approved, rejected or merged.")
    parent: str | None = Field(description="The id of the use case draft it belongs to.")
    use_case: str | None = Field(
        description="The number of the use case it belongs to, where that is approved."
    )
    item: str | None = Field(description="The number it became, or was merged into.")
    merged_into: str | None
    origin: str
    by: str
    reason: str
    version: int
    created_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    evidence: list[EvidenceOutput]


def item_output(item: Item) -> ItemOutput:
    """An item as it is told of."""
    return ItemOutput(
        number=item.number,
        project_id=item.project,
        type=item.type,
        title=harmless(item.title),
        text=harmless(item.text),
        state=item.state,
        use_case=item.use_case,
        version=item.version,
        created_at=item.created_at,
        updated_at=item.updated_at,
        archived_at=item.archived_at,
        archive_reason=harmless(item.archive_reason),
    )


def work_output(entry: WorkEntry) -> WorkOutput:
    """A delivery as it is told of."""
    return WorkOutput(
        id=entry.id,
        item=entry.item,
        use_case=entry.use_case,
        at=entry.at,
        by=harmless(entry.by),
        origin=entry.origin,
        outcome=harmless(entry.outcome),
        tests=harmless(entry.tests),
        review=harmless(entry.review),
        score=entry.score,
        seconds=entry.seconds,
        commit=entry.commit,
    )


def change_output(line: HistoryEntry) -> ChangeOutput:
    """A version as it is told of."""
    changes = {name: [_harmless(value) for value in pair] for name, pair in line.changes.items()}
    return ChangeOutput(
        version=line.version,
        at=line.at,
        by=harmless(line.by),
        action=line.action,
        changes=changes,
        reason=harmless(line.reason),
    )


def draft_output(draft: KeptDraft) -> DraftOutput:
    """A draft as it is told of."""
    return DraftOutput(
        id=draft.id,
        project_id=draft.project,
        type=draft.type,
        title=harmless(draft.title),
        text=harmless(draft.text),
        state=draft.state,
        parent=draft.parent,
        use_case=draft.use_case,
        item=draft.item,
        merged_into=draft.merged_into,
        origin=draft.origin,
        by=harmless(draft.by),
        reason=harmless(draft.reason),
        version=draft.version,
        created_at=draft.created_at,
        decided_at=draft.decided_at,
        decided_by=draft.decided_by,
        evidence=_evidence(draft.evidence),
    )


def _evidence(told: Iterable[Evidence]) -> list[EvidenceOutput]:
    return [
        EvidenceOutput(kind=one.kind, id=one.id, at=one.at, session=one.session, commit=one.commit)
        for one in told
    ]


def _harmless(value: Any) -> Any:
    if isinstance(value, str):
        return harmless(value)
    return [_harmless(one) for one in value] if isinstance(value, list) else value
