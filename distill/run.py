"""One session, or one commit, from evidence to facts: load, distil, decide, write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Connection

from distill.align import align
from distill.boundary import Distiller
from distill.code.missed import missed
from distill.code.proof import prove
from distill.resolve import Action, resolve
from distill.rewritten import moved
from distill.slots import PROJECT, label
from distill.store import doubts as doubt_store
from distill.store import facts as fact_store
from distill.store import flags as flag_store
from distill.store import rewrites as rewrite_store
from distill.store import sessions as session_store
from distill.timeline import Verb
from schema.database import Database
from schema.evidence import load_session
from schema.records import Commit, Proposal


@dataclass(frozen=True, slots=True)
class DistilResult:
    """What a distillation changed: the summary's id, the events, and how many proposals got which verb."""

    summary: str
    events: int
    verbs: dict[Verb, int]


def distil_session(
    database: Database, client: str, session: str, distiller: Distiller, *, now: datetime | None = None
) -> DistilResult:
    """Distil ``session`` and write what it came to, in one transaction. Running it again changes nothing.

    Raises NotFound for an unknown session, DatabaseConflict where another transaction was first (run
    again), and what the distiller raises.
    """
    with database.tenant(client) as connection:
        evidence = load_session(connection, client, session)
    distillate = distiller.distil(evidence)
    moment = now or datetime.now(UTC)
    with database.tenant(client) as connection:
        fact_store.hold(connection, client, evidence.project)
        summary = session_store.save(
            connection, evidence, distillate, distillate.by or distiller.name, moment
        )
        offered = distillate.offered
        actions = propose(connection, client, evidence.project, offered, evidence.commits, moment)
    verbs = Counter(action.verb for action in actions)
    return DistilResult(summary, len(distillate.events), dict(verbs))


def prove_commit(
    database: Database, client: str, project: str, commit: Commit, *, now: datetime | None = None
) -> tuple[Action, ...]:
    """Bring what one commit's files prove into the facts; no session and no model is needed."""
    moment = now or datetime.now(UTC)
    with database.tenant(client) as connection:
        fact_store.hold(connection, client, project)
        return propose(connection, client, project, (), (commit,), moment)


def propose(
    connection: Connection,
    client: str,
    project: str,
    proposals: Sequence[Proposal],
    commits: Sequence[Commit],
    now: datetime,
) -> tuple[Action, ...]:
    """Decide ``proposals`` and what ``commits`` prove against the believed facts, and write the outcome.

    Before that, what rests on a commit that was rewritten since moves to the commit in its place, or is taken back.
    """
    follow_rewrites(connection, client, project, now)
    waiting = sorted(proposals, key=lambda p: p.valid_from)
    actions: list[Action] = []
    for commit in sorted(commits, key=lambda c: c.at):
        earlier = [p for p in waiting if p.valid_from <= commit.at]
        waiting = waiting[len(earlier) :]
        actions += _decide(connection, client, project, earlier, now)
        before = fact_store.view(connection, client, project)
        proven = prove(commit, before)
        actions += _decide(connection, client, project, proven, now)
        actions += _decide(connection, client, project, missed(proven, before), now)
    return (*actions, *_decide(connection, client, project, waiting, now))


def follow_rewrites(connection: Connection, client: str, project: str, now: datetime) -> int:
    """Take back what only rewritten commits gave; return how many facts changed.

    The caller holds the project's facts (``distill.store.facts.hold``).
    """
    successors = rewrite_store.successors(connection, client, project)
    if not successors:
        return 0
    change = moved(fact_store.view(connection, client, project, history=True), successors, now)
    fact_store.apply(connection, client, project, change)
    return len(change.appends)


def _decide(
    connection: Connection, client: str, project: str, proposals: Sequence[Proposal], now: datetime
) -> tuple[Action, ...]:
    if not proposals:
        return ()
    meant = [_worded(p) for p in align(proposals, fact_store.around(connection, client, project, proposals))]
    believed = fact_store.believed(connection, client, project, {p.slot for p in meant})
    outcome = resolve(believed, meant, now)
    fact_store.apply(connection, client, project, outcome)
    flag_store.raise_flags(connection, client, project, outcome.flags, now)
    doubt_store.settle(connection, client, outcome.appends, now)
    flag_store.settle(connection, client, project, outcome.appends)
    return outcome.actions


def _worded(proposal: Proposal) -> Proposal:
    """Name the slot in a statement that took it from the facts that stand."""
    subject = proposal.slot.subject
    named = subject == PROJECT or any(word in proposal.statement.lower() for word in subject.split())
    if named or proposal.negated:
        return proposal
    return replace(proposal, statement=f"{proposal.statement.rstrip('.')} ({label(proposal.slot)}).")
