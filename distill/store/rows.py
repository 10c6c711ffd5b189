"""Between rows and records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from distill.values import additive_key, value_key
from schema.evidence import pointer, pointers, pointers_json
from schema.records import Cardinality, Fact, FactKind, Proposal, Slot, Standing


def fact_row(client: str, project: str, fact: Fact) -> dict[str, Any]:
    """Return the values to insert for one fact version."""
    many = fact.cardinality is Cardinality.MANY
    return {
        "client": client,
        "project": project,
        "version": fact.version,
        "fact": fact.id,
        "subject": fact.slot.subject,
        "attribute": fact.slot.attribute,
        "scope": fact.slot.scope,
        "cardinality": fact.cardinality.value,
        "kind": fact.kind.value,
        "value": fact.value,
        "value_key": additive_key(fact.value) if many else value_key(fact.value),
        "statement": fact.statement,
        "standing": fact.standing.value,
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "recorded_at": fact.recorded_at,
        "superseded_by": fact.superseded_by,
        "reason": fact.reason,
        "pinned": fact.pinned,
        "session": fact.session,
        "evidence": pointers_json(fact.evidence),
        "files": list(fact.files),
    }


def proposal_json(proposal: Proposal) -> str:
    """Return a proposal as the JSON text kept with a flag."""
    return json.dumps(
        {
            "subject": proposal.slot.subject,
            "attribute": proposal.slot.attribute,
            "scope": proposal.slot.scope,
            "cardinality": proposal.cardinality.value,
            "kind": proposal.kind.value,
            "value": proposal.value,
            "statement": proposal.statement,
            "standing": proposal.standing.value,
            "valid_from": proposal.valid_from.isoformat(),
            "evidence": [pointer(e) for e in proposal.evidence],
            "files": list(proposal.files),
            "negated": proposal.negated,
            "doubt": proposal.doubt,
        }
    )


def proposal_of(stored: Mapping[str, Any]) -> Proposal:
    """Return the proposal kept with a flag."""
    return Proposal(
        slot=Slot(stored["subject"], stored["attribute"], stored["scope"]),
        cardinality=Cardinality(stored["cardinality"]),
        kind=FactKind(stored["kind"]),
        value=stored["value"],
        statement=stored["statement"],
        standing=Standing(stored["standing"]),
        valid_from=datetime.fromisoformat(stored["valid_from"]),
        evidence=pointers(stored["evidence"]),
        files=tuple(stored["files"]),
        negated=stored["negated"],
        doubt=stored.get("doubt", False),
    )
