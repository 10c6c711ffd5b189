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
from limbeck.ship.git import Difference, Repository
from limbeck.ship.languages import tally
from limbeck.ship.manifests import manifest
from limbeck.unread import log_unread

MESSAGE = 8000
MANIFEST = 24000
MOST_FILES = 500
MOST_MANIFESTS = 20
MOST_TREE_FILES = 20000
REMEMBERED = 1024

Envelope = dict[str, object]
Changes = list[Difference]

_lines: OrderedDict[str, dict[str, int]] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Compared:
    """A commit beside what it is compared with; ``changes`` are those that the policy lets be told."""

    repository: Repository
    sha: str
    base: str
    every: Changes
    changes: Changes


def compared(envelope: Envelope, policy: Policy, repository: Repository | None = None) -> Compared:
    """Return what the commit of ``envelope`` changed. Raises RepositoryGone where the repository has it no more.

    Files that ``policy`` or the project's ignore file leave out are among ``every`` but not among the ``changes``.
    ``repository`` is the envelope's, where whoever asks has one at hand.
    """
    project, given = _table(envelope.get("project")), _table(envelope.get("body"))
    repository = repository or Repository(Path(str(project.get("common"))))
    root = project.get("root")
    root = root if isinstance(root, str) else None
    log_unread(root)
    policy = policy.joined(root)
    sha = repository.commit(str(given.get("sha") or "HEAD"))
    base = _base(repository, sha, given.get("base"))
    every = repository.differences(base, sha)
    changes = [change for change in every if not policy.path(change.path)]
    return Compared(repository, sha, base, every, changes)


def complete(envelope: Envelope, policy: Policy, repository: Repository | None = None) -> Envelope:
    """Return the envelope of a commit with its body filled, redacted again and within the size of an envelope.

    Files that ``policy`` or the project's ignore file leave out are not told. RepositoryGone where the
    repository does not have the commit any more. ``repository`` as for ``compared``.
    """
    given = _table(envelope.get("body"))
    found = compared(envelope, policy, repository)
    repository, sha, base, changes = found.repository, found.sha, found.base, found.changes
    told = repository.told(sha)
    counts = {str(rule): int(str(number)) for rule, number in _table(envelope.get("redactions")).items()}
    short: Envelope = {
        "sha": sha,
        "parents": list(told.parents),
        "branch": given.get("branch"),
        "author": told.author,
        "committed": told.committed,
        "files": [
            {"path": one.path, "added": one.added, "deleted": one.deleted} for one in changes[:MOST_FILES]
        ],
    }
    body = tidy({key: value for key, value in short.items() if value is not None}, counts)
    message = spoken(told.message, MESSAGE, counts)
    body["message"] = message["text"]
    if len(changes) > MOST_FILES:
        body["files_total"] = len(changes)
    stating = _stating(changes)
    manifests = [made for one in stating if (made := _manifest(repository, one, counts))]
    body["manifests"] = manifests
    if len(manifests) < len(stating):
        body["manifests_cut"] = True
    before = lines_of(repository, base)
    body["languages_before"] = before
    body["languages"] = remember(sha, tally(_deltas(found.every), before))
    body["enriched"] = True
    made = {**envelope, "body": body}
    if counts:
        made["redactions"] = dict(sorted(counts.items()))
    return _fitted(made, body)


def _base(repository: Repository, sha: str, given: object) -> str:
    """What to compare with: where a merge began, else the first parent, else the empty tree."""
    if isinstance(given, str) and given != sha:
        try:
            return repository.commit(given)
        except RepositoryGone:
            pass
    parents = repository.told(sha).parents
    return parents[0] if parents else repository.empty


def _stating(changes: Changes) -> Changes:
    return [change for change in changes if manifest(change.path)][:MOST_MANIFESTS]


def _manifest(repository: Repository, change: Difference, counts: dict[str, int]) -> Envelope | None:
    """The file as it stands at the commit, its text null where it was removed; None where git did not answer."""
    path = change.path
    try:
        raw = repository.blob(change.after.id) if change.after.id else None
    except GitUnanswered:
        return None
    except RepositoryGone:
        raw = None
    if raw is None:
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
    empty = repository.empty
    if commit == empty:
        return {}
    names = repository.ask("ls-tree", "-r", "-z", "--name-only", commit).count(b"\0")
    if names > MOST_TREE_FILES:
        return remember(commit, {})
    return remember(commit, tally(_deltas(repository.differences(empty, commit))))


def remember(commit: str, lines: dict[str, int]) -> dict[str, int]:
    """Keep the count of a commit for its child; returns it."""
    _lines[commit] = lines
    while len(_lines) > REMEMBERED:
        _lines.popitem(last=False)
    return lines


def _deltas(changes: Changes) -> list[tuple[str, int]]:
    return [(one.path, (one.added or 0) - (one.deleted or 0)) for one in changes]


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
