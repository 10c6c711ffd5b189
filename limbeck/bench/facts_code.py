"""Measure three: small repositories before and after a change, for every reader; what their files prove
is known.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

from distill.code.proof import prove
from distill.resolve import resolve
from limbeck.bench.facts_repositories import Case, cases
from limbeck.bench.facts_script import START
from schema.records import Commit, Fact, Manifest

NOW = START + timedelta(days=500)


def code_proof(seed: int) -> dict[str, Any]:
    """Bring each case's two commits; return precision and recall of the facts that stand after each."""
    right = extra = missing = 0
    readers: Counter[str] = Counter()
    failures: list[str] = []
    made = cases(seed)
    for case in made:
        facts: tuple[Fact, ...] = ()
        readers[case.reader] += 1
        for step, (files, expected) in enumerate(
            ((case.before, case.true_before), (case.after, case.true_after))
        ):
            facts = _after(facts, case, files, step)
            stands = {(f.slot.subject, f.slot.attribute, f.value) for f in facts if f.current}
            right += len(stands & expected)
            extra += len(stands - expected)
            missing += len(expected - stands)
            if stands != expected:
                failures.append(f"{case.name} {step}: extra {stands - expected}, missing {expected - stands}")
    return {
        "repositories": len(made),
        "readers": dict(readers),
        "facts": right + missing,
        "precision": _share(right, right + extra),
        "recall": _share(right, right + missing),
        "failures": failures[:20],
    }


def _after(facts: tuple[Fact, ...], case: Case, files: dict[str, str | None], step: int) -> tuple[Fact, ...]:
    """The believed facts after a commit that leaves ``files`` so."""
    languages = (case.languages_before, case.languages_after)
    commit = Commit(
        id=f"{case.name}-{step}",
        sha=f"{step:040x}",
        message="change",
        at=START + timedelta(days=step),
        manifests=tuple(Manifest(path, text) for path, text in files.items()),
        languages=languages[step],
        languages_before=languages[0] if step else {},
    )
    outcome = resolve(facts, prove(commit, [f for f in facts if f.current]), NOW + timedelta(days=step))
    return tuple(f for f in facts if f.version not in outcome.closes) + outcome.appends


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0
