"""Paths as plain strings, in either notation: agents on Windows send backslashes."""

from __future__ import annotations

# No system opens a longer one.
LONGEST = 4096


def slashes(path: str) -> str:
    """Return ``path`` with forward slashes where it is a Windows path, else unchanged."""
    if len(path) > 2 and (path[1] == ":" or path.startswith("\\\\")):
        return path.replace("\\", "/")
    return path


def bounded(path: str | None) -> str | None:
    """Return ``path``, or of one that no system opens the folders that it begins with."""
    if path is None or len(path) <= LONGEST:
        return path
    return path[:LONGEST].rpartition("/")[0] or None


def absolute(path: str) -> bool:
    """Whether ``path`` (with forward slashes) starts at a root."""
    return path.startswith("/") or path[1:3] == ":/"


def normal(path: str) -> str:
    """Return ``path`` without ``.``, empty and resolvable ``..`` parts; symbolic links are not followed."""
    root = "/" if path.startswith("/") else ""
    parts: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".." or not root:
            parts.append(part)
    return root + "/".join(parts) or "."


def join(base: str, path: str) -> str:
    """Return ``path`` seen from the directory ``base``, normalised."""
    path = slashes(path)
    return normal(path if absolute(path) else f"{base}/{path}")


def parent(path: str) -> str:
    """Return the directory that holds ``path``; a root is its own parent."""
    head, _, _ = path.rstrip("/").rpartition("/")
    return head or "/"


def within(path: str, root: str) -> str | None:
    """Return ``path`` relative to ``root``, or None where it lies outside."""
    if path == root:
        return "."
    head = root.rstrip("/") + "/"
    return path[len(head) :] if path.startswith(head) else None
