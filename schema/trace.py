"""Where something came from and what it led to: fact, event, summary <-> mirror rows, session, prompt, commit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, text

from schema.errors import NotFound
from schema.evidence import pointers
from schema.ids import reach, whole_id
from schema.scope import Scope
from schema.trace_nodes import MOST, Node, Trace, node_of
from schema.trace_saved import saved

__all__ = ["Node", "Trace", "trace"]

SHORTEST_SHA = 7
SHORTEST_ID = 8


_MIRROR = {
    "exchange": "SELECT 'exchange' AS kind, id, at, role || ': ' || left(text, 300) AS text, session FROM exchanges",
    "observation": """
        SELECT 'observation' AS kind, id, at, concat_ws(' ', tool, coalesce(target, shape), outcome) AS text, session
        FROM observations""",
    "commit": """
        SELECT 'commit' AS kind, id, at, left(sha, 12) || ' ' || split_part(message, chr(10), 1) AS text, session,
               sha AS commit, link FROM commits""",
    "message": """
        SELECT kind, id, at, concat_ws(': ', nullif(title, ''), left(text, 300)) AS text, session FROM messages""",
    "code": """
        SELECT 'code' AS kind, id, at, path || concat(' +', added, ' -', deleted) AS text, session, sha AS commit
        FROM code_observations""",
    "symbol": """
        SELECT 'symbol' AS kind, id, at, concat(change, ' ', kind, ' ', name, ' in ', path, ', lines ', first_line, '-',
               last_line, ', complexity ' || nullif(concat_ws(' -> ', complexity_before,
               nullif(complexity_after, complexity_before)), '')) AS text, session,
               sha AS commit FROM symbols""",
    "measure": """
        SELECT 'measure' AS kind, id, at, concat(path, ', ', coalesce(skipped, 'complexity ' ||
               concat_ws(' -> ', complexity_before, nullif(complexity_after, complexity_before)))) AS text, session,
               sha AS commit
        FROM measures""",
    "document": """
        SELECT 'document' AS kind, id, at, concat_ws(': ', nullif(heading, ''), left(text, 300)) AS text,
               cast(NULL AS uuid) AS session
        FROM passages""",
}
_MEMORY = {
    "fact": """
        SELECT 'fact' AS kind, fact AS id, valid_from AS at, statement AS text, session, evidence, version
        FROM fact_versions""",
    "event": "SELECT kind, id, at, title AS text, session, evidence FROM events",
    "summary": "SELECT 'summary' AS kind, id, at, title AS text, session, evidence FROM session_summaries",
    "draft": """
        SELECT 'draft' AS kind, id, created_at AS at, type || ' ' || title AS text, session, evidence FROM drafts""",
    "item": """
        SELECT 'item' AS kind, id, at, text, session, evidence FROM (
            SELECT i.client, i.project, i.id, i.created_at AS at, i.type || i.serial AS number,
                   i.type || i.serial || ' ' || i.title || ', ' || i.state AS text, cast(NULL AS uuid) AS session,
                   i.evidence || coalesce((
                       SELECT jsonb_agg(jsonb_build_object('kind', 'commit', 'id', c.id, 'at', c.at,
                                                           'session', c.session, 'commit', c.sha) ORDER BY c.at)
                       FROM work_log w
                       JOIN commits c ON c.client = w.client AND c.project = w.project AND c.sha = w.commit
                       WHERE w.client = i.client AND (w.item = i.id OR w.use_case = i.id)), '[]') AS evidence
            FROM items i) AS backlog""",
}
_OWN_ID = {
    "fact": "(fact = :id OR version = :id) ORDER BY retired_at IS NOT NULL, recorded_at DESC",
    "event": "id = :id",
    "summary": "id = :id",
    "draft": "id = :id",
    "item": "id = :id",
}
_STARTS = {
    "fact": ("fact", "retired_at IS NOT NULL, recorded_at DESC"),
    "event": ("id", "id"),
    "summary": ("id", "id"),
    "draft": ("id", "id"),
    "item": ("id", "id"),
}
_NUMBER = re.compile(r"[A-Z]{2}[0-9]{4,9}")
_CITES = "(evidence @> ANY(cast(:needles AS jsonb[])) OR session = ANY(cast(:sessions AS uuid[])))"
_SESSION = """
    SELECT 'session' AS kind, session AS id, started_at AS at,
           agent || ' ' || agent_session || ', ' || state AS text, session FROM sessions
