"""The brief that a session starts with: one file a project, written by the shipper, read by the hook.

Its first line repeats the project's key, its second names this very brief, the rest is the text.
"""

from __future__ import annotations

import os

from capture.regular import read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.project import Project

FOLDER = "briefs"
OFF = "memory-off"  # a file in the home: this device's memory is switched off
MOST_CHARS = 10_000
MOST_BYTES = 65536
LONGEST_NAME = 180
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-")


class Brief:
    """What is injected: its ``ident`` (which brief it is) and its ``text``."""

    __slots__ = ("ident", "text")

    def __init__(self, ident: str, text: str) -> None:
        """Hold both."""
        self.ident = ident
        self.text = text


def file_name(key: str) -> str:
    """Return the name of the file for the project known by ``key``; two long keys may share one."""
    signs = [chr(byte) if chr(byte) in _PLAIN else f"_{byte:02x}" for byte in key.encode("utf-8", "replace")]
    return "".join(signs)[:LONGEST_NAME]


def keys(project: Project) -> list[str]:
    """Return the keys a project may be known by, strongest first: its remote, the id kept beside it, its folder."""
    pairs = [("remote", project.remote), ("id", project.id), ("root", project.root)]
    return [f"{name}:{value}" for name, value in pairs if value]


def read(folder: str, project: Project) -> Brief | None:
    """Return the brief of ``project`` in ``folder``, None where there is none for it or it is not whole."""
    for key in keys(project):
        try:
            raw = read_regular(f"{folder}/{file_name(key)}", MOST_BYTES)
        except OSError:
            continue
        first, _, rest = raw.decode("utf-8", "replace").partition("\n")
        ident, _, text = rest.partition("\n")
        if first == key and ident and text.strip() and len(text) <= MOST_CHARS:
            return Brief(ident, text)
    return None


def write(folder: str, key: str, brief: Brief | None) -> None:
    """Put the brief for ``key`` in ``folder`` (0600 in 0700) as one act; None takes it away. Raises OSError."""
    path = f"{folder}/{file_name(key)}"
    if brief is None:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
        return
    os.makedirs(folder, 0o700, exist_ok=True)
    draft = f"{path}.{os.getpid()}"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(f"{key}\n{brief.ident}\n{brief.text}".encode("utf-8", "replace"))
    os.replace(draft, path)
