"""git, asked for facts only: no prompt, no lock, no fetch, no program that a repository's settings name."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import IO

from limbeck.ship.errors import GitUnanswered, RepositoryGone

SECONDS = 20.0
MOST_BYTES = 16 * 1024 * 1024
WHY_BYTES = 4096
QUIET = ("--no-optional-locks", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false",
         "-c", "log.showSignature=false")  # fmt: skip
# Every changed file twice: modes and contents by their ids, then the lines added and deleted.
DIFFERENCES = (
    "diff-tree",
    "-r",
    "-z",
    "--raw",
    "--numstat",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
)
TOLD = "%P%x00%an%x00%ct%x00%B"


@dataclass(frozen=True, slots=True)
class Told:
    """What a commit says of itself; ``committed`` in Unix milliseconds."""

    parents: tuple[str, ...]
    author: str
    committed: int
    message: str


@dataclass(frozen=True, slots=True)
class Content:
    """What stands at a path: its mode as git writes it, and its object's id; ``id`` is "" where nothing does."""

    mode: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A changed file, with the lines added and deleted, None where it is binary."""

    path: str
    added: int | None
    deleted: int | None
    before: Content
    after: Content


class Repository:
    """One git directory (the common one of all its worktrees)."""

    def __init__(self, common: Path) -> None:
        """``common`` holds the objects; it is not looked at yet."""
        self._common = common

    def ask(self, *arguments: str) -> bytes:
        """Return what git prints. Raises RepositoryGone where it fails, GitUnanswered where it is too slow or too long.

        Only the first says anything of the repository: what git did not answer is not known.
        """
        said, code, why = self._run(*arguments)
        if code < 0 or len(said) > MOST_BYTES:
            why = "its answer is too long" if len(said) > MOST_BYTES else "it was too slow"
            raise GitUnanswered(sha=arguments[-1], where=self._common, why=why)
        if code:
            raise RepositoryGone(sha=arguments[-1], where=self._common, why=why or "git failed")
        return said

    def matches(self, *arguments: str) -> bool | None:
        """Whether a search of git's found anything (its exit code 0 or 1); None where it was not answered."""
        try:
            _, code, _ = self._run(*arguments)
        except RepositoryGone:
            return None
        return {0: True, 1: False}.get(code)

    def _run(self, *arguments: str) -> tuple[bytes, int, str]:
        """What git prints, its exit code (below 0 where it was ended), and why it failed."""
        command = ["git", f"--git-dir={self._common}", *QUIET, *arguments]
        try:
            with TemporaryFile() as errors:
                said, code = _said(command, errors)
                errors.seek(0)
                return said, code, errors.read(WHY_BYTES).decode("utf-8", "replace").strip()[:200]
        except (OSError, ValueError) as error:
            raise RepositoryGone(sha=arguments[-1], where=self._common, why=type(error).__name__) from error

    def text(self, *arguments: str) -> str:
        """Return what git prints as text, without the line end."""
        return self.ask(*arguments).decode("utf-8", "replace").rstrip("\n")

    def commit(self, name: str) -> str:
        """Return the whole hash of the commit that ``name`` means. Raises RepositoryGone."""
        return self.text("rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}")

    def told(self, sha: str) -> Told:
        """Return what the commit says of itself. Raises RepositoryGone."""
        return told(self.text("show", "-s", f"--format={TOLD}", sha).split("\0", 3))

    def differences(self, base: str, sha: str) -> list[Difference]:
        """Return the files that differ between two commits (or trees). Raises RepositoryGone."""
        return differences(self.ask(*DIFFERENCES, base, sha))

    def blob(self, name: str) -> bytes:
        """Return a file's content by its id, or as ``commit:path``. Raises RepositoryGone, GitUnanswered."""
        return self.ask("cat-file", "blob", name)

    @cached_property
    def empty(self) -> str:
        """The id of a tree without files, in this repository's kind of hash."""
        return self.text("hash-object", "-t", "tree", "--stdin")


def told(fields: list[str]) -> Told:
    """Return a commit from what ``TOLD`` printed, apart."""
    parents, author, committed, message = fields
    return Told(tuple(parents.split()), author, int(committed) * 1000, message.strip())


def differences(written: bytes) -> list[Difference]:
    """Return what ``DIFFERENCES`` printed, in its order."""
    contents: dict[str, tuple[Content, Content]] = {}
    found = []
    records = iter(written.decode("utf-8", "replace").split("\0"))
    for record in records:
        if record.startswith(":"):
            old_mode, new_mode, old, new, _ = record[1:].split(" ")
            contents[next(records)] = (_content(old_mode, old), _content(new_mode, new))
            continue
        added, tab, rest = record.partition("\t")
        deleted, _, path = rest.partition("\t")
        if tab and path:
            found.append(Difference(path, _count(added), _count(deleted), *contents[path]))
    return found


def _content(mode: str, ident: str) -> Content:
    return Content(mode, ident) if ident.strip("0") else Content()


def _count(written: str) -> int | None:
    return int(written) if written.isdigit() else None


def _said(command: list[str], errors: IO[bytes]) -> tuple[bytes, int]:
    """What git prints, no more than a byte above the limit, and its exit code; it is ended where it is too slow."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, env=environment()
    ) as process:
        late = Timer(SECONDS, process.kill)
        late.start()
        try:
            said = process.stdout.read(MOST_BYTES + 1) if process.stdout else b""
            if len(said) > MOST_BYTES:
                process.kill()
            return said, process.wait()
        finally:
            late.cancel()


def environment() -> dict[str, str]:
    """The surroundings without anything that points git elsewhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C", "LIMBECK_SKIP": "1"}