"""


def trace(connection: Connection, scope: Scope, identifier: str, *, onward: bool = True) -> Trace:
    """Follow ``identifier`` both ways; without ``onward`` only back, to what it rests on.

    It is the id of a fact (or one of its versions), event, summary, draft, item (also its number), session (also the
    agent's own id), mirror row, captured event, memory, remembered key, document or proposal that waits for review, or
    the hash of a commit. Of a hash seven characters will do, of the id of a fact, event, summary, draft or item as many
    as no other has, from eight on. Raises NotFound.
    """
    look = _Look(connection, scope)
    found = _found(connection, scope, look, identifier, onward)
    found.more = sorted(look.more)
    return found


def _found(connection: Connection, scope: Scope, look: _Look, identifier: str, onward: bool) -> Trace:
    if (whole := whole_id(identifier)) is not None:
        for kind, statement in _MEMORY.items():
            if row := look.one(statement, _OWN_ID[kind], id=whole):
                return _from_memory(look, row)
        mirror = look.rows_of([whole]) or look.rows_of(look.mirror_of(whole))
        if mirror:
            return _from_mirror(look, mirror[0], onward)
        if row := look.one(_SESSION, "session = :id", id=whole):
            return _from_session(look, node_of(row), onward)
        if (kept := saved(connection, scope, whole)) is not None:
            return _completed(look, kept, onward)
    if _NUMBER.fullmatch(identifier.upper()) and (row := look.item(identifier.upper())):
        return _from_memory(look, row)
    if row := look.one(_SESSION, "agent_session = :id ORDER BY last_at DESC LIMIT 1", id=identifier):
        return _from_session(look, node_of(row), onward)
    if row := look.commit(identifier):
        return _from_mirror(look, node_of(row), onward)
    if row := look.starting(identifier):
        return _from_memory(look, row)
    raise NotFound(
        what="fact, event, summary, session, commit, memory, document or mirror row", name=identifier
    )


def _from_memory(look: _Look, row: Mapping[str, Any]) -> Trace:
    """Back to the evidence."""
    found = Trace(node_of(row))
    told = [Node(e.kind, e.id, e.at, "", e.session, e.commit) for e in pointers(row["evidence"])]
    told = look.first("because", told)
    stored = {node.id: node for node in look.rows_of([node.id for node in told if whole_id(node.id)])}
    found.because = [stored.get(node.id) or look.gone(node) for node in told]
    sessions = dict.fromkeys(node.session for node in [found.what, *found.because] if node.session)
    found.sessions = look.sessions(sessions)
    found.prompts = look.prompts_before([node for node in found.because if node.kind != "commit"])
    found.prompts += [one for one in look.prompts_of_commits(found.because) if one not in found.prompts]
    found.commits = [node for node in found.because if node.kind == "commit"] or look.commits_of(sessions)
    return found


def _from_mirror(look: _Look, node: Node, onward: bool) -> Trace:
    """Back to the session and prompt, and on to what it led to."""
    found = Trace(node)
    sessions = [node.session] if node.session else []
    found.sessions = look.sessions(sessions)
    if node.kind == "commit":
        found.prompts = look.prompts_of_commits([node])
        found.symbols = look.symbols_of(node)
    elif node.commit and (commit := look.commit(node.commit)):
        found.commits = [node_of(commit)]
        found.prompts = look.prompts_of_commits(found.commits)
    elif node.kind != "message":
        found.prompts = [one for one in look.prompts_before([node]) if one.id != node.id]
        found.commits = look.commits_of(sessions)
    if onward:
        found.led_to = look.citing([node.id], sessions if node.kind == "exchange" else [])
    return found


def _completed(look: _Look, found: Trace, onward: bool) -> Trace:
    """What was saved, a document or a proposal: with the rows behind its evidence, and what rests on a document."""
    stored = {
        node.id: node for node in look.rows_of([node.id for node in found.because if whole_id(node.id)])
    }
    found.because = [stored.get(node.id, node) for node in found.because]
    if not found.sessions:
        found.sessions = look.sessions(dict.fromkeys(node.session for node in found.because if node.session))
    if onward and found.what.kind == "document":
        found.led_to = look.citing([node.id for node in found.because], [])
    return found


def _from_session(look: _Look, node: Node, onward: bool) -> Trace:
    """On to everything of the session."""
    condition = "session = :id AND role = 'person' ORDER BY at LIMIT :most"
    prompts = look.many(_MIRROR["exchange"], condition, id=node.id, most=MOST)
    return Trace(
        node,
        sessions=[node],
        prompts=[node_of(row) for row in prompts],
        commits=look.commits_of([node.id]),
        led_to=look.citing([], [node.id]) if onward else [],
    )


class _Look:
    """The reads; each sees one client."""

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self._connection, self._scope = connection, scope
        self.more: set[str] = set()

    def many(self, statement: str, condition: str, **values: object) -> list[Mapping[str, Any]]:
        query = text(f"{statement} WHERE {self._scope.where()} AND {condition}")
        return [dict(row) for row in self._connection.execute(query, self._scope.values | values).mappings()]

    def one(self, statement: str, condition: str, **values: object) -> Mapping[str, Any] | None:
        return next(iter(self.many(statement, condition, **values)), None)

    def first(self, part: str, found: list[Node]) -> list[Node]:
        """The first of what was found, which was asked for one more than is told; it is noted where there are more."""
        if len(found) > MOST:
            self.more.add(part)
        return found[:MOST]

    def commit(self, start: str) -> Mapping[str, Any] | None:
        """The commit whose hash begins so; the one that was not replaced first."""
        if len(start) < SHORTEST_SHA or not set(start) <= set("0123456789abcdef"):
            return None
        return self.one(_MIRROR["commit"], "sha LIKE :sha ORDER BY rewritten_to IS NOT NULL", sha=f"{start}%")

    def item(self, number: str) -> Mapping[str, Any] | None:
        """The one item with this number; None also where several projects in reach have one."""
        found = self.many(_MEMORY["item"], "number = :number LIMIT 2", number=number)
        return found[0] if len(found) == 1 else None

    def starting(self, start: str) -> Mapping[str, Any] | None:
        """The one fact, event, summary or draft whose id begins so; None also where there are several."""
        ends = reach(start) if len(start) >= SHORTEST_ID else None
        if ends is None:
            return None
        low, high = ends
        found: dict[tuple[str, str], Mapping[str, Any]] = {}
        for statement, (column, order) in zip(_MEMORY.values(), _STARTS.values(), strict=True):
            condition = (
                f"{column} BETWEEN cast(:low AS uuid) AND cast(:high AS uuid) ORDER BY {order} LIMIT 9"
            )
            for row in self.many(statement, condition, low=low, high=high):
                found.setdefault((row["kind"], str(row["id"])), row)
        return next(iter(found.values())) if len(found) == 1 else None

    def rows_of(self, ids: Iterable[str]) -> list[Node]:
        """The mirror rows with these ids that are still there."""
        wanted = list(ids)
        found = []
        for statement in _MIRROR.values() if wanted else ():
            found += self.many(statement, "id = ANY(cast(:ids AS uuid[]))", ids=wanted)
        return [node_of(row) for row in found]

    def mirror_of(self, event: str) -> list[str]:
        """The mirror row that a captured event became or was merged into."""
        query = text(
            "SELECT mirror FROM ledger WHERE client = :client AND event_id = :id AND mirror IS NOT NULL"
        )
        found = self._connection.scalars(query, {"client": self._scope.client, "id": event})
        return [str(row) for row in found]

    def gone(self, node: Node) -> Node:
        """A row that is not there any more: when retention took it or it was forgotten, as the ledger says."""
        if not whole_id(node.id):
            return node
        query = text("""
            SELECT max(retained_until), max(forgotten_at) FROM ledger WHERE client = :client AND mirror = :id
        """)
        dropped, forgotten = self._connection.execute(
            query, {"client": self._scope.client, "id": node.id}
        ).one()
        return replace(node, text="", dropped_at=dropped, forgotten_at=forgotten)

    def sessions(self, ids: Iterable[str]) -> list[Node]:
        rows = self.many(_SESSION, "session = ANY(cast(:ids AS uuid[])) ORDER BY started_at", ids=list(ids))
        return [node_of(row) for row in rows]

    def commits_of(self, sessions: Iterable[str]) -> list[Node]:
        condition = "session = ANY(cast(:ids AS uuid[])) AND rewritten_to IS NULL ORDER BY at LIMIT :most"
        rows = self.many(_MIRROR["commit"], condition, ids=list(sessions), most=MOST + 1)
        return self.first("commits", [node_of(row) for row in rows])

    def symbols_of(self, commit: Node) -> list[Node]:
        """What the commit did to symbols, by file and line."""
        condition = "sha = :sha ORDER BY path, change = 'removed', first_line, id LIMIT :most"
        rows = self.many(_MIRROR["symbol"], condition, sha=commit.commit, most=MOST + 1)
        return self.first("symbols", [node_of(row) for row in rows])

    def prompts_before(self, nodes: Iterable[Node]) -> list[Node]:
        """The prompt that each row answers to: the person's last one before it in its session."""
        condition = "session = :session AND role = 'person' AND at <= :at ORDER BY at DESC, id DESC LIMIT 1"
        found: dict[str, Node] = {}
        for node in nodes:
            if node.session and node.at:
                row = self.one(_MIRROR["exchange"], condition, session=node.session, at=node.at)
                if row:
                    found[str(row["id"])] = node_of(row)
        return list(found.values())

    def prompts_of_commits(self, nodes: Iterable[Node]) -> list[Node]:
        ids = [node.id for node in nodes if node.kind == "commit"]
        rows = self.many("SELECT exchange FROM commits", "id = ANY(cast(:ids AS uuid[]))", ids=ids)
        return self.rows_of(str(row["exchange"]) for row in rows if row["exchange"])

    def citing(self, ids: Iterable[str], sessions: Iterable[str]) -> list[Node]:
        """Facts as they are believed now, events, summaries, drafts and items that rest on these rows or sessions."""
        values = {
            "needles": [json.dumps([{"id": one}]) for one in ids],
            "sessions": list(sessions),
            "most": MOST + 1,
        }
        found: list[Node] = []
        for kind, statement in _MEMORY.items():
            believed = " AND retired_at IS NULL" if kind == "fact" else ""
            rows = self.many(statement, f"{_CITES}{believed} LIMIT :most", **values)
            found += self.first("led_to", [node_of(row) for row in rows])
        return found
