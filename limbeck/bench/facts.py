"""``limbeck bench facts``: whether facts stay true. Five measures with their targets, single sentences, and three sets
of sessions in wordings that were not known when the rules were written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import typer

# Told at most so many stories of each set; every scene of a set comes in.
WORDINGS = {"chat": 160, "handover": 66, "workshop": 66}
MEASURES = ("supersession", "consolidation", "code", "sessions", "phrases", "safety", *WORDINGS)


def run(only: Sequence[str], timelines: int, facts: int, seed: int, as_json: bool) -> int:
    """Measure (only what ``only`` names, or all) and print; 1 where a target is not reached."""
    for name in only:
        if name not in MEASURES:
            raise typer.BadParameter(f"there is no measure {name!r}; they are {', '.join(MEASURES)}")
    result = _measured(list(only) or list(MEASURES), timelines, facts, seed)
    if as_json:
        typer.echo(json.dumps(result, indent=2, ensure_ascii=False))
    else:
        _print(result)
    return int(any(not ok for measure in result.values() for _, _, ok in _judged(measure)))


def _measured(wanted: list[str], timelines: int, facts: int, seed: int) -> dict[str, Any]:
    from limbeck.bench.facts_chat_measure import unseen_wording
    from limbeck.bench.facts_code import code_proof
    from limbeck.bench.facts_distiller import labelled_sessions, planted
    from limbeck.bench.facts_measure import consolidation, supersession
    from limbeck.bench.facts_phrases import both_halves
    from limbeck.bench.facts_spend import cap
    from limbeck.bench.facts_world import World
    from limbeck.bench.scratch import scratch_database

    result: dict[str, Any] = {}
    if "code" in wanted:
        result["code"] = code_proof(seed)
    if "sessions" in wanted:
        result["sessions"] = labelled_sessions()
    if "phrases" in wanted:
        result["phrases"] = both_halves()
    if {"supersession", "consolidation", "safety", *WORDINGS} & set(wanted):
        with scratch_database() as database:
            world = World(database)
            if "supersession" in wanted:
                result["supersession"] = supersession(world, timelines, seed, _tell)
            if "consolidation" in wanted:
                result["consolidation"] = consolidation(world, facts, seed, _tell)
            if "safety" in wanted:
                result["safety"] = planted() | cap(database)
            for name in (name for name in WORDINGS if name in wanted):
                told = min(WORDINGS[name], timelines)
                result[name] = unseen_wording(world, name, told, seed, _tell)
    return {name: result[name] for name in MEASURES if name in result}


# figure -> (how it compares, target)
TARGETS: dict[str, tuple[Callable[[float, float], bool], float]] = {
    "current_first": (float.__ge__, 98.0),
    "stale_as_current": (float.__le__, 0.5),
    "wrongly_retired": (float.__le__, 0.5),
    "undo_exact": (float.__ge__, 100.0),
    "single_hop": (float.__ge__, 95.0),
    "precision": (float.__ge__, 98.0),
    "recall": (float.__ge__, 98.0),
    "tuning_recall": (float.__ge__, 85.0),
    "unseen_recall": (float.__ge__, 85.0),
    "tuning_junk": (float.__le__, 5.0),
    "unseen_junk": (float.__le__, 5.0),
    "dead_ends_as_facts": (float.__le__, 0.0),
    "planted_obeyed": (float.__le__, 0.0),
    "calls_beyond_cap": (float.__le__, 0.0),
    "open_kept_retired": (float.__le__, 0.0),
    "held_out_kept_retired": (float.__le__, 0.0),
    "open_kept_doubted": (float.__le__, 2.5),
    "held_out_kept_doubted": (float.__le__, 2.5),
    "unseen_wrongly_retired": (float.__le__, 1.0),
    "unseen_lures_believed": (float.__le__, 1.0),
    "unseen_junk_a_session": (float.__le__, 0.05),
}


def _judged(measure: dict[str, Any]) -> list[tuple[str, float, bool]]:
    judged = []
    for name, value in measure.items():
        if name in TARGETS:
            compare, target = TARGETS[name]
            judged.append((name, value, compare(float(value), target)))
    return judged


def _print(result: dict[str, Any]) -> None:
    for name, measure in result.items():
        typer.echo(name)
        verdicts = {figure: ok for figure, _, ok in _judged(measure)}
        for figure, value in measure.items():
            if figure == "failures":
                for failure in value:
                    typer.echo(f"    missed: {failure}")
                continue
            verdict = "" if figure not in verdicts else "   reached" if verdicts[figure] else "   NOT REACHED"
            target = f" (target {TARGETS[figure][1]:g})" if figure in TARGETS else ""
            typer.echo(f"  {figure}: {value}{target}{verdict}")


def _tell(text: str) -> None:
    typer.echo(text, err=True)
