"""A commit's symbols, from repositories that git made: what is told, and that no reader harms the shipper."""

from __future__ import annotations

import json
import random
import string
import subprocess
from pathlib import Path

import pytest

from capture.config import HookConfig
from capture.envelope import MOST_BYTES, decode, encode
from capture.policy import Policy
from limbeck.ship import errands
from limbeck.ship.code import measure as measuring
from limbeck.ship.code.measure import measured
from limbeck.ship.code.measurer import Measurer
from limbeck.ship.errors import NotMeasured, QueueUnavailable
from limbeck.ship.later import Later
from limbeck.ship.sender import MemorySender

IDENT = "01a22c70-1f99-7567-93c4-7a5761d3dbe3"
FIRST = "def a(x):\n    if x:\n        return 1\n    return 2\n\n\ndef b():\n    return 1\n"
SECOND = "def a(x):\n    if x and x.y:\n        return 1\n    return 2\n\n\ndef c():\n    return 3\n"


def git(where: Path, *words: str) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main")
    done = subprocess.run(["git", *who, *words], cwd=where, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(repository: Path, files: dict[str, str | bytes | None]) -> str:
    for name, content in files.items():
        path = repository / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.unlink()
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "a change")
    return git(repository, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path):
    path = tmp_path / "one"
    path.mkdir()
    git(path, "init", "-q")
    return path


def envelope(repository, sha, **body):
    return {
        "v": 1,
        "id": IDENT,
        "at": 1_796_000_000_000,
        "agent": "git",
        "origin": "hook",
        "kind": "symbols",
        "project": {"common": str(repository / ".git"), "root": str(repository)},
        "body": {"sha": sha, **body},
    }


def told(repository, sha, policy=None, **body):
    made = measured(envelope(repository, sha, **body), policy or Policy())
    assert made is not None
    assert decode(encode(made)) == made
    return made["body"]


def function(name, change, start, end, **complexity):
    return {"name": name, "kind": "function", "change": change, "start": start, "end": end, **complexity}


def test_added_changed_and_removed_with_complexity_before_and_after(repository):
    commit(repository, {"app.py": FIRST})
    sha = commit(repository, {"app.py": SECOND})
    assert told(repository, sha) == {
        "sha": sha,
        "files": [
            {
                "path": "app.py",
                "language": "Python",
                "complexity_before": 3,
                "complexity_after": 4,
                "functions_before": 2,
                "functions_after": 2,
                "symbols": [
                    function("a", "changed", 1, 4, before=2, after=3),
                    function("c", "added", 7, 8, after=1),
                    function("b", "removed", 7, 8, before=1),
                ],
            }
        ],
    }  # fmt: skip


def test_a_first_commit_a_removed_file_and_a_merge(repository):
    first = commit(repository, {"a.py": FIRST, "b.py": "def gone():\n    pass\n"})
    changes = {
        one["name"]: one["change"] for file in told(repository, first)["files"] for one in file["symbols"]
    }
    assert changes == {"a": "added", "b": "added", "gone": "added"}
    second = commit(repository, {"b.py": None})
    (file,) = told(repository, second)["files"]
    assert (file["complexity_before"], file["complexity_after"]) == (1, 0)
    assert [one["change"] for one in file["symbols"]] == ["removed"]
    third = commit(repository, {"c.py": "def new():\n    pass\n"})
    assert [one["path"] for one in told(repository, third, base=first)["files"]] == ["b.py", "c.py"]


def test_what_cannot_be_read_is_told_without_symbols(repository, monkeypatch):
    monkeypatch.setattr(measuring, "LONGEST_FILE", 2000)
    sha = commit(
        repository,
        {"a.kt": "fun f() {}\n", "big.py": "x = 1\n" * 500, "bytes.py": b"x = '\xff'\n", "notes.md": "# hello\n",
         "torn.py": "def f(:\n", "vendor/x.py": "def v(): pass\n"},
    )  # fmt: skip
    body = told(repository, sha)
    assert {one["path"]: one.get("skipped", "") for one in body["files"]} == {
        "a.kt": "there is no grammar for its language",
        "big.py": measuring.TOO_LARGE,
        "bytes.py": "it is no text in UTF-8",
        "torn.py": "",
    }
    assert body["files"][-1]["broken"] is True


def test_a_commit_without_source_files_tells_nothing(repository):
    sha = commit(repository, {"README.md": "# one\n", "data.json": "{}"})
    assert measured(envelope(repository, sha), Policy()) is None


