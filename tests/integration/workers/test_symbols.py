"""What a commit did to symbols, from the repository to the reads; the worker never sees the repository."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime

import psycopg
import pytest

from capture.config import HookConfig
from limbeck.ship import errands
from limbeck.ship.later import Later
from limbeck.ship.sender import MemorySender
from schema.churn import hotspots
from schema.retention import retain
from schema.scope import Scope
from schema.symbols import changed_lately, of_file
from schema.trace import trace

from .build import PROJECT, envelope

FIRST = "def pay(order):\n    if order:\n        return 1\n    return 2\n\n\ndef old():\n    return 1\n"
SECOND = "def pay(order):\n    if order and order.paid:\n        return 1\n    return 2\n"


@pytest.fixture
def repository(tmp_path):
    path = tmp_path / "shop"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    return path


def git(where, *words):
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    done = subprocess.run(["git", *who, *words], cwd=where, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def shipped(repository, spool, content, second, amend=False):
    """Commit, run the shipper's errands, and return the hash and the lines that went out."""
    (repository / "shop.py").write_text(content)
    git(repository, "add", ".")
    git(repository, "commit", "-qm", f"change {second}", *(["--amend"] if amend else []))
    sha = git(repository, "rev-parse", "HEAD")
    spool.mkdir(exist_ok=True)
    project = PROJECT | {"common": str(repository / ".git"), "root": str(repository)}
    made = envelope("commit", second, agent="git", session=None, project=project, body={"sha": sha})
    errands.put_by(spool, {**made, "needs": "commit"})
    sender, later, config = MemorySender(), Later(spool), HookConfig("local", str(spool))
    try:
        for path in errands.waiting(spool):
            assert errands.run(path, config, sender)
        later.finish(lambda: config, sender)
    finally:
        later.close()
    return sha, sender.sent


@pytest.fixture
def told(bench, repository, tmp_path):
    """Two commits' events, stored after the repository is gone."""
    first, lines = shipped(repository, tmp_path / "spool", FIRST, 0)
    second, more = shipped(repository, tmp_path / "spool", SECOND, 10)
    shutil.rmtree(repository)
    bench.push(*lines, *more)
    bench.drain()
    return first, second


def look(bench, read, *arguments, **options):
    with bench.database.tenant(bench.stream.client) as connection:
        return read(connection, Scope(bench.stream.client), *arguments, **options)


def test_a_worker_without_the_repository_stores_them_once(bench, told):
    first, second = told
    assert bench.sums() == {"stored": 4}
    rows = bench.rows(
        "SELECT sha, name, kind, change, complexity_before, complexity_after FROM symbols ORDER BY at, name"
    )
    assert [tuple(row.values()) for row in rows] == [
        (first, "old", "function", "added", None, 1),
        (first, "pay", "function", "added", None, 2),
        (second, "old", "function", "removed", 1, None),
        (second, "pay", "function", "changed", 2, 3),
    ]
    (line,) = bench.rows(
        "SELECT mirror FROM ledger WHERE key LIKE 'symbols|%' AND key LIKE :sha", sha=f"%{first}"
    )
    assert bench.rows("SELECT id FROM measures WHERE sha = :sha", sha=first) == [{"id": line["mirror"]}]


def test_the_same_commit_again_is_redelivered(bench, repository, tmp_path):
    _, lines = shipped(repository, tmp_path / "spool", FIRST, 0)
    bench.push(*lines, *lines)
    bench.drain()
    assert bench.sums() == {"stored": 2, "redelivered": 2}
    assert len(bench.rows("SELECT 1 FROM symbols")) == 2


def test_the_symbols_of_a_file_are_those_it_was_last_seen_with(bench, told):
    (row,) = look(bench, of_file, "shop.py")
    assert (row["name"], row["kind"], row["complexity"], row["commits"]) == ("pay", "function", 3, 2)
    assert (row["first_line"], row["last_line"], row["sha"]) == (1, 4, told[1])
    assert look(bench, of_file, "other.py") == []


