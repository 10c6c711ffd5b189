"""Where something comes from that was saved on purpose, imported, or waits for a decision.

A memory rests on the snippets it was saved with, and the session they are of; a remembered key on its versions; a
document on its passages; a proposal that waits on the evidence it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, text

from schema.evidence import pointers
from schema.scope import Scope
from schema.trace_nodes import MOST, Node, Trace, node_of

# What is a person's own shows to that person alone, by row security; what belongs to a project by the scope. What an
# agent keeps for itself is not shown: other agents ask here too.
_MEMORY = """
    SELECT 'memory' AS kind, id, created_at AS at, content AS text, NULL AS session FROM memories
    WHERE client = :client AND id = :id
"""
_SNIPPETS = """
    SELECT 'snippet' AS kind, id, created_at AS at, snippet AS text, NULL AS session,
           citation ->> 'conversation_id' AS conversation
    FROM memory_contexts WHERE client = :client AND memory = :id ORDER BY created_at, id LIMIT :most
"""
_KEY = """
    SELECT 'remembered' AS kind, id, created_at AS at, concat(key, ': ', value) AS text, NULL AS session FROM remembered
    WHERE client = :client AND id = :id AND forgotten_at IS NULL AND scope NOT LIKE 'agent:%'
      AND (project IS NULL OR {within})
"""
_VERSIONS = """
    SELECT 'version' AS kind, concat(id, '/', version) AS id, written_at AS at,
           concat('version ', version, ' by ', written_by, ': ', value) AS text, NULL AS session
    FROM remembered_versions WHERE client = :client AND id = :id ORDER BY version DESC LIMIT :most
"""
_DOCUMENT = """
    SELECT 'document' AS kind, id, created_at AS at, concat(name, ', version ', version, ': ', title) AS text,
           NULL AS session
    FROM documents WHERE client = :client AND id = :id AND {within}
"""
_PASSAGES = """
    SELECT 'document' AS kind, p.id, p.at, concat_ws(': ', nullif(p.heading, ''), left(p.text, 300)) AS text,
           NULL AS session
    FROM passages p JOIN documents d ON d.client = p.client AND d.id = p.document AND d.version = p.version
    WHERE p.client = :client AND p.document = :id ORDER BY p.starts LIMIT :most
"""
_FLAG = """
    SELECT 'review' AS kind, id, flagged_at AS at, concat(state, ': ', proposal ->> 'statement') AS text,
           NULL AS session, fact::text AS fact, proposal -> 'evidence' AS evidence
    FROM fact_flags WHERE client = :client AND id = :id AND {within}
"""
_FACT = """
    SELECT 'fact' AS kind, fact AS id, valid_from AS at, statement AS text, session FROM fact_versions
    WHERE client = :client AND fact = :id ORDER BY retired_at IS NOT NULL, recorded_at DESC LIMIT 1
"""
_CONVERSATIONS = """
    SELECT 'session' AS kind, session AS id, started_at AS at, agent || ' ' || agent_session || ', ' || state AS text,
           session
    FROM sessions WHERE client = :client AND (agent_session = ANY(:names) OR session::text = ANY(:names)) AND {within}
    ORDER BY started_at
"""


def saved(connection: Connection, scope: Scope, identifier: str) -> Trace | None:
    """The trace of a memory, a remembered key, a document or a proposal with this whole id; None where it is none."""
    values = scope.values | {"id": identifier, "most": MOST}

    def rows(statement: str, **more: Any) -> list[Mapping[str, Any]]:
        query = text(statement.replace("{within}", scope.where()))
        return [dict(row) for row in connection.execute(query, values | more).mappings()]

    if found := rows(_MEMORY):
        snippets = rows(_SNIPPETS)
        names = [row["conversation"] for row in snippets if row["conversation"]]
        return Trace(
            node_of(found[0]),
            because=[node_of(row) for row in snippets],
            sessions=[node_of(row) for row in rows(_CONVERSATIONS, names=names)],
        )
    if found := rows(_KEY):
        return Trace(node_of(found[0]), because=[node_of(row) for row in rows(_VERSIONS)])
    if found := rows(_DOCUMENT):
        return Trace(node_of(found[0]), because=[node_of(row) for row in rows(_PASSAGES)])
    if found := rows(_FLAG):
        told = [Node(e.kind, e.id, e.at, "", e.session, e.commit) for e in pointers(found[0]["evidence"])]
        stands = rows(_FACT, id=found[0]["fact"])
        return Trace(node_of(found[0]), because=told, led_to=[node_of(row) for row in stands])
    return None
