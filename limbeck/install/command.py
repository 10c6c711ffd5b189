"""The command an agent runs (absolute interpreter, ``-I -S``, stub, agent), written and recognised.

Its text must not change between upgrades, since Codex trusts a hash of it; what it points at may.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hooks.bundle import STUB
from hooks.registration import Registration, WindowsForm

_QUOTED = re.compile(r"'((?:[^']|'')*)'|\"([^\"]*)\"|(\S+)")


@dataclass(frozen=True, slots=True)
class Command:
    """One hook command by its parts; both paths absolute."""

    interpreter: str
    stub: str
    agent: str

    @property
    def parts(self) -> list[str]:
        """The argument list."""
        return [self.interpreter, "-I", "-S", self.stub, self.agent]

    def posix(self) -> str:
        """The text for ``sh -c``."""
        return shlex.join(self.parts)

    def powershell(self) -> str:
        """The text for PowerShell, where a quoted program needs the call operator."""
        quoted = ["'" + part.replace("'", "''") + "'" for part in (self.interpreter, self.stub)]
        return f"& {quoted[0]} -I -S {quoted[1]} {self.agent}"


def handler(registration: Registration, event: str, command: Command, *, windows: bool) -> dict[str, Any]:
    """Return the handler an agent's file gets for ``event``."""
    entry: dict[str, Any] = {**registration.extra, "type": "command", "command": command.posix()}
    if windows:
        match registration.windows:
            case WindowsForm.ARGUMENTS:
                entry |= {"command": command.interpreter, "args": command.parts[1:]}
            case WindowsForm.OVERRIDE:
                entry["commandWindows"] = command.powershell()
            case WindowsForm.POWERSHELL:
                entry["command"] = command.powershell()
    return entry | {"timeout": registration.timeouts[event]}


def recognise(entry: object) -> Command | None:
    """Return the command of a handler if it is one of ours, whatever home or interpreter it names."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("command"), str):
        return None
    arguments = entry.get("args")
    parts = [entry["command"]] if isinstance(arguments, list) else split(entry["command"])
    parts += [str(argument) for argument in arguments] if isinstance(arguments, list) else []
    return command_of(parts)


def command_of(parts: list[str]) -> Command | None:
    """Return the parts of an argument list as a command of ours, or None."""
    if parts[:1] == ["&"]:
        parts = parts[1:]
    if len(parts) != 5 or parts[1:3] != ["-I", "-S"] or re.split(r"[/\\]", parts[3])[-1] != STUB:
        return None
    return Command(parts[0], parts[3], parts[4])


def split(text: str) -> list[str]:
    """Split a shell's command text: as ``sh`` does, or PowerShell's quoting where it begins with ``&``."""
    if text.startswith("&"):
        found = _QUOTED.findall(text)
        return [single.replace("''", "'") or double or bare for single, double, bare in found]
    try:
        return shlex.split(text)
    except ValueError:
        return []
