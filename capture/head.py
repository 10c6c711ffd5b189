"""Where HEAD stands, read from git's files."""

from __future__ import annotations

from capture.project import Project, read

PACKED_BYTES = 4 * 1024 * 1024


def head(project: Project) -> tuple[str | None, str | None]:
    """Return (commit id, branch) of the worktree; None for what its files do not tell (detached, reftable)."""
    if project.gitdir is None or project.common is None:
        return None, None
    line = (read(f"{project.gitdir}/HEAD") or "").strip()
    if not line.startswith("ref:"):
        return _sha(line), None
    ref = line[4:].strip()
    branch = ref.removeprefix("refs/heads/")
    sha = _sha((read(f"{project.common}/{ref}", 64) or "").strip())
    return sha or _packed(project.common, ref), branch


def pseudo(project: Project, name: str) -> str | None:
    """Return the commit id in a file such as ``ORIG_HEAD`` beside HEAD, or None."""
    return _sha((read(f"{project.gitdir}/{name}", 64) or "").strip()) if project.gitdir else None


def _packed(common: str, ref: str) -> str | None:
    for line in (read(f"{common}/packed-refs", PACKED_BYTES) or "").splitlines():
        sha, _, name = line.partition(" ")
        if name == ref:
            return _sha(sha)
    return None


def _sha(text: str) -> str | None:
    plain = len(text) in (40, 64) and all(digit in "0123456789abcdef" for digit in text)
    return text if plain else None
