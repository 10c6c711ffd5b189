"""A commit's whole tree as the rescan wants it: hashes, the files that state facts, languages, names that occur."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from capture.project import find
from capture.redact import redact
from distill.code.readers import reader_for
from distill.rescan import Tree
from limbeck.ship.commits import lines_of
from limbeck.ship.errors import RepositoryGone
from limbeck.ship.git import Repository
from limbeck.ship.languages import FOREIGN
from limbeck.ship.standing import Standing
from schema.mentions import symbols_named
from schema.records import Fact, Manifest

MOST_MANIFESTS = 400
LONGEST_MANIFEST = 512 * 1024
MOST_SYMBOLS = 100


def tree_at(
    folder: Path,
    facts: Sequence[Fact],
    also: Sequence[str] = (),
    tell: Callable[[str], None] = lambda _step: None,
) -> Tree:
    """Return the tree of HEAD; the code names that ``facts`` and the texts ``also`` name are looked for in it.

    ``tell`` hears what is done. Raises RepositoryGone where ``folder`` is in no repository with a commit.
    """
    place = find(str(folder.resolve()), make_id=None)
    if place.common is None or place.gitdir is None:
        raise RepositoryGone(sha="HEAD", where=folder, why="it is in no git repository")
    head = Repository(Path(place.gitdir))  # a worktree has a HEAD of its own
    sha = head.text("rev-parse", "--verify", "--end-of-options", "HEAD^{commit}")
    with closing(Standing(Path(place.common))) as repository:
        tell("reading the tree")
        files = _files(repository, sha)
        return Tree(
            sha=sha,
            files=files,
            manifests=_manifests(repository, files),
            languages=lines_of(repository, sha),
            symbols=_symbols(repository, sha, [*(fact.statement for fact in facts), *also], tell),
        )


def _files(repository: Repository, sha: str) -> dict[str, str]:
    listed = repository.ask("ls-tree", "-r", "-z", sha).decode("utf-8", "replace")
    found = {}
    for record in listed.split("\0"):
        about, tab, path = record.partition("\t")
        if tab:
            found[path] = about.split(" ")[2]
    return found


def _manifests(repository: Repository, files: dict[str, str]) -> tuple[Manifest, ...]:
    """The files some reader reads, redacted; one too long to read is left out, so it neither proves nor disproves."""
    found = []
    for path, blob in files.items():
        if reader_for(path) is None or any(part in FOREIGN for part in path.split("/")):
            continue
        raw = repository.blob(blob)
        if len(raw) <= LONGEST_MANIFEST:
            found.append(Manifest(path, redact(raw.decode("utf-8", "replace"))[0]))
        if len(found) == MOST_MANIFESTS:
            break
    return tuple(found)


def _symbols(
    repository: Repository, sha: str, texts: Sequence[str], tell: Callable[[str], None]
) -> frozenset[str]:
    """Which of the names put in backticks occur in the tree; one not looked for is not called gone."""
    wanted = list(dict.fromkeys(name for text in texts for name in symbols_named(text)))
    looked_for, rest = wanted[:MOST_SYMBOLS], wanted[MOST_SYMBOLS:]
    found = []
    for number, name in enumerate(looked_for, 1):
        tell(f"looking for names in the tree, {number} of {len(looked_for)}")
        if _occurs(repository, sha, name):
            found.append(name)
    return frozenset([*found, *rest])


def _occurs(repository: Repository, sha: str, name: str) -> bool:
    """Whether the name is in the tree; one that git did not answer for counts as there, since nothing is known."""
    return repository.matches("grep", "-q", "-F", "-e", name.rpartition(".")[2], sha) is not False
