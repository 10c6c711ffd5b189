"""What a commit proves: the facts its files state, and the end of those they state no longer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from distill.code.languages import languages
from distill.code.readers import stated
from distill.code.statement import Stated
from distill.slots import cardinality, kind_of
from distill.values import additive_key
from schema.facts import TREE
from schema.records import Cardinality, Commit, Evidence, Fact, Manifest, Proposal, Standing


def read(manifest: Manifest, commit: Commit) -> tuple[Proposal, ...]:
    """Return what one file states as it stands at ``commit``; nothing for a removed or unreadable file."""
    found = stated(manifest.path, manifest.text) if manifest.text is not None else None
    return tuple(_proposal(statement, manifest.path, commit) for statement in found or ())


def states(commit: Commit) -> tuple[Proposal, ...]:
    """Return everything that the files and the languages of ``commit`` state, known or not."""
    shares = languages(commit.languages) if commit.languages else []
    from_files = [proposal for manifest in commit.manifests for proposal in read(manifest, commit)]
    return (*from_files, *(_proposal(statement, TREE, commit) for statement in shares))


def prove(commit: Commit, current: Sequence[Fact]) -> tuple[Proposal, ...]:
    """Return what ``commit`` proves, given the current facts: values stated, and values stated no longer.

    What the same file has proven before is not proposed again: a commit that touches a manifest of fifty
    dependencies leaves one new version, not fifty. A fact ends only where every file that stated it was
    changed in this commit and none states it now. A file that cannot be parsed says nothing either way, and one
    that is not whole ends nothing.
    """
    positive: list[Proposal] = []
    read_again: set[str] = set()
    for manifest in commit.manifests:
        found = stated(manifest.path, manifest.text) if manifest.text is not None else []
        if found is not None:
            if not manifest.cut:
                read_again.add(manifest.path)
            positive += [_proposal(statement, manifest.path, commit) for statement in found]
    if commit.languages and commit.languages != commit.languages_before:
        positive += [_proposal(statement, TREE, commit) for statement in languages(commit.languages)]
    ended = _ended(commit, current, positive, read_again)
    return (*ended, *(p for p in positive if not _known(p, commit, current)))


def _known(proposal: Proposal, commit: Commit, current: Sequence[Fact]) -> bool:
    return any(
        fact.slot == proposal.slot
        and fact.value == proposal.value
        and fact.standing is Standing.CODE
        and set(proposal.files) <= set(fact.files)
        and fact.valid_from <= commit.at
        for fact in current
    )


def _ended(
    commit: Commit, current: Iterable[Fact], positive: Sequence[Proposal], read_again: set[str]
) -> list[Proposal]:
    slots = {p.slot for p in positive if p.cardinality is Cardinality.ONE}
    values = {(p.slot, additive_key(p.value)) for p in positive}
    gone = []
    for fact in current:
        from_files = fact.standing is Standing.CODE and fact.files and set(fact.files) <= read_again
        if not from_files or fact.slot in slots or (fact.slot, additive_key(fact.value)) in values:
            continue
        names = ", ".join(fact.files)
        gone.append(
            Proposal(
                slot=fact.slot,
                cardinality=fact.cardinality,
                kind=fact.kind,
                value=fact.value,
                statement=f"{names} states it no longer since commit {commit.sha[:10]}.",
                standing=Standing.CODE,
                valid_from=commit.at,
                evidence=(_pointer(commit),),
                negated=True,
            )
        )
    return gone


def _proposal(statement: Stated, path: str, commit: Commit) -> Proposal:
    return Proposal(
        slot=statement.slot,
        cardinality=cardinality(statement.slot.attribute),
        kind=kind_of(statement.slot),
        value=statement.value,
        statement=statement.statement,
        standing=Standing.CODE,
        valid_from=commit.at + timedelta(microseconds=1),
        evidence=(_pointer(commit),),
        files=(path,),
    )


def _pointer(commit: Commit) -> Evidence:
    return Evidence("commit", commit.id, commit.at + timedelta(microseconds=1), None, commit.sha)
