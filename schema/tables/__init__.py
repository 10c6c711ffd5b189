"""Every table as a typed class; ``metadata`` holds them all."""

from schema.tables.access import Audit, Token
from schema.tables.backlog import Draft, Item, ItemCheck, ItemHistory, ItemNumber, WorkLog
from schema.tables.base import Base
from schema.tables.ground import Client, Project, ProjectKey, Session
from schema.tables.memories import Memory, MemoryContext, MemoryUse, Remembered, RememberedVersion
from schema.tables.memory import Event, FactCheck, FactFlag, FactVersion, SessionSummary
from schema.tables.mirror import (
    CodeObservation,
    Commit,
    Exchange,
    Ledger,
    LedgerCount,
    Measure,
    Message,
    Observation,
    Quarantined,
    Redaction,
    Retention,
    Rewrite,
    Symbol,
    Window,
)
from schema.tables.projected import (
    Bundle,
    BundleMark,
    Document,
    DocumentVersion,
    MarkCount,
    PageBase,
    Passage,
)
from schema.tables.search import Reindex, SearchFile, SearchPosting, SearchStat, SearchUnit, SearchVector
from schema.tables.spend import ModelCall, SpendTotal
from schema.tables.viewer import HeldDeletion, Visit, VisitLink

metadata = Base.metadata

__all__ = [
    "Audit",
    "Base",
    "Bundle",
    "BundleMark",
    "Client",
    "CodeObservation",
    "Commit",
    "Document",
    "DocumentVersion",
    "Draft",
    "Event",
    "Exchange",
    "FactCheck",
    "FactFlag",
    "FactVersion",
    "HeldDeletion",
    "Item",
    "ItemCheck",
    "ItemHistory",
    "ItemNumber",
    "Ledger",
    "LedgerCount",
    "MarkCount",
    "Measure",
    "Memory",
    "MemoryContext",
    "MemoryUse",
    "Message",
    "ModelCall",
    "Observation",
    "PageBase",
    "Passage",
    "Project",
    "ProjectKey",
    "Quarantined",
    "Redaction",
    "Reindex",
    "Remembered",
    "RememberedVersion",
    "Retention",
    "Rewrite",
    "SearchFile",
    "SearchPosting",
    "SearchStat",
    "SearchUnit",
    "SearchVector",
    "Session",
    "SessionSummary",
    "SpendTotal",
    "Symbol",
    "Token",
    "Visit",
    "VisitLink",
    "Window",
    "WorkLog",
    "metadata",
]
