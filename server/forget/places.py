"""Where words are kept: the tables, the columns that hold text, and what becomes of a row that holds the wrong ones.

A row that says one thing goes; one that others hang on (a project, a commit, an item, a document) loses the words.
A table that is not named here is searched and loses the words, so that a new one is never forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ARRAY, Text, or_
from sqlalchemy import cast as as_type
from sqlalchemy import func as call
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.schema import Column, Table
from sqlalchemy.sql import ColumnElement

from schema.tables import metadata
from server.forget.words import Words

# What goes as a whole, by which column; in this order, so that what refers to a row goes before it.
KEYS = {
    "windows": "observation",
    "exchanges": "id",
    "observations": "id",
    "messages": "id",
    "commits": "id",
    "code_observations": "id",
    "measures": "id",
    "symbols": "id",
    "events": "id",
    "session_summaries": "session",
    "drafts": "id",
    "fact_flags": "id",
    "fact_checks": "fact",
    "fact_versions": "fact",
    "memory_contexts": "memory",
    "memories": "id",
    "remembered_versions": "id",
    "remembered": "id",
    "held_deletions": "memory",
    "memory_uses": "ref",
    "project_keys": "key",
    "sessions": "session",
}
# What goes beside those where a whole project does; of a text these lose the words only.
OF_PROJECT = {
    "work_log": "id",
    "item_history": "item",
    "item_checks": "item",
    "items": "id",
    "item_numbers": "project",
    "passages": "id",
    "document_versions": "document",
    "documents": "id",
    "page_bases": "project",
    "bundles": "project",
    "rewrites": "project",
    "bundle_marks": "project",
    "mark_counts": "project",
    "projects": "project",
}
COUNTERS = frozenset(
    {"bundle_marks", "mark_counts"}
)  # they grow while the rest goes, and say nothing of anybody
WHOLE = KEYS | OF_PROJECT
MIRROR = ("exchanges", "observations", "messages", "commits", "code_observations", "measures", "symbols")
# A commit, what it did to files, and a session carry others: of them the words go, and only with their session the row.
CARRIERS = frozenset({"commits", "code_observations", "measures", "symbols", "sessions"})
APPENDED = frozenset({"item_history"})  # may not be changed in place: the row is written anew
UNITS, QUARANTINE, LEDGER = "search_units", "quarantine", "ledger"
# A part goes with its whole.
PARTS = {
    "memory_contexts": "memories",
    "remembered_versions": "remembered",
    "item_history": "items",
    "document_versions": "documents",
}
# Without anybody's words, or made from what is searched; tokens and the log of changes are counted and told of.
LEFT = frozenset(
    {
        "audit",
        "bundle_marks",
        "mark_counts",
        "bundles",
        "clients",
        "item_numbers",
        "ledger_counts",
        "model_calls",
        "redactions",
        "reindex",
        "retentions",
        "rewrites",
        "search_files",
        "search_postings",
        "search_stats",
        "search_vectors",
        "spend_totals",
        "tokens",
        "visit_links",
        "visits",
        "windows",
    }
)
WHO = ("tokens", "audit")
# Columns whose values are ours: names of kinds and states, of agents and of models.
OURS = frozenset(
    {
        "agent",
        "cardinality",
        "change",
        "client",
        "clock",
        "disposition",
        "entry",
        "distiller",
        "format",
        "freshness",
        "kind",
        "language",
        "lexemes",
        "link",
        "origin",
        "origin_version",
        "role",
        "standing",
        "state",
        "type",
    }
)
OUTCOMES = frozenset({"observations"})  # there ``outcome`` is one of ours, in the work log it is text


def searched() -> Iterator[tuple[Table, list[Column[str]]]]:
    """Every table that may hold somebody's words, with the columns that do."""
    for table in metadata.sorted_tables:
        if table.name in LEFT:
            continue
        columns = [column for column in table.columns if _holds_words(table.name, column)]
        if columns:
            yield table, columns


def holding(columns: list[Column[str]], words: Words) -> ColumnElement[bool]:
    """The condition of rows that hold ``words`` in one of ``columns``."""
    return or_(*(_holding(column, words) for column in columns))


def _holding(column: Column[str], words: Words) -> ColumnElement[bool]:
    if isinstance(column.type, JSONB):
        return as_type(column, Text).op("~")(words.json)
    if isinstance(column.type, ARRAY):
        return call.array_to_string(column, "\n").op("~")(words.stored)
    return column.op("~")(words.stored)


def _holds_words(table: str, column: Column[str]) -> bool:
    if column.name in OURS or (table in OUTCOMES and column.name == "outcome"):
        return False
    kind = column.type.item_type if isinstance(column.type, ARRAY) else column.type
    return isinstance(kind, Text | JSONB)
