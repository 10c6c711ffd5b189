"""The glossary as types: what the packages hand to one another.

Every time is an aware ``datetime`` in UTC, every id a UUIDv7 string in its 36-character form, every
path relative to the project where the file lies inside it. Nothing here touches a database.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Outcome(StrEnum):
    """How a tool call ended."""

    OK = "ok"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Role(StrEnum):
    """Who speaks in an exchange."""

    PERSON = "person"
    MACHINE = "machine"
    REPLY = "reply"
    SUBAGENT = "subagent"
    COMPACTION = "compaction"


class Standing(StrEnum):
    """How a fact is known; the order of strength is ``rank``."""

    CODE = "code"
    PERSON = "person"
    MODEL = "model"

    @property
    def rank(self) -> int:
        """Strength: code proof 3, a person's word 2, a model's inference 1."""
        return {Standing.CODE: 3, Standing.PERSON: 2, Standing.MODEL: 1}[self]


class Cardinality(StrEnum):
    """Whether a slot holds one current value or many."""

    ONE = "one"
    MANY = "many"


class Freshness(StrEnum):
    """What the last check against the code said of a fact."""

    FRESH = "fresh"
    STALE = "stale"
    UNVERIFIABLE = "unverifiable"


class EventKind(StrEnum):
    """The kinds of dated event a session can give."""

    DECISION = "decision"
    CONVENTION = "convention"
    COMPONENT = "component"
    FIX = "fix"
    DEAD_END = "dead_end"
    QUESTION = "question"


class FactKind(StrEnum):
    """The kinds of fact."""

    STACK = "stack"
    PATTERN = "pattern"
    CONVENTION = "convention"
    CONSTRAINT = "constraint"
    COMPONENT = "component"
    DECISION = "decision"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class Exchange:
    """One prompt, reply or machine message, already redacted; where ``cut``, it had ``chars`` characters."""

    id: str
    role: Role
    text: str
    at: datetime
    turn: str | None = None
    chars: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """One tool call in compact form; ``count`` identical ones were merged into it."""

    id: str
    tool: str
    target: str | None
    shape: str | None
    outcome: Outcome
    at: datetime
    turn: str | None = None
    exit_code: int | None = None
    count: int = 1
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file a commit touched, with line counts (None for binary files)."""

    path: str
    added: int | None
    deleted: int | None


@dataclass(frozen=True, slots=True)
class Manifest:
    """A file that states project facts, as it stands at a commit; ``text`` None where it was removed.

    ``cut`` says that the text is not whole: what it lacks proves nothing.
    """

    path: str
    text: str | None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit, with the manifests it changed and the tree's language shares by lines."""

    id: str
    sha: str
    message: str
    at: datetime
    author: str | None = None
    branch: str | None = None
    parents: tuple[str, ...] = ()
    files: tuple[ChangedFile, ...] = ()
    manifests: tuple[Manifest, ...] = ()
    languages: dict[str, int] = field(default_factory=dict)
    languages_before: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SessionEvidence:
    """Everything the mirror holds of one session, in event order.

    ``dropped_at`` is when retention took the last part of what it once held: what a distillation misses then is no
    proof that it never was.
    """

    client: str
    project: str
    session: str
    agent: str
    started_at: datetime
    last_at: datetime
    exchanges: tuple[Exchange, ...] = ()
    observations: tuple[Observation, ...] = ()
    commits: tuple[Commit, ...] = ()
    dropped_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A pointer to a mirror row that survives retention: id, kind, time, session, commit."""

    kind: str
    id: str
    at: datetime
    session: str | None = None
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """What a fact is about, in canonical names: subject, attribute, and a scope ('' is the project)."""

    subject: str
    attribute: str
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A statement offered as a fact. Code decides what becomes of it (distill.resolve).

    ``negated`` says that the value holds no longer. ``replaces`` is None where nothing was said of an
    earlier value, "" where whatever stood is replaced, else the value that was named. ``stated`` is False
    where the slot was only implied ("we use Postgres" names no role): such a proposal never supersedes by
    itself. ``given_up`` marks a negated one that takes back what the same session said: it never held. ``told`` is
    what the same text says up to it, for one that names no slot. ``doubt`` says only that what stands may hold no
    longer: such a one changes nothing, it waits for a person, and the fact is shown as doubted until then.
    """

    slot: Slot
    cardinality: Cardinality
    kind: FactKind
    value: str
    statement: str
    standing: Standing
    valid_from: datetime
    evidence: tuple[Evidence, ...] = ()
    files: tuple[str, ...] = ()
    negated: bool = False
    replaces: str | None = None
    stated: bool = True
    given_up: bool = False
    told: str = ""
    doubt: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """One believed version of a fact. Current where both ``valid_to`` and ``retired_at`` are None."""

    id: str
    version: str
    slot: Slot
    cardinality: Cardinality
    kind: FactKind
    value: str
    statement: str
    standing: Standing
    valid_from: datetime
    recorded_at: datetime
    valid_to: datetime | None = None
    retired_at: datetime | None = None
    superseded_by: str | None = None
    reason: str = ""
    pinned: bool = False
    session: str | None = None
    evidence: tuple[Evidence, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def current(self) -> bool:
        """True where this is what we believe now and it still holds."""
        return self.valid_to is None and self.retired_at is None


@dataclass(frozen=True, slots=True)
class NewEvent:
    """A dated event a distiller found; ``key`` makes a second distillation find the same row."""

    kind: EventKind
    title: str
    text: str
    at: datetime
    key: str
    evidence: tuple[Evidence, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A backlog proposal as a distiller or classifier gives it: type is US, FE, BU, TA, PO or RE.

    ``parent`` is the ``key`` of the use case draft it belongs to, ``use_case`` the number of the one that stands
    already ("US1001"); at most one of them is given.
    """

    type: str
    title: str
    text: str
    key: str
    evidence: tuple[Evidence, ...] = ()
    parent: str | None = None
    use_case: str | None = None


@dataclass(frozen=True, slots=True)
class Distillate:
    """What one session came to; ``by`` names the distiller that did it, where it was not the one asked.

    ``unread`` are sentences that no rule reads by itself, to be held against what stands: proposals that name no slot
    and no value, only what was said.
    """

    title: str
    summary: str
    events: tuple[NewEvent, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    drafts: tuple[Draft, ...] = ()
    by: str = ""
    unread: tuple[Proposal, ...] = ()

    @property
    def offered(self) -> tuple[Proposal, ...]:
        """Return everything that is to be decided."""
        return (*self.proposals, *self.unread)


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing recall can find. ``ref`` is the id of the row it stands for; (kind, ref) is its identity.

    ``context`` helps finding (a turn's neighbours, a session's whole digest) and is never shown.
    """

    kind: str
    ref: str
    project: str
    title: str
    text: str
    at: datetime
    session: str | None = None
    context: str = ""
    files: tuple[str, ...] = ()
    standing: str | None = None
    slot: str | None = None
    current: bool = True
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    evidence: tuple[Evidence, ...] = ()
