"""git's history as events: every commit once, oldest first, with the identity it has each time."""

from __future__ import annotations

import json
import subprocess

import pytest

from capture.config import HookConfig
from capture.policy import Policy
from limbeck.importing.history import NoRepository, run
from limbeck.ship.code.measurer import Measurer
from limbeck.ship.sender import MemorySender

IDENTITY = ("-c", "user.name=Ada", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")


def git(where, *arguments):
    done = subprocess.run(
        ["git", *IDENTITY, *arguments], cwd=where, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    path = tmp_path / "shop"
    path.mkdir()
    git(path, "init", "-q")
    for number in range(3):
        (path / "app.py").write_text("x = 1\n" * (number + 1))
        git(path, "add", ".")
        git(path, "commit", "-qm", f"change {number}")
    return path


def sent(folder, policy=None, **options):
    sender = MemorySender()
    config = HookConfig("local", "/nowhere", policy=policy)
    came_to = run(folder, config, sender, **options)
    return came_to, [json.loads(line) for line in sender.sent]


def commits(events):
    return [event for event in events if event["kind"] == "commit"]


def test_every_commit_oldest_first_as_the_hook_would_tell_it(repository):
    came_to, every = sent(repository)
    events = commits(every)
    hashes = git(repository, "log", "--reverse", "--format=%H").split()
    assert (came_to.commits, came_to.left_out) == (3, 0)
    assert [event["body"]["sha"] for event in events] == hashes
    assert [event["body"]["message"] for event in events] == ["change 0", "change 1", "change 2"]
    first = events[0]
    assert (first["agent"], first["origin"], first["kind"]) == ("git", "import", "commit")
    assert first["at"] == int(git(repository, "show", "-s", "--format=%ct", hashes[0])) * 1000
    assert events[1]["body"]["files"] == [{"path": "app.py", "added": 1, "deleted": 0}]
    assert first["project"]["root"] == str(repository)


def test_after_each_commit_its_symbols(repository):
    (repository / "app.py").write_text("def total():\n    return 1\n")
    git(repository, "commit", "-qam", "a function")
    _, events = sent(repository)
    assert [event["kind"] for event in events] == ["commit", "symbols"] * 4
    last = events[-1]
    assert (last["origin"], last["at"], last["body"]["sha"]) == (
        "import",
        events[-2]["at"],
        git(repository, "rev-parse", "HEAD"),
    )
    assert [one["name"] for one in last["body"]["files"][0]["symbols"]] == ["total"]


def test_what_cannot_be_measured_costs_no_commit(repository, monkeypatch):
    monkeypatch.setattr("limbeck.importing.history.Measurer", lambda **_: Measurer("limbeck.no_such_module"))
    came_to, events = sent(repository)
    assert (came_to.commits, came_to.unmeasured, len(events)) == (3, 3, 3)


def test_a_second_import_sends_the_same_ids(repository):
    assert [event["id"] for event in sent(repository)[1]] == [event["id"] for event in sent(repository)[1]]


def test_only_the_latest_and_from_a_linked_worktree(repository, tmp_path):
    (_, events) = sent(repository, most=1)
    assert [event["body"]["message"] for event in commits(events)] == ["change 2"]
    git(repository, "worktree", "add", "-q", str(tmp_path / "linked"), "HEAD~1")
    assert len(commits(sent(tmp_path / "linked")[1])) == 2


def test_a_private_project_is_not_told(repository):
    came_to, events = sent(repository, Policy(projects=(str(repository),)))
    assert (came_to.commits, events) == (0, [])


def test_no_repository_and_no_commit_are_said(tmp_path):
    with pytest.raises(NoRepository, match=str(tmp_path)):
        sent(tmp_path)
    git(tmp_path, "init", "-q")
    with pytest.raises(NoRepository):
        sent(tmp_path)
