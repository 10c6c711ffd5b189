"""Which Python the hooks run with: a real binary by its full path, never a shim that starts another
program first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from limbeck.install.errors import InterpreterUnusable

OLDEST = (3, 11)
_SHIM_FOLDERS = frozenset({"shims", "windowsapps"})


def current() -> Path:
    """Return the real binary behind the Python that runs now, or raise ``InterpreterUnusable``."""
    base = getattr(sys, "_base_executable", sys.executable) if os.name == "nt" else sys.executable
    return checked(Path(base or ""))


def checked(path: Path) -> Path:
    """Return the real path of an interpreter, or raise ``InterpreterUnusable`` saying why it will not do."""
    real = Path(os.path.realpath(path))
    why = trouble(real)
    if why:
        raise InterpreterUnusable(path=real, why=why)
    return real


def trouble(path: Path) -> str:
    """Say why ``path`` cannot run the hooks, from the file alone; empty if nothing speaks against it."""
    if not path.is_absolute():
        return "not a full path"
    if not path.is_file():
        return "not there"
    if not os.access(path, os.X_OK):
        return "not executable"
    if _SHIM_FOLDERS & {part.lower() for part in path.parent.parts}:
        return "a shim"
    with path.open("rb") as file:
        if file.read(2) == b"#!":
            return "a script that starts another program"
    return ""


def version(path: Path) -> tuple[int, int] | None:
    """Ask an interpreter for its version; None where it does not answer as Python does within five
    seconds."""
    asked = "import sys; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run(
            [str(path), "-I", "-S", "-c", asked],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        major, minor = answer.stdout.split()
        return int(major), int(minor)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def bundle_fits(path: Path, bundle: Path) -> bool | None:
    """Whether ``bundle`` was made for the interpreter at ``path``; None on Windows, where there are none."""
    if os.name == "nt":
        return None
    asked = "import sys; sys.stdout.write(sys.version + sys.implementation.cache_tag)"
    command = [str(path), "-I", "-S", "-c", asked]
    try:
        answer = subprocess.run(command, capture_output=True, timeout=5, check=True, stdin=subprocess.DEVNULL)
        with bundle.open("rb") as file:
            return file.read(len(answer.stdout)) == answer.stdout
    except (OSError, subprocess.SubprocessError):
        return False


def usable(path: Path) -> bool:
    """Whether ``path`` is a real Python that is new enough."""
    found = None if trouble(path) else version(path)
    return found is not None and found >= OLDEST