def test_bounds_are_kept_and_what_was_cut_is_told(repository, monkeypatch):
    monkeypatch.setattr(measuring, "MOST_FILES", 2)
    monkeypatch.setattr(measuring, "MOST_SYMBOLS", 3)
    monkeypatch.setattr(measuring, "MOST_IN_ALL", 5)
    many = "".join(f"def f{n}():\n    pass\n" for n in range(4))
    body = told(repository, commit(repository, {"a.py": many, "b.py": many, "c.py": many}))
    assert [(one["path"], len(one["symbols"]), one["symbols_total"]) for one in body["files"]] == [
        ("a.py", 3, 4),
        ("b.py", 2, 4),
    ]
    assert body["files_total"] == 3


def test_long_names_still_fit_an_envelope(repository):
    many = "".join(f"def {'字' * 150}{n}():\n    pass\n" for n in range(200))
    body = told(repository, commit(repository, {f"{n}.py": many for n in range(3)}))
    assert sum(len(one["symbols"]) for one in body["files"]) < 600
    assert all(one["symbols_total"] == 200 for one in body["files"] if len(one["symbols"]) < 200)
    assert len(json.dumps(body, ensure_ascii=False).encode()) < MOST_BYTES


def test_after_its_time_files_are_named_only(repository):
    sha = commit(repository, {"a.py": FIRST, "b.py": FIRST})
    ticks = iter([0.0, 1.0, 11.0])
    made = measured(envelope(repository, sha), Policy(), lambda: next(ticks), 10.0)
    assert [one.get("skipped") for one in made["body"]["files"]] == [None, "there was no time left for it"]


def test_secrets_in_names_and_paths_stay_here(repository):
    secret = "gh" + "p_" + "".join(random.SystemRandom().choices(string.ascii_letters + string.digits, k=36))
    sha = commit(
        repository, {f"d/{secret}/a.py": f"def use_{secret}():\n    pass\n\n\ndef {secret}():\n    pass\n"}
    )
    made = measured(envelope(repository, sha), Policy())
    assert secret not in json.dumps(made)
    assert made["redactions"]["github-token"] >= 2


def test_what_the_policy_leaves_out_is_not_measured(repository):
    (repository / ".limbeckignore").write_text("hidden/\n")
    sha = commit(repository, {"hidden/a.py": FIRST, "b.py": FIRST, "c.py": FIRST})
    assert [one["path"] for one in told(repository, sha, Policy(["c.py"]))["files"]] == ["b.py"]


@pytest.fixture
def spool(tmp_path):
    path = tmp_path / "spool"
    path.mkdir()
    return path


def errand(spool, repository, sha):
    """A captured commit's errand, run: the commit is sent and its symbols wait."""
    sender = MemorySender()
    made = {**envelope(repository, sha), "kind": "commit", "needs": "commit"}
    errands.put_by(spool, made)
    (path,) = errands.waiting(spool)
    assert errands.run(path, HookConfig("local", str(spool)), sender)
    assert [json.loads(line)["kind"] for line in sender.sent] == ["commit"]
    assert errands.waiting(spool) == []
    return errands.waiting(spool, errands.LATER)


def test_the_commit_goes_first_and_its_symbols_follow_from_another_process(spool, repository):
    sha = commit(repository, {"app.py": FIRST})
    (path,) = errand(spool, repository, sha)
    sender, later = MemorySender(), Later(spool)
    try:
        sender.failing = True
        with pytest.raises(QueueUnavailable):
            later.finish(lambda: HookConfig("local", str(spool)), sender)
        assert path.exists()
        sender.failing = False
        assert later.finish(lambda: HookConfig("local", str(spool)), sender) == 1
    finally:
        later.close()
    assert not path.exists()
    (event,) = map(decode, sender.sent)
    assert (event["kind"], event["body"]["sha"], event["agent"]) == ("symbols", sha, "git")
    assert "needs" not in event
    assert event["id"] != IDENT
    assert event["id"][:8] == IDENT[:8]


def test_a_repository_that_is_gone_costs_only_its_symbols(spool, repository):
    (path,) = errand(spool, repository, commit(repository, {"app.py": FIRST}))
    (repository / ".git").rename(repository / "away")
    sender, later = MemorySender(), Later(spool)
    assert later.finish(lambda: HookConfig("local", str(spool)), sender) == 0
    later.close()
    assert not path.exists()


def test_a_reader_that_dies_or_hangs_is_ended_and_its_errand_set_aside(spool, repository):
    (path,) = errand(spool, repository, commit(repository, {"app.py": FIRST}))
    sender = MemorySender()
    later = Later(spool, Measurer("limbeck.no_such_module"))
    assert later.finish(lambda: HookConfig("local", str(spool)), sender) == 0
    later.close()
    assert not path.exists()
    assert [one.name for one in (spool / "aside").iterdir()] == [path.name]
    clock = iter([0.0, 100.0, 100.0])
    slow = Measurer("timeit", clock=lambda: next(clock))
    slow.begin(envelope(repository, "HEAD"), Policy())
    with pytest.raises(NotMeasured, match="took too long"):
        slow.answer(0)
    assert slow._process is None
