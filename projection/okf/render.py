"""State to bundle: pure, and the same bytes for the same state."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime

from projection.okf import indexes, lifecycle, pages
from projection.okf.places import LOOSE, RECENT, cases, places, shown
from projection.okf.state import State
from schema.records import Fact, Slot

FORMAT = 1  # of our manifest and lifecycle
MANIFEST = "manifest.json"


def render(state: State) -> dict[str, bytes]:
    """Return every file of the bundle but the manifest, by its path, in the paths' order."""
    facts = shown(state)
    at = places(state, facts)
    checks = {check.fact: check for check in state.checks}
    past = _past(state.versions)
    by_session: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_session[fact.session or ""].append(fact)
    found = {"index.md": indexes.root(state, at, facts), "log.md": indexes.log(state.days)}
    found |= indexes.folders(state, at, facts)
    for fact in facts:
        path = at.facts[fact.id]
        found[path] = pages.fact(fact, path, at, checks.get(fact.id), past.get(fact.slot, ()))
    for note in state.sessions:
        path = at.sessions[note.id]
        found[path] = pages.session(note, path, at, by_session.get(note.id, ()))
    for case in cases(state):
        found[at.use_cases[case.item.number]] = pages.use_case(case)
    if state.backlog.loose:
        found[LOOSE] = pages.loose(state.backlog)
    if state.events:
        found[RECENT] = pages.recent(state.events, at)
    parts = lifecycle.files(state.versions, state.checks)
    found |= {f"{lifecycle.FOLDER}/{name}": text for name, text in parts.items()}
    found[f"{lifecycle.FOLDER}/index.md"] = indexes.lifecycle(state, sorted(parts))
    return {path: found[path].encode("utf-8", "replace") for path in sorted(found)}


def digest(files: Mapping[str, bytes]) -> str:
    """What tells one content of a bundle from another."""
    whole = hashlib.sha256()
    for path in sorted(files):
        whole.update(f"{path}\0{hashlib.sha256(files[path]).hexdigest()}\n".encode())
    return whole.hexdigest()


def manifest(files: Mapping[str, bytes], project: str, generation: int, generated_at: datetime) -> bytes:
    """Return ``manifest.json``: the only file that says when, so that all others stay alike."""
    told = {
        "okf_version": indexes.OKF_VERSION,
        "version": FORMAT,
        "generation": generation,
        "generated_at": generated_at.isoformat(timespec="seconds"),
        "project": project,
        "files": [
            {"path": path, "sha256": hashlib.sha256(files[path]).hexdigest(), "bytes": len(files[path])}
            for path in sorted(files)
        ],
    }
    return (json.dumps(told, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _past(versions: tuple[Fact, ...]) -> dict[Slot, list[Fact]]:
    """What held once and no longer, by slot, the latest end first."""
    found: dict[Slot, list[Fact]] = defaultdict(list)
    for one in versions:
        if one.retired_at is None and one.valid_to is not None and one.valid_to > one.valid_from:
            found[one.slot].append(one)
    for held in found.values():
        held.sort(key=lambda one: (one.valid_to or one.valid_from, one.version), reverse=True)
    return found
