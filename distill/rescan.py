"""A full pass over the tree: which facts it proves, which it has left behind, and which it cannot speak
about.

Facts that the tree disproves are closed with the reason, never deleted; ``undo`` brings back those of the
last pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from distill import corrections
from distill.code.proof import read
from distill.code.readers import reader_for
from distill.errors import SlotTaken
from distill.resolve import Action
from distill.run import propose
from distill.store import checks as check_store
from distill.store import facts as fact_store
from distill.timeline import Verb
from distill.values import additive_key, same
from schema.facts import TREE
from schema.mentions import paths_named, symbols_named
from schema.records import Cardinality, Commit, Evidence, Fact, Freshness, Manifest, Proposal, Standing

CHANGES = {Verb.ADD, Verb.SUPERSEDE, Verb.CLOSE, Verb.HISTORY}


@dataclass(frozen=True, slots=True)
class Tree:
    """A commit's tree: every path with its content hash, the files that state facts, lines by language."""

    sha: str
    files: Mapping[str, str]
    manifests: tuple[Manifest, ...]
    languages: Mapping[str, int]
    symbols: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Check:
    """What a pass says of one fact. ``detail`` is for people, ``hashes`` for the next pass."""

    fact: str
    freshness: Freshness
    detail: str
    hashes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rescanned:
    """What a pass changed, and what it says of the facts that stand after it."""

    actions: tuple[Action, ...]
    checks: tuple[Check, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many facts are fresh, stale and unverifiable."""
        found = Counter(check.freshness.value for check in self.checks)
        return {name.value: found.get(name.value, 0) for name in Freshness}


def rescan(connection: Connection, client: str, project: str, tree: Tree, now: datetime) -> Rescanned:
    """Reconcile a project's facts with ``tree`` and keep a check for each, in the caller's transaction."""
    fact_store.hold(connection, client, project)
    before = fact_store.view(connection, client, project)
    known = check_store.hashes(connection, client, project)
    commit = _commit(tree, before, now)
    gone = _gone(before, tree, commit, known)
    actions = propose(connection, client, project, gone, (commit,), now)
    standing = fact_store.view(connection, client, project)
    proven = [p for manifest in commit.manifests for p in read(manifest, commit)]
    checks = tuple(check(fact, tree, proven, known.get(fact.id, {})) for fact in standing)
    check_store.save(connection, client, project, tree.sha, checks, now)
    return Rescanned(tuple(a for a in actions if a.verb in CHANGES | {Verb.FLAG}), checks)


def undo(connection: Connection, client: str, project: str, by: str, now: datetime) -> tuple[Fact, ...]:
    """Bring back every fact that the last pass closed; return them. Those whose place was taken since
    stay closed.
    """
    last = check_store.last_pass(connection, client, project)
    if last is None:
        return ()
    fact_store.hold(connection, client, project)
    restored = []
    for fact in check_store.closed_at(connection, client, project, last):
        lane = fact_store.believed(connection, client, project, [fact.slot])
        lives = fact_store.lives(connection, client, fact.id)
        try:
            change = corrections.restore(fact, lives, lane, by, now)
        except SlotTaken:
            continue
        fact_store.apply(connection, client, project, change)
        restored.append(fact_store.find(connection, client, fact.id)[1])
    return tuple(restored)


def named_paths(fact: Fact) -> tuple[str, ...]:
    """Return the paths a fact's statement names."""
    return paths_named(fact.statement)


def named_symbols(fact: Fact) -> tuple[str, ...]:
    """Return the code names a fact's statement puts in backticks."""
    return symbols_named(fact.statement)


def check(fact: Fact, tree: Tree, proven: Sequence[Proposal], known: Mapping[str, str]) -> Check:
    """Return what ``tree`` says of one fact; ``known`` are the hashes its files had at the last pass."""
    if any(_proves(proposal, fact) for proposal in proven) or fact.files == (TREE,):
        hashes = {path: tree.files[path] for path in fact.files if path in tree.files}
        return Check(fact.id, Freshness.FRESH, "stated by " + ", ".join(fact.files), hashes)
    paths = [path for path in named_paths(fact) if path in tree.files or path in known]
    symbols = named_symbols(fact)
    lost = [path for path in paths if path not in tree.files] + [s for s in symbols if s not in tree.symbols]
    hashes = {path: tree.files[path] for path in paths if path in tree.files}
    if lost:
        return Check(fact.id, Freshness.STALE, f"{', '.join(lost)} is gone", {**known, **hashes})
    changed = [path for path, content in hashes.items() if known.get(path, content) != content]
    if changed:
        return Check(
            fact.id, Freshness.STALE, f"{', '.join(changed)} changed since the last pass", dict(known)
        )
    if hashes or symbols:
        return Check(fact.id, Freshness.FRESH, "what it names is there", hashes)
    return Check(fact.id, Freshness.UNVERIFIABLE, "it names nothing in the tree", {})


def _commit(tree: Tree, current: Sequence[Fact], now: datetime) -> Commit:
    """The tree as a commit that touched every file it has, and every file a fact came from."""
    there = {manifest.path for manifest in tree.manifests}
    origins = {path for fact in current for path in fact.files if path != TREE and reader_for(path)}
    absent = tuple(Manifest(path, None) for path in sorted(origins - there) if path not in tree.files)
    return Commit(
        id=f"tree {tree.sha}",
        sha=tree.sha,
        message="",
        at=now,
        manifests=(*tree.manifests, *absent),
        languages=dict(tree.languages),
    )


def _gone(
    current: Sequence[Fact], tree: Tree, commit: Commit, known: Mapping[str, Mapping[str, str]]
) -> tuple[Proposal, ...]:
    """The end of facts all of whose named files were there at an earlier pass and are gone now."""
    ended = []
    for fact in current:
        seen = [path for path in named_paths(fact) if path in known.get(fact.id, {})]
        if seen and not any(path in tree.files for path in seen):
            ended.append(
                Proposal(
                    slot=fact.slot,
                    cardinality=fact.cardinality,
                    kind=fact.kind,
                    value=fact.value,
                    statement=f"{', '.join(seen)} is gone from the tree at {tree.sha[:10]}.",
                    standing=Standing.CODE,
                    valid_from=commit.at,
                    evidence=(Evidence("code", commit.id, commit.at, None, tree.sha),),
                    negated=True,
                )
            )
    return tuple(ended)


def _proves(proposal: Proposal, fact: Fact) -> bool:
    if proposal.slot != fact.slot:
        return False
    if fact.cardinality is Cardinality.MANY:
        return additive_key(proposal.value) == additive_key(fact.value)
    return same(proposal.value, fact.value)
