"""git, asked thousands of questions: by processes that stay, since one for each would cost more than the answer.

The answers are those of ``Repository``; whoever has few questions asks that.
"""

from __future__ import annotations

import secrets
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import IO

from limbeck.ship.errors import GitUnanswered, RepositoryGone
from limbeck.ship.git import (
    DIFFERENCES,
    MOST_BYTES,
    QUIET,
    SECONDS,
    TOLD,
    Difference,
    Repository,
    Told,
    differences,
    environment,
    told,
)

FORESEEN = 200  # commits whose words are asked for at once


class Standing(Repository):
    """One git directory whose questions go to processes that stay until ``close``. Not for several threads."""

    def __init__(self, common: Path) -> None:
        """Nothing runs yet."""
        super().__init__(common)
        self._objects = _Process(common, "cat-file", "--batch")
        self._differing = _Process(common, *DIFFERENCES, "--no-commit-id", "--stdin")
        self._told: dict[str, Told] = {}

    def close(self) -> None:
        """End what runs."""
        self._objects.end()
        self._differing.end()

    def foresee(self, commits: Sequence[str]) -> None:
        """Ask what ``commits`` say of themselves, all at once; ``told`` knows it then. Raises RepositoryGone."""
        self._told.clear()
        written = self.ask("log", "-z", "--no-walk=unsorted", f"--format=tformat:%H%x00{TOLD}", *commits)
        fields = written.decode("utf-8", "replace").split("\0")
        for at in range(0, len(fields) - 4, 5):
            self._told[fields[at]] = told(fields[at + 1 : at + 5])

    def told(self, sha: str) -> Told:
        """Return what the commit says of itself. Raises RepositoryGone."""
        return self._told.get(sha) or super().told(sha)

    def commit(self, name: str) -> str:
        """Return the whole hash of the commit that ``name`` means. Raises RepositoryGone."""
        return name if name in self._told else self._read(f"{name}^{{commit}}", "commit")[0]

    def blob(self, name: str) -> bytes:
        """Return a file's content by its id, or as ``commit:path``. Raises RepositoryGone, GitUnanswered."""
        return self._read(name, "blob")[1] if "\n" not in name else super().blob(name)

    def differences(self, base: str, sha: str) -> list[Difference]:
        """Return the files that differ between two commits (or trees). Raises RepositoryGone."""
        if base == self.empty:
            return super().differences(base, sha)
        end = (
            f"end {secrets.token_hex(8)}\n".encode()
        )  # what is no object's id is said back, and nothing held back
        with self._differing.asked(f"{sha} {base}\n".encode() + end, sha) as answer:
            written = bytearray()
            while not written.endswith(end):
                part = answer.readline(MOST_BYTES)
                written += part
                if not part or len(written) > MOST_BYTES:
                    raise self._differing.failed(sha, too_long=bool(part))
        return differences(bytes(written[: -len(end)]))

    def _read(self, name: str, kind: str) -> tuple[str, bytes]:
        """An object's id and content."""
        with self._objects.asked(name.encode("utf-8", "surrogateescape") + b"\n", name) as answer:
            head = answer.readline()
            if not head.endswith(b"\n"):
                raise self._objects.failed(name)
            words = head.decode("utf-8", "replace").split()
            if len(words) != 3 or not words[2].isdigit():
                raise RepositoryGone(sha=name, where=self._common, why="it is not there")
            size = int(words[2])
            if size > MOST_BYTES:
                raise self._objects.failed(name, too_long=True)
            content = answer.read(size + 1)
            if len(content) <= size:
                raise self._objects.failed(name)
        if words[1] != kind:
            raise RepositoryGone(sha=name, where=self._common, why=f"it is a {words[1]}")
        return words[0], content[:size]


class _Process:
    """One git that reads a question and writes its answer; begun by the first, and again after one that failed."""

    def __init__(self, common: Path, *arguments: str) -> None:
        self._common, self._arguments = common, arguments
        self._process: subprocess.Popen[bytes] | None = None
        self._late = False

    @contextmanager
    def asked(self, question: bytes, sha: str) -> Iterator[IO[bytes]]:
        """Ask, and give what the answer is read from; it ends where git is too slow."""
        process = self._process = self._process or self._begin(sha)
        timer = Timer(SECONDS, self._stop, [process])
        timer.start()
        try:
            if process.stdin is not None and process.stdout is not None:
                with suppress(OSError):  # it has ended, and so says its answer
                    process.stdin.write(question)
                    process.stdin.flush()
                yield process.stdout
        finally:
            timer.cancel()

    def failed(self, sha: str, too_long: bool = False) -> RepositoryGone:
        """What to raise of an answer that did not come whole; the process is ended, and begun again when asked."""
        late, self._late = self._late, False
        self.end()
        if too_long or late:
            why = "its answer is too long" if too_long else "it was too slow"
            return GitUnanswered(sha=sha, where=self._common, why=why)
        return RepositoryGone(sha=sha, where=self._common, why="git failed")

    def end(self) -> None:
        """End it, whatever it is doing."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        process.wait()

    def _begin(self, sha: str) -> subprocess.Popen[bytes]:
        command = ["git", f"--git-dir={self._common}", *QUIET, *self._arguments]
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment(),
            )
        except (OSError, ValueError) as error:
            raise RepositoryGone(sha=sha, where=self._common, why=type(error).__name__) from error

    def _stop(self, process: subprocess.Popen[bytes]) -> None:
        self._late = True
        process.kill()
