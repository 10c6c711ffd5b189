"""The mirror rows behind an id, with their words: the last step of looking into a memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.ids import whole_id
from schema.scope import Scope
from schema.trace import Node, trace

_MIRROR = ("exchange", "observation", "commit", "message", "note", "code")

# Each says how long the text was when it was told, and gives its beginning.
_ROWS = """
    SELECT id::text, 'exchange' AS kind, at, session::text, NULL AS commit, role, left(text, :chars) AS text,
           greatest(chars, length(text)) AS chars
    FROM exchanges WHERE {scope} AND id = ANY(CAST(:ids AS uuid[]))
    UNION ALL
    SELECT id::text, 'observation', at, session::text, NULL, NULL, told, length(told) FROM (
        SELECT *, concat_ws(' ', tool, coalesce(target, shape), outcome, 'exit ' || exit_code, ms || ' ms',
                            CASE WHEN count > 1 THEN count || ' times' END) AS told
        FROM observations WHERE {scope} AND id = ANY(CAST(:ids AS uuid[]))) AS called
    UNION ALL
    SELECT id::text, 'commit', at, session::text, sha, NULL, left(message, :chars), length(message)
    FROM commits WHERE {scope} AND id = ANY(CAST(:ids AS uuid[]))
    UNION ALL
    SELECT id::text, kind, at, session::text, NULL, NULL, left(concat_ws(chr(10), nullif(title, ''), text), :chars),
           length(concat_ws(chr(10), nullif(title, ''), text))
    FROM messages WHERE {scope} AND id = ANY(CAST(:ids AS uuid[]))
    UNION ALL
    SELECT id::text, 'code', at, session::text, sha, NULL, concat(path, ' +', added, ' -', deleted),
           length(concat(path, ' +', added, ' -', deleted))
    FROM code_observations WHERE {scope} AND id = ANY(CAST(:ids AS uuid[]))
"""


@dataclass(frozen=True, slots=True)
class Witness:
    """One mirror row; ``chars`` is how long its text was, ``dropped_at`` when retention took it."""

    kind: str
    id: str
    at: datetime | None
    session: str | None
    commit: str | None
    role: str | None
    text: str
    chars: int
    dropped_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Behind:
    """What an id is of, and what it rests on."""

    kind: str
    id: str
    text: str
    evidence: tuple[Witness, ...]
    prompts: tuple[Witness, ...]
    left_out: int


def behind(
    connection: Connection, scope: Scope, identifier: str, *, limit: int = 20, chars: int = 4000
) -> Behind:
    """Return at most ``limit`` rows behind ``identifier`` (what ``schema.trace`` takes), of each text ``chars``
    characters. A mirror row is its own evidence. Raises NotFound.
    """
    found = trace(connection, scope, identifier, onward=False)
    nodes = [found.what] if found.what.kind in _MIRROR else (found.because or found.commits)
    prompts = [node for node in found.prompts if node.id not in {one.id for one in nodes}]
    words = _words(connection, scope, [*nodes[:limit], *prompts[:limit]], chars)
    return Behind(
        kind=found.what.kind,
        id=found.what.id,
        text=found.what.text,
        evidence=tuple(words.get(node.id) or _bare(node) for node in nodes[:limit]),
        prompts=tuple(words.get(node.id) or _bare(node) for node in prompts[:limit]),
        left_out=max(0, len(nodes) - limit) + max(0, len(prompts) - limit),
    )


def _words(connection: Connection, scope: Scope, nodes: Sequence[Node], chars: int) -> dict[str, Witness]:
    ids = [node.id for node in nodes if whole_id(node.id)]
    if not ids:
        return {}
    values: dict[str, Any] = scope.values | {"ids": ids, "chars": chars}
    rows = connection.execute(text(_ROWS.format(scope=scope.where())), values).mappings()
    return {row["id"]: Witness(**row) for row in rows}


def _bare(node: Node) -> Witness:
    return Witness(
        node.kind,
        node.id,
        node.at,
        node.session,
        node.commit,
        None,
        node.text,
        len(node.text),
        node.dropped_at,
    )
