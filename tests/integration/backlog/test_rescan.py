"""Open work against the code: delivered by old commits, archived when what it names is gone, brought back."""

from __future__ import annotations

import json
import subprocess
from datetime import timedelta
from types import SimpleNamespace

import pytest

from backlog.rescan import rescan, texts, undo
from limbeck.main import main
from schema.records import Freshness
from tests.integration.backlog.conftest import ANN, START, sha


def tree(*paths, symbols=(), **moved):
    files = {path: f"content of {path}" for path in paths} | moved
    return SimpleNamespace(sha=sha(9), files=files, symbols=frozenset(symbols))


@pytest.fixture
def scan(board):
    moment = iter(START + timedelta(hours=n) for n in range(1, 100))

    def run(its_tree):
        with board.database.tenant(board.client) as c:
            return rescan(c, board.client, board.project, its_tree, next(moment))

    run.undo = lambda: _undo(board, next(moment))
    return run


def _undo(board, now):
    with board.database.tenant(board.client) as c:
        return undo(c, board.client, board.project, ANN, now)


def test_open_work_whose_files_are_gone_is_archived_and_comes_back(board, scan):
    board.make("BU", "src/export/page.py loses its last page")
    board.make("BU", "Login fails on Mondays")
    first = scan(tree("src/export/page.py"))
    assert [c.freshness for c in first.checks] == [Freshness.FRESH, Freshness.UNVERIFIABLE]
    gone = scan(tree("src/other.py"))
    assert gone.archived == (("BU3001", f"src/export/page.py is gone at {sha(9)[:10]}"),)
    assert board.item("BU3001").archived_at is not None
    assert board.history("BU3001")[-1].reason == f"src/export/page.py is gone at {sha(9)[:10]}"
    back, left = scan.undo()
    assert ([i.number for i in back], left) == (["BU3001"], ())
    assert scan(tree("src/other.py")).archived == ()  # the person has the last word
    assert board.item("BU3001").state == "open"


def test_what_was_never_there_is_not_gone(board, scan):
    board.make("FE", "Write src/new/report.py with `render_report`")
    for _ in range(2):
        assert scan(tree("src/other.py")).archived == ()


def test_what_somebody_works_on_what_moved_and_what_went_alone_are_only_reported(board, scan):
    board.make("BU", "src/a.py is slow")
    board.set("BU3001", state="pending")
    board.set("BU3001", state="in-progress")
    board.make("BU", "src/b.py is slow")
    board.make("BU", "src/c.py and src/d.py are slow")
    scan(tree("src/a.py", "src/b.py", "src/c.py", "src/d.py"))
    done = scan(tree("src/d.py", **{"lib/b.py": "content of src/b.py"}))
    assert done.archived == ()
    assert [(c.item.number, c.detail.removesuffix(f" at {sha(9)[:10]}")) for c in done.stale] == [
        ("BU3001", "src/a.py is gone"),
        ("BU3002", "src/b.py is lib/b.py now"),
        ("BU3003", "src/c.py is gone"),
    ]


def test_names_in_backticks_count_like_files(board, scan):
    board.make("BU", "`parse_order` drops the currency")
    with board.database.tenant(board.client) as c:
        assert texts(c, board.client, board.project) == ["`parse_order` drops the currency\n"]
    scan(tree(symbols=["parse_order"]))
    assert scan(tree()).archived == (("BU3001", f"parse_order is gone at {sha(9)[:10]}"),)


def test_a_use_case_with_items_is_reported_and_a_done_one_takes_nothing_open_back(board, scan):
    board.make("US", "All of src/old/app.py")
    board.make("BU", "src/old/app.py crashes", "US1001")
    scan(tree("src/old/app.py"))
    assert [number for number, _ in scan(tree()).archived] == ["BU3001"]
    board.done("US1001")
    back, left = scan.undo()
    assert back == ()
    assert left == ("US1001 is done: reopen it before BU3001 comes back to it.",)


def test_a_commit_that_was_missed_is_delivered(board, scan):
    board.commit(sha(1), "fixes BU3001", at=START - timedelta(days=30))  # another tracker's number
    board.make("BU", "Login fails")
    board.commit(sha(2), "fixes BU-3001", at=START + timedelta(minutes=1))
    done = scan(tree())
    assert done.delivered == (("BU3001", f"commit {sha(2)[:10]} delivers it"),)
    assert [e.commit for e in board.backlog().work] == [sha(2)]
    assert scan(tree()).delivered == ()


def test_the_command_does_both_and_undoes_both(board, app_url, tmp_path, monkeypatch, capsys):
    def git(*words):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words], cwd=tmp_path, check=True
        )

    def limbeck(*words):
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main(["rescan", str(tmp_path), "--project", "demo", "--json", *words])
        output, errors = capsys.readouterr()
        assert end.value.code == 0, errors
        return json.loads(output)

    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LIMBECK_DATABASE_URL", app_url)
    git("init", "-q")
    (tmp_path / "page.py").write_text("def keep_page(): ...\n")
    git("add", "page.py")
    git("commit", "-qm", "one")
    board.make("BU", "`page.py`: `keep_page()` loses a page")
    assert limbeck()["items"] == [{"number": "BU3001", "freshness": "fresh", "why": "what it names is there"}]
    git("rm", "-q", "page.py")
    git("commit", "-qm", "two", "--allow-empty")
    assert [one["number"] for one in limbeck("--dry-run")["items_archived"]] == ["BU3001"]
    assert board.item("BU3001").archived_at is None
    assert [one["number"] for one in limbeck()["items_archived"]] == ["BU3001"]
    assert limbeck("--undo")["items"] == ["BU3001"]
    assert board.item("BU3001").archived_at is None
