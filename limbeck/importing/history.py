"""A repository's history becomes commits of the memory, completed as the git hook's errands are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    project = find(str(folder.resolve()))
    if project.common is None:
        raise NoRepository(path=folder)
    came_to = History()
    if config.policy.project(project.root, project.remote):
        return came_to
    commits = _commits(Repository(Path(project.common)), folder, most)
    measurer = Measurer()
    batch: list[bytes] = []
    try:
        for number, (sha, at) in enumerate(commits, 1):
            made = _completed(sha, at, project, config)
            if made is None:
                came_to.left_out += 1
            else:
                lines = _lines(made, config, measurer, came_to)
                batch += lines
                came_to.events += len(lines)
                came_to.commits += 1
            if len(batch) >= BATCH:
                sender.send(batch)
                batch.clear()
            progress(number, len(commits))
    finally:
        measurer.close()
    if batch:
        sender.send(batch)
    return came_to


def _lines(
    commit: dict[str, object], config: HookConfig, measurer: Measurer, came_to: History
) -> list[bytes]:
    """The commit, and what it did to symbols where that can be measured."""
    lines = [encode(commit)]
    errand = symbols_of(commit, {})
    try:
        told = measurer.measure(errand, config.policy) if errand else None
    except NotMeasured:
        came_to.unmeasured += 1
        return lines
    return [*lines, encode(told)] if told else lines


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


def _completed(sha: str, at: int, project: Project, config: HookConfig) -> dict[str, object] | None:
    event = Event("git", "import", "commit", cwd=project.root, extra={"sha": sha, "enriched": False})
    ident = Recorded(event, at, f"commit {project.remote or project.common} {sha}").ident
    made = envelope(event, project, config.policy.joined(project.root), config.limits, ident=ident, at=at)
    if made is None:
        return None
    try:
        return {**complete(made, config.policy), "origin": "import"}
    except (RepositoryGone, OversizedEnvelope):
        return None
