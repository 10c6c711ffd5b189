"""What an agent's command points at: a stub that never changes its path, and the bundle it loads."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

FOLDER = "hooks"
STUB = "limbeck-hook.py"
BUNDLE = "bundle"
SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class BuiltHook:
    """What was built: the command in parts (the agent's name comes last), whether it has its bundle, or why not."""

    command: tuple[str, ...]
    bundled: bool
    why: str = ""


def build(home: Path, interpreter: Path) -> BuiltHook:
    """Write the stub, and the bundle for ``interpreter``, into ``home``; an older pair is replaced as one act each.

    Without a bundle (Windows, or an interpreter it cannot be made for) the stub runs the plain modules: slower,
    and the same.
    """
    folder = home / FOLDER
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    source = Path(__file__).resolve().parent.parent
    why = _pack(source, folder / BUNDLE, interpreter)
    _write(folder / STUB, _stub(home.absolute(), source))
    return BuiltHook((str(interpreter), "-I", "-S", str(folder.absolute() / STUB)), not why, why)


def _pack(source: Path, bundle: Path, interpreter: Path) -> str:
    """Make the bundle; returns why there is none, or nothing."""
    if sys.platform == "win32":
        return "bundles are not made on Windows"
    command = [
        str(interpreter),
        "-I",
        "-S",
        str(source / "hooks" / "lean" / "pack.py"),
        str(source),
        str(bundle),
    ]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
    except subprocess.CalledProcessError as error:
        why = error.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    except (OSError, subprocess.SubprocessError) as error:
        why = str(error)
    else:
        return ""
    bundle.unlink(missing_ok=True)
    return why or "the interpreter failed"


def _stub(home: Path, source: Path) -> str:
    template = (files("hooks") / "stub.py.txt").read_text("utf-8")
    return template.replace("@HOME@", repr(str(home))).replace("@SOURCE@", repr(str(source)))


def _write(path: Path, text: str) -> None:
    draft = path.with_suffix(f".{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(text.encode("utf-8"))
    draft.replace(path)
