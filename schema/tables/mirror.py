"""The mirror: what was accepted, once, and what became of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import Computed
from sqlalchemy.dialects.postgresql import Range
from sqlalchemy.orm import Mapped, mapped_column

from schema.tables.base import Base, BigCount, DayKey, IdKey, Json, Key, Texts, TimeKey

Partitioned = {"postgresql_partition_by": "RANGE (received_at)"}


class Ledger(Base):
    """One row an accepted event: its disposition, and the mirror row it became or was merged into.

    ``identity`` is the key in sixteen bytes, by which the database keeps it unique.
    """

    __tablename__ = "ledger"

    client: Mapped[Key]
    entry: Mapped[Key]
    event_id: Mapped[UUID | None]
    key: Mapped[str | None]
    digest: Mapped[bytes | None]
    twins: Mapped[Range[datetime] | None]
    disposition: Mapped[str]
    kind: Mapped[str | None]
    mirror: Mapped[UUID | None]
    event_at: Mapped[datetime | None]
    recorded_at: Mapped[datetime]
    retained_until: Mapped[datetime | None]
    forgotten_at: Mapped[datetime | None]
    identity: Mapped[UUID | None] = mapped_column(Computed("md5(key)::uuid", persisted=True))


class LedgerCount(Base):
    """How many events have each disposition; moved in the ledger's own transaction."""

    __tablename__ = "ledger_counts"

    client: Mapped[Key]
    disposition: Mapped[Key]
    events: Mapped[BigCount]


class Window(Base):
    """Five minutes of event time in which identical observations are one row."""

    __tablename__ = "windows"

    client: Mapped[Key]
    observation: Mapped[IdKey]
    fingerprint: Mapped[UUID]
    span: Mapped[Range[datetime]]
    received_at: Mapped[datetime]


class Quarantined(Base):
    """An event that could not be stored, with the reason; its payload is redacted like everything else."""

    __tablename__ = "quarantine"

    client: Mapped[Key]
    id: Mapped[IdKey]
    entry: Mapped[str]
    event_id: Mapped[UUID | None]
    reason: Mapped[str]
    attempts: Mapped[int]
    payload: Mapped[str | None]
    state: Mapped[str]
    quarantined_at: Mapped[datetime]


class Mirrored:
    """Columns of every mirror row. ``clock`` marks an event time that was clamped."""

    __table_args__: ClassVar[dict[str, Any]] = Partitioned

    client: Mapped[Key]
    id: Mapped[IdKey]
    received_at: Mapped[TimeKey]
    project: Mapped[UUID]
    session: Mapped[UUID | None]
    event_id: Mapped[UUID]
    origin: Mapped[str]
    origin_version: Mapped[str | None]
    at: Mapped[datetime]
    clock: Mapped[str | None]


class Exchange(Mirrored, Base):
    """A prompt, reply, machine message, subagent's report or compaction summary."""

    __tablename__ = "exchanges"

    agent: Mapped[str]
    turn: Mapped[str | None]
    subagent: Mapped[str | None]
    subagent_type: Mapped[str | None]
    role: Mapped[str]
    text: Mapped[str]
    chars: Mapped[int]
    cut: Mapped[bool]
    reason: Mapped[str | None]
    classified_at: Mapped[datetime | None]


class Observation(Mirrored, Base):
    """One tool call in compact form, or several identical ones (``count``, ``last_at``)."""

    __tablename__ = "observations"

    agent: Mapped[str]
    turn: Mapped[str | None]
    call: Mapped[str | None]
    subagent: Mapped[str | None]
    subagent_type: Mapped[str | None]
    tool: Mapped[str]
    server: Mapped[str | None]
    target: Mapped[str | None]
    shape: Mapped[str | None]
    outcome: Mapped[str]
    exit_code: Mapped[int | None]
    ms: Mapped[int | None]
    files: Mapped[Texts]
    count: Mapped[int]
    last_at: Mapped[datetime]


class Commit(Mirrored, Base):
    """A commit; ``link`` says how its session and prompt (``exchange``) were found."""

    __tablename__ = "commits"

    sha: Mapped[str]
    parents: Mapped[Texts]
    message: Mapped[str]
    author: Mapped[str | None]
    branch: Mapped[str | None]
    files: Mapped[Json]
    manifests: Mapped[Json]
    languages: Mapped[Json]
    languages_before: Mapped[Json]
    exchange: Mapped[UUID | None]
    link: Mapped[str | None]
    rewritten_to: Mapped[str | None]
    proved_at: Mapped[datetime | None]
    read_at: Mapped[datetime | None]
    classified_at: Mapped[datetime | None]


class Message(Mirrored, Base):
    """A message or a meeting note."""

    __tablename__ = "messages"

    kind: Mapped[str]
    title: Mapped[str]
    text: Mapped[str]
    source: Mapped[str | None]
    classified_at: Mapped[datetime | None]
    indexed_at: Mapped[datetime | None]
    told_at: Mapped[datetime | None]


class CodeObservation(Mirrored, Base):
    """What one commit did to one file: the ground of churn and hotspots."""

    __tablename__ = "code_observations"

    sha: Mapped[str]
    commit: Mapped[UUID | None]
    path: Mapped[str]
    added: Mapped[int | None]
    deleted: Mapped[int | None]


class Measure(Mirrored, Base):
    """A source file that a commit changed: cyclomatic complexity before and after; ``skipped`` says why it has none."""

    __tablename__ = "measures"

    sha: Mapped[str]
    path: Mapped[str]
    language: Mapped[str]
    complexity_before: Mapped[int | None]
    complexity_after: Mapped[int | None]
    functions_before: Mapped[int | None]
    functions_after: Mapped[int | None]
    symbols_total: Mapped[int]
    broken: Mapped[bool]
    skipped: Mapped[str | None]


class Symbol(Mirrored, Base):
    """A function, method, class or type that a commit added, changed or removed."""

    __tablename__ = "symbols"

    sha: Mapped[str]
    path: Mapped[str]
    name: Mapped[str]
    kind: Mapped[str]
    change: Mapped[str]
    first_line: Mapped[int]
    last_line: Mapped[int]
    complexity_before: Mapped[int | None]
    complexity_after: Mapped[int | None]


class Redaction(Base):
    """What a net caught, by rule and day; never a value."""

    __tablename__ = "redactions"

    client: Mapped[Key]
    net: Mapped[Key]
    rule: Mapped[Key]
    day: Mapped[DayKey]
    hits: Mapped[BigCount]


class Rewrite(Base):
    """A commit that an amend or a rebase replaced; it may be told of before the commit itself arrives."""

    __tablename__ = "rewrites"

    client: Mapped[Key]
    project: Mapped[IdKey]
    old: Mapped[Key]
    new: Mapped[str]
    recorded_at: Mapped[datetime]


class Retention(Base):
    """A partition of the mirror that was dropped, and how many of the client's rows went with it."""

    __tablename__ = "retentions"

    client: Mapped[Key]
    partition: Mapped[Key]
    received_from: Mapped[datetime]
    received_to: Mapped[datetime]
    mirror_rows: Mapped[BigCount]
    dropped_at: Mapped[datetime]
