"""Versions of facts as whoever reads them gets them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import RowMapping

from schema.evidence import pointers
from schema.records import Cardinality, Fact, FactKind, Slot, Standing

TREE = "(language shares)"  # among a fact's files: the whole tree proves it, no file of its own

SELECT_FACTS = """
    SELECT project::text, version::text, fact::text, subject, attribute, scope, cardinality, kind, value, statement,
    standing, valid_from, valid_to, recorded_at, retired_at, superseded_by::text, reason, pinned, session::text,
    evidence, files
    FROM fact_versions
"""


def files_of(files: Iterable[str]) -> tuple[str, ...]:
    """Return the files behind a fact, for who reads it: what stands for the whole tree is none."""
    return tuple(path for path in files if path != TREE)


def fact_of(row: RowMapping) -> Fact:
    """Return the fact version a row of SELECT_FACTS holds."""
    return Fact(
        id=row["fact"],
        version=row["version"],
        slot=Slot(row["subject"], row["attribute"], row["scope"]),
        cardinality=Cardinality(row["cardinality"]),
        kind=FactKind(row["kind"]),
        value=row["value"],
        statement=row["statement"],
        standing=Standing(row["standing"]),
        valid_from=row["valid_from"],
        recorded_at=row["recorded_at"],
        valid_to=row["valid_to"],
        retired_at=row["retired_at"],
        superseded_by=row["superseded_by"],
        reason=row["reason"],
        pinned=row["pinned"],
        session=row["session"],
        evidence=pointers(row["evidence"]),
        files=tuple(row["files"]),
    )