def test_what_changed_lately_newest_first_with_its_commit(bench, told):
    rows = look(bench, changed_lately, limit=3)
    assert [(row["change"], row["name"], row["sha"]) for row in rows[:2]] == [
        ("removed", "old", told[1]),
        ("changed", "pay", told[1]),
    ]
    assert (rows[0]["message"], rows[0]["author"], rows[0]["project"]) == ("change 10", "Ada", "shop")
    assert len(rows) == 3


def test_hotspots_show_complexity_and_its_change_beside_churn(bench, told):
    (row,) = look(bench, hotspots)
    assert (row["path"], row["commits"]) == ("shop.py", 2)
    assert (row["complexity"], row["complexity_change"], row["functions"]) == (3, 3, 1)


def test_a_replaced_commit_counts_no_more(bench, repository, tmp_path):
    first, lines = shipped(repository, tmp_path / "spool", FIRST, 0)
    second, more = shipped(repository, tmp_path / "spool", SECOND, 5, amend=True)
    rewrite = envelope(
        "rewrite", 6, agent="git", session=None, body={"how": "amend", "pairs": [[first, second]]}
    )
    bench.push(*lines, *more, rewrite)
    bench.drain()
    assert {row["sha"] for row in look(bench, changed_lately)} == {second}
    assert [row["commits"] for row in look(bench, of_file, "shop.py")] == [1]
    (row,) = look(bench, hotspots)
    assert (row["complexity"], row["complexity_change"]) == (3, 3)


def test_trace_walks_from_a_commit_to_its_symbols_and_back(bench, told):
    _, second = told
    found = look(bench, trace, second)
    assert [node.text for node in found.symbols] == [
        "changed function pay in shop.py, lines 1-4, complexity 2 -> 3",
        "removed function old in shop.py, lines 7-8, complexity 1",
    ]
    back = look(bench, trace, found.symbols[0].id)
    assert (back.what.kind, [node.commit for node in back.commits]) == ("symbol", [second])


def test_they_go_with_retention_and_the_ledger_says_so(bench, told, owner_url):
    with psycopg.connect(owner_url.replace("+psycopg", ""), autocommit=True) as owner:
        for table in ("measures", "symbols"):
            owner.execute(
                f"CREATE TABLE {table}_2026_01 PARTITION OF {table} FOR VALUES FROM ('2026-01-01 00:00+00') "
                "TO ('2026-02-01 00:00+00')"
            )
    for table in ("measures", "symbols"):
        bench.rows(f"UPDATE {table} SET received_at = '2026-01-15 12:00+00' RETURNING 1")
    gone = retain(owner_url, datetime(2026, 2, 1, tzinfo=UTC))
    assert {one.table: one.rows for one in gone} == {"measures": 2, "symbols": 4}
    assert bench.rows("SELECT 1 FROM symbols UNION ALL SELECT 1 FROM measures") == []
    told_of = bench.rows("SELECT retained_until IS NOT NULL AS gone FROM ledger WHERE kind = 'symbols'")
    assert told_of == [{"gone": True}] * 2
    assert bench.sums() == {"stored": 4}
    (row,) = look(bench, hotspots)
    assert (row["commits"], row["complexity"], row["complexity_change"]) == (2, None, None)


def test_another_client_sees_nothing(bench, told):
    bench.database.add_client("stranger")
    with bench.database.tenant("stranger") as connection:
        scope = Scope("stranger")
        assert of_file(connection, scope, "shop.py") == changed_lately(connection, scope) == []
    with bench.database.tenant(bench.stream.client) as connection:
        other = Scope(bench.stream.client, ("0190a1b2-0000-7000-8000-00000000c0de",))
        assert of_file(connection, other, "shop.py") == []


def test_a_malformed_measure_is_quarantined(bench):
    files = [{"path": "a.py", "language": "Python", "symbols": [{"name": "f", "kind": "macro"}]}]
    bench.push(envelope("symbols", agent="git", session=None, body={"sha": "a" * 40, "files": files}))
    bench.drain()
    (row,) = bench.rows("SELECT reason FROM quarantine")
    assert "body.files is a list of 1 entries, not a list of measured files" in row["reason"]
