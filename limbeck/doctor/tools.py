"""The memory's tools where they are mounted: what an agent would start for them must be there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from capture.brief import OFF
from limbeck.doctor.finding import Finding, broken, ok, warning
from limbeck.install import mounts
from limbeck.install.places import Scope, registration

CHECK = "tools"


def mounted(agents: Iterable[str], scope: Scope, home: Path) -> list[Finding]:
    """Look at the entry of our name in the lists of ``agents``, and at this device's switch."""
    findings = []
    for agent in agents:
        entry = mounts.mounted(registration(agent), scope)
        if entry is None:
            continue
        program = entry.get("command") if isinstance(entry, dict) else None
        if not isinstance(program, str) or not Path(program).is_file():
            what = f"{agent} would start {program!r} for the memory's tools, and there is no such program."
            findings.append(broken(CHECK, what, f"Run limbeck install {agent} again."))
        else:
            findings.append(ok(CHECK, f"{agent} has the memory's tools"))
    if (home / OFF).exists():
        what = "Memory is switched off on this device: no tools, nothing injected."
        findings.append(warning(CHECK, what, "Run limbeck memory on to switch it on."))
    return findings
