"""Completing a commit: message, parents, changed files, manifests and languages, read from the repository."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from capture.envelope import encode
from capture.errors import OversizedEnvelope
from capture.policy import Policy
from capture.redact import redact
from capture.text import add, spoken, tidy
from limbeck.ship.errors import GitUnanswered, RepositoryGone
from limbeck.ship.git import Repository
from limbeck.ship.languages import tally
from limbeck.ship.manifests import manifest

MESSAGE = 8000
MANIFEST = 24000
MOST_FILES = 500
MOST_MANIFESTS = 20
MOST_TREE_FILES = 20000
REMEMBERED = 64

Envelope = dict[str, object]
Changes = list[tuple[str, int | None, int | None]]

_lines: OrderedDict[str, dict[str, int]] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Compared:
    """A commit beside what it is compared with; ``changes`` are those that the policy lets be told."""

    repository: Repository
    sha: str
    base: str
    told: dict[str, object]
    changes: Changes


def compared(envelope: Envelope, policy: Policy) -> Compared:
    """Return what the commit of ``envelope`` changed. Raises RepositoryGone where the repository has it no more.

    Files that ``policy`` or the project's ignore file leave out are not among the changes.
    """
    project, given = _table(envelope.get("project")), _table(envelope.get("body"))
    repository = Repository(Path(str(project.get("common"))))
    root = project.get("root")
    policy = policy.joined(root if isinstance(root, str) else None)
    sha = repository.text(
        "rev-parse", "--verify", "--end-of-options", f"{given.get('sha') or 'HEAD'}^{{commit}}"
    )
    told = _told(repository, sha)
    base = _base(repository, sha, given.get("base"), told)
    changes = [change for change in _changes(repository, base, sha) if not policy.path(change[0])]
    return Compared(repository, sha, base, told, changes)


def complete(envelope: Envelope, policy: Policy) -> Envelope:
    """Return the envelope of a commit with its body filled, redacted again and within the size of an envelope.

    Files that ``policy`` or the project's ignore file leave out are not told. RepositoryGone where the
    repository does not have the commit any more.
    """
    given = _table(envelope.get("body"))
    found = compared(envelope, policy)
    repository, sha, base, told, changes = found.repository, found.sha, found.base, found.told, found.changes
    counts = {str(rule): int(str(number)) for rule, number in _table(envelope.get("redactions")).items()}
    short: Envelope = {
        "sha": sha,
        "parents": told["parents"],
        "branch": given.get("branch"),
        "author": told["author"],
        "committed": told["committed"],
        "files": [
            {"path": path, "added": added, "deleted": deleted}
            for path, added, deleted in changes[:MOST_FILES]
        ],
    }
    body = tidy({key: value for key, value in short.items() if value is not None}, counts)
    message = spoken(str(told["message"]), MESSAGE, counts)
    body["message"] = message["text"]
    if len(changes) > MOST_FILES:
        body["files_total"] = len(changes)
    stating = _stating(changes)
    manifests = [made for one in stating if (made := _manifest(repository, sha, one[0], counts))]
    body["manifests"] = manifests
    if len(manifests) < len(stating):
        body["manifests_cut"] = True
    before = lines_of(repository, base)
    body["languages_before"] = before
    body["languages"] = remember(sha, tally(_deltas(_changes(repository, base, sha)), before))
    body["enriched"] = True
    made = {**envelope, "body": body}
    if counts:
        made["redactions"] = dict(sorted(counts.items()))
    return _fitted(made, body)


def _told(repository: Repository, sha: str) -> dict[str, object]:
    written = repository.text("show", "-s", "--format=%P%x00%an%x00%ct%x00%B", sha)
    parents, author, committed, message = written.split("\0", 3)
    return {
        "parents": parents.split(),
        "author": author,
        "committed": int(committed) * 1000,
        "message": message.strip(),
    }


def _base(repository: Repository, sha: str, given: object, told: dict[str, object]) -> str:
    """What to compare with: where a merge began, else the first parent, else the empty tree."""
    if isinstance(given, str) and given != sha:
        try:
            return repository.text("rev-parse", "--verify", "--end-of-options", f"{given}^{{commit}}")
        except RepositoryGone:
            pass
    parents = told["parents"]
    if isinstance(parents, list) and parents:
        return str(parents[0])
    return _empty(repository)


def _empty(repository: Repository) -> str:
    return repository.text("hash-object", "-t", "tree", "--stdin")


def _changes(repository: Repository, base: str, sha: str) -> Changes:
    """The changed files with added and deleted lines, None for binary ones."""
    arguments = ("diff-tree", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv")
    written = repository.ask(*arguments, base, sha).decode("utf-8", "replace")
    changes: Changes = []
    for record in written.split("\0"):
        added, tab, rest = record.partition("\t")
        deleted, _, path = rest.partition("\t")
        if tab and path:
            changes.append((path, _count(added), _count(deleted)))
    return changes


def _count(written: str) -> int | None:
    return int(written) if written.isdigit() else None


def _stating(changes: Changes) -> Changes:
    return [change for change in changes if manifest(change[0])][:MOST_MANIFESTS]


def _manifest(repository: Repository, sha: str, path: str, counts: dict[str, int]) -> Envelope | None:
    """The file as it stands at the commit, its text null where it was removed; None where git did not answer."""
    try:
        raw = repository.ask("cat-file", "blob", f"{sha}:{path}")
    except GitUnanswered:
        return None
    except RepositoryGone:
        return {"path": redact(path)[0], "text": None}
    kept = spoken(raw[: MANIFEST * 8].decode("utf-8", "replace"), MANIFEST, counts)
    clean, found = redact(path)
    add(counts, found)
    whole = {"path": clean, "text": kept["text"]}
    return whole | {"cut": True} if kept.get("cut") or len(raw) > MANIFEST * 8 else whole


def lines_of(repository: Repository, commit: str) -> dict[str, int]:
    """Lines by language in the tree of ``commit``; counted once, then carried on from commit to commit."""
    if commit in _lines:
        return _lines[commit]
    empty = _empty(repository)
    if commit == empty:
        return {}
    names = repository.ask("ls-tree", "-r", "-z", "--name-only", commit).count(b"\0")
    if names > MOST_TREE_FILES:
        return remember(commit, {})
    return remember(commit, tally(_deltas(_changes(repository, empty, commit))))


def remember(commit: str, lines: dict[str, int]) -> dict[str, int]:
    """Keep the count of a commit for its child; returns it."""
    _lines[commit] = lines
    while len(_lines) > REMEMBERED:
        _lines.popitem(last=False)
    return lines


def _deltas(changes: Changes) -> list[tuple[str, int]]:
    return [(path, (added or 0) - (deleted or 0)) for path, added, deleted in changes]


def _fitted(envelope: Envelope, body: Envelope) -> Envelope:
    """Leave out the longest manifests' texts, then files, until the envelope has its size."""
    while True:
        try:
            encode(envelope)
        except OversizedEnvelope:
            manifests, files = body.get("manifests"), body.get("files")
            if isinstance(manifests, list) and manifests:
                manifests.remove(max(manifests, key=lambda one: len(str(one["text"]))))
                body["manifests_cut"] = True
            elif isinstance(files, list) and files:
                body.setdefault("files_total", len(files))
                del files[len(files) // 2 :]
            else:
                raise
        else:
            return envelope


def _table(value: object) -> Envelope:
    return value if isinstance(value, dict) else {}
