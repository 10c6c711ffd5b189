"""A repository's history becomes commits of the memory, completed as the git hook's errands are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from capture.config import HookConfig
from capture.envelope import encode
from capture.errors import OversizedEnvelope
from capture.event import Event
from capture.observation import envelope
from capture.project import Project, find
from limbeck.importing.recorded import Recorded
from limbeck.ship.code.measurer import Measurer
from limbeck.ship.commits import complete
from limbeck.ship.errands import symbols_of
from limbeck.ship.errors import NotMeasured, RepositoryGone
from limbeck.ship.git import Repository
from limbeck.ship.sender import Sender
from limbeck.ship.standing import FORESEEN, Standing
from schema.errors import LimbeckError

BATCH = 50


class NoRepository(LimbeckError):
    """There is no git repository with a commit at {path}."""


@dataclass(slots=True)
class History:
    """What an import of history came to: ``commits`` in ``events``; of ``unmeasured`` ones the symbols are not told."""

    commits: int = 0
    events: int = 0
    left_out: int = 0
    unmeasured: int = 0


def run(
    folder: Path,
    config: HookConfig,
    sender: Sender,
    *,
    most: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> History:
    """Send the commits that HEAD of the repository at ``folder`` reaches, oldest first, the latest ``most`` only.

    A second run sends the same events, which are then told apart by their hash. ``progress`` hears how many of how
    many are read. Raises NoRepository and QueueUnavailable.
    """
    project = repository_at(folder)
    came_to = History()
    if config.policy.project(project.root, project.remote):
        return came_to
    reader = _Reader(project, config, came_to)
    batch: list[bytes] = []
    try:
        for number, lines in reader.read(commits := _commits(reader.repository, folder, most)):
            batch += lines
            if len(batch) >= BATCH:
                sender.send(batch)
                batch.clear()
            progress(number, len(commits))
    finally:
        reader.close()
    if batch:
        sender.send(batch)
    return came_to


def repository_at(folder: Path) -> Project:
    """Return the project that ``folder`` lies in. Raises NoRepository where git has none there."""
    project = find(str(folder.resolve()))
    if not folder.is_dir() or project.common is None:
        raise NoRepository(path=folder)
    return project


class _Reader:
    """One repository's commits as lines for the queue. While one is measured the next is read."""

    def __init__(self, project: Project, config: HookConfig, came_to: History) -> None:
        self.repository = Standing(Path(str(project.common)))
        self._project, self._config, self._came_to = project, config, came_to
        self._measurer = Measurer(at_once=True)
        self._waiting: tuple[int, dict[str, object]] | None = None

    def read(self, commits: list[tuple[str, int]]) -> Iterator[tuple[int, list[bytes]]]:
        """How many are done, with the lines of the last: the commit, and what it did to symbols."""
        for number, (sha, at) in enumerate(commits):
            if number % FORESEEN == 0:
                with suppress(RepositoryGone):  # each is asked by itself then
                    self.repository.foresee([one for one, _ in commits[number : number + FORESEEN]])
            made = self._completed(sha, at)
            yield from self._done()
            if made is None:
                self._came_to.left_out += 1
                yield number + 1, []
                continue
            self._waiting = (number + 1, made)
            if (errand := _errand(made)) is not None:
                self._measurer.begin(errand, self._config.policy)
        yield from self._done()

    def close(self) -> None:
        """End the processes."""
        self._measurer.close()
        self.repository.close()

    def _done(self) -> Iterator[tuple[int, list[bytes]]]:
        """The commit that is being measured, once it is."""
        if self._waiting is None:
            return
        (number, commit), self._waiting = self._waiting, None
        lines = [encode(commit)]
        try:
            told = self._measurer.wait() if _errand(commit) else None
            lines += [encode(told)] if told else []
        except NotMeasured:
            self._came_to.unmeasured += 1
        self._came_to.commits += 1
        self._came_to.events += len(lines)
        yield number, lines

    def _completed(self, sha: str, at: int) -> dict[str, object] | None:
        project, config = self._project, self._config
        event = Event("git", "import", "commit", cwd=project.root, extra={"sha": sha, "enriched": False})
        ident = Recorded(event, at, f"commit {project.remote or project.common} {sha}").ident
        policy = config.policy.joined(project.root)
        made = envelope(event, project, policy, config.limits, ident=ident, at=at)
        if made is None:
            return None
        try:
            return {**complete(made, config.policy, self.repository), "origin": "import"}
        except (RepositoryGone, OversizedEnvelope):
            return None


def _errand(commit: dict[str, object]) -> dict[str, object] | None:
    """What to measure of a commit; its parent is told, so that nobody asks for it again."""
    errand, body = symbols_of(commit, {}), commit.get("body")
    parents = body.get("parents") if isinstance(body, dict) else None
    told = errand.get("body") if errand else None
    if isinstance(told, dict) and isinstance(parents, list) and parents:
        told["base"] = parents[0]
    return errand


def _commits(repository: Repository, folder: Path, most: int | None) -> list[tuple[str, int]]:
    """Hashes and times (Unix milliseconds), oldest first."""
    limit = [f"--max-count={most}"] if most is not None else []
    try:
        head = _head(folder)
        written = repository.text("log", "--format=%H %ct", *limit, "--end-of-options", head)
    except RepositoryGone as error:
        raise NoRepository(path=folder) from error
    return list(reversed(list(_read(written))))


def _head(folder: Path) -> str:
    """The commit that the working tree at ``folder`` (perhaps a linked one) is at."""
    from capture.head import head

    sha, _ = head(find(str(folder.resolve())))
    return str(sha or "HEAD")


def _read(written: str) -> Iterator[tuple[str, int]]:
    for line in written.splitlines():
        sha, _, seconds = line.partition(" ")
        yield sha, int(seconds) * 1000
