"""Codex runs a hook only after a person trusted it, and says nothing when it skips one.

Trust is an entry in ``config.toml`` keyed by file, event and position, holding a hash of the hook's
definition.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from limbeck.doctor.finding import Finding, broken, ok
from limbeck.doctor.sightings import Sighting
from limbeck.install.settings import Installed

CHECK = "trust"
_DEFAULT_SECONDS = 600


def event_label(event: str) -> str:
    """Codex's own key of an event: ``PostToolUse`` is ``post_tool_use``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


def state_key(place: Sighting, hook: Installed) -> str:
    """The key under which Codex keeps its trust in one hook."""
    file = f"{place.plugin}:hooks/hooks.json" if place.plugin else str(place.path)
    return f"{file}:{event_label(hook.event)}:{hook.group}:{hook.index}"


def definition_hash(hook: Installed) -> str:
    """The hash Codex 0.171 takes of a command hook without a matcher: sorted keys, no spaces, nothing left
    out."""
    handler = {
        "type": "command",
        "command": hook.handler["command"],
        "timeout": hook.handler.get("timeout", _DEFAULT_SECONDS),
        "async": hook.handler.get("async", False),
    }
    identity = {"event_name": event_label(hook.event), "hooks": [handler]}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def trusted(places: Iterable[Sighting], config: dict[str, Any]) -> list[Finding]:
    """Judge every Codex hook by ``config``, the values of the user's ``config.toml``."""
    state = _table(_table(config.get("hooks")).get("state"))
    findings = []
    for place in places:
        if place.agent != "codex":
            continue
        unknown, changed, off = [], [], []
        for hook in place.hooks:
            entry = _table(state.get(state_key(place, hook)))
            if entry.get("enabled") is False:
                off.append(hook.event)
            elif not isinstance(entry.get("trusted_hash"), str):
                unknown.append(hook.event)
            elif entry["trusted_hash"] != definition_hash(hook):
                changed.append(hook.event)
        findings += _judged(place, unknown, changed, off)
        if place.project is not None:
            findings += _project(place.project, config)
    return findings


def _judged(place: Sighting, unknown: list[str], changed: list[str], off: list[str]) -> list[Finding]:
    where = f"the plugin {place.plugin}" if place.plugin else str(place.path)
    if not unknown and not changed and not off:
        return [ok(CHECK, f"Codex trusts the hooks of {where}")]
    do = "Start codex, type /hooks, and press t to trust all."
    findings = []
    if unknown:
        what = f"Codex skips {', '.join(unknown)} of {where} in silence: not trusted yet."
        findings.append(broken(CHECK, what, do))
    if changed:
        what = f"Codex skips {', '.join(changed)} of {where} in silence: changed since it was trusted."
        findings.append(broken(CHECK, what, do))
    if off:
        what = f"{', '.join(off)} of {where} is switched off in Codex."
        findings.append(broken(CHECK, what, "Start codex, type /hooks, and switch it on."))
    return findings


def _project(project: Path, config: dict[str, Any]) -> list[Finding]:
    """A project's hooks are read only where Codex trusts the project."""
    known = _table(_table(config.get("projects")).get(str(project)))
    if known.get("trust_level") == "trusted":
        return []
    what = f"Codex does not trust the project {project}, so it reads no hooks there."
    return [broken(CHECK, what, "Start codex in that folder and trust it.")]


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
