"""Print the part of requirements.lock that a name needs, hashes included: ``part_of_lock.py LOCK NAME``.

NAME is a locked package, or ``limbeck`` for what the program itself needs without the tools that test it. Who
needs whom is read from the lock's own comments (``# via``). Standard library only: an image's first step runs it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PROJECT = "limbeck"
PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)(?:\[[^\]]*\])?==")
VIA = re.compile(r"^ +#(?: via)? +(\S.*)$")
OWN = re.compile(r"^limbeck \(pyproject\.toml\)$")


def packages(lock: str) -> dict[str, tuple[str, set[str]]]:
    """Every locked package: its lines, and the names that need it (``limbeck`` for the project's own)."""
    found: dict[str, tuple[list[str], set[str]]] = {}
    name = ""
    for line in lock.splitlines():
        if pin := PIN.match(line):
            name = pin[1]
            found.setdefault(name, ([], set()))  # one version for each platform or Python
        if not name:
            continue
        found[name][0].append(line)
        if via := VIA.match(line):
            found[name][1].add(PROJECT if OWN.match(via[1]) else via[1])
    return {name: ("\n".join(lines), needed_by) for name, (lines, needed_by) in found.items()}


def part(lock: str, wanted: str) -> str:
    """The lines of ``wanted`` and of all that it needs. Raises KeyError where the lock does not know it."""
    locked = packages(lock)
    if wanted != PROJECT and wanted not in locked:
        raise KeyError(wanted)
    kept = {wanted}
    grew = True
    while grew:
        more = {name for name, (_, needed_by) in locked.items() if needed_by & kept} - kept
        kept |= more
        grew = bool(more)
    return "".join(f"{lines}\n" for name, (lines, _) in locked.items() if name in kept)


if __name__ == "__main__":
    sys.stdout.write(part(Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[2]))
