"""Every accepted entry gets exactly one disposition."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime

from sqlalchemy import text

from capture.ids import new_id
from workers.incoming import read
from workers.ingest import ingest
from workers.quarantine import Rejected

from .build import START, encoded, envelope, prompt, tool


def test_a_call_becomes_a_row_with_its_session_and_project(bench):
    bench.push(tool(0, "c1", shape="pytest -q", outcome="failed", exit=1, files=["app/auth.py"]))
    assert bench.drain() == 1
    (row,) = bench.rows("""
        SELECT o.*, s.agent_session, p.name, p.remote FROM observations o
        JOIN sessions s USING (client, session) JOIN projects p ON p.project = o.project
    """)
    assert (row["tool"], row["shape"], row["outcome"], row["exit_code"]) == ("Bash", "pytest -q", "failed", 1)
    assert (row["agent_session"], row["name"], row["remote"]) == ("s-1", "shop", "git.example/team/shop")
    assert (row["at"], row["count"], row["files"]) == (START, 1, ["app/auth.py"])
    assert bench.sums() == {"stored": 1}
    assert bench.stream.waiting() == 0


def test_identical_calls_within_five_minutes_are_one_row(bench):
    bench.push(*(tool(second) for second in (0, 10, 299)), tool(300))
    bench.drain()
    rows = bench.rows(
        "SELECT count, extract(epoch FROM last_at - at)::int AS length FROM observations ORDER BY at"
    )
    assert rows == [{"count": 3, "length": 299}, {"count": 1, "length": 0}]
    assert bench.sums() == {"stored": 2, "merged": 2}


def test_windows_hold_over_batches_and_late_arrivals(bench):
    for second in (400, 10, 399, 401):
        bench.push(tool(second))
        bench.drain()
    rows = bench.rows("SELECT extract(epoch FROM at)::bigint - :start AS t, count FROM observations ORDER BY at",
                      start=int(START.timestamp()))  # fmt: skip
    assert rows == [{"t": 10, "count": 1}, {"t": 399, "count": 1}, {"t": 400, "count": 2}]
    assert bench.sums() == {"stored": 3, "merged": 1}


def test_what_differs_is_not_merged(bench):
    bench.push(
        tool(0, outcome="failed"),
        tool(1, outcome="ok"),
        tool(2, outcome="ok", session="s-2"),
        tool(3, outcome="ok", subagent={"id": "a1", "type": "Explore"}),
        tool(4, outcome="ok", shape="pytest -x"),
        tool(5, outcome="ok", project={"root": "/home/u/other", "remote": "git.example/team/other"}),
    )
    bench.drain()
    assert bench.sums() == {"stored": 6}


def test_the_same_call_twice_is_redelivered_however_it_came(bench):
    first = tool(0, "c1")
    again = {**first, "id": new_id(), "at": first["at"] + 50}
    bench.push(first, again)
    bench.drain()
    bench.push(first)
    bench.drain()
    assert bench.sums() == {"stored": 1, "redelivered": 2}
    assert bench.rows("SELECT count FROM observations") == [{"count": 1}]


def test_two_installations_of_an_event_without_id_are_matched_within_two_seconds(bench):
    bench.push(prompt("go on", 0), prompt("go on", 1.9), prompt("go on", 4), prompt("go on", 30))
    bench.drain()
    assert bench.sums() == {"stored": 3, "redelivered": 1}


def test_an_import_after_live_capture_adds_nothing(bench):
    bench.push(prompt("why Postgres?", 0, turn="t1"), tool(1, "c1"))
    bench.drain()
    bench.push(prompt("why Postgres?", 3, turn="t1", origin="import"), tool(2, "c1", origin="import"))
    bench.drain()
    assert bench.sums() == {"stored": 2, "redelivered": 2}


def test_a_batch_handed_out_twice_changes_nothing(bench):
    entries = bench.push(prompt("hello", 0), tool(1), b"{not json")
    bench.drain()
    before = bench.sums()
    now = datetime.now(UTC)
    events = [read(entry, encoded(tool(1))[0], now) for entry in entries[:2]]
    with bench.database.tenant(bench.stream.client) as connection:
        stored = ingest(
            connection, bench.stream.client, events, [Rejected(entries[2], "again", 1, None)], now=now
        )
    assert +stored.dispositions == {}
    assert bench.sums() == before == {"stored": 2, "quarantined": 1}


def test_malformed_and_unknown_entries_are_quarantined_at_once_with_a_reason(bench):
    bench.push(b"{", b'{"v":2}', encode_unknown(), tool(0))
    bench.drain()
    rows = bench.rows("SELECT reason, attempts, state FROM quarantine ORDER BY entry")
    assert [row["state"] for row in rows] == ["held"] * 3
    assert "not JSON" in rows[0]["reason"]
    assert "version 2" in rows[1]["reason"]
    assert "kind" in rows[2]["reason"]
    assert bench.sums() == {"quarantined": 3, "stored": 1}


def encode_unknown() -> bytes:
    return json.dumps(envelope("tool") | {"kind": "telepathy"}).encode()


def test_wrong_clocks_are_clamped_and_flagged(bench):
    bench.push(
        prompt("from 1970", 0) | {"at": 86_400_000},
        prompt("from the future", 0) | {"at": 4_000_000_000_000},
        prompt("on time", 0),
    )
    bench.drain()
    rows = bench.rows(
        "SELECT text, clock, at <= now() AND at > now() - interval '1 minute' AS clamped FROM exchanges"
    )
    flags = {row["text"]: (row["clock"], row["clamped"]) for row in rows}
    assert flags == {
        "from 1970": ("past", True),
        "from the future": ("future", True),
        "on time": (None, False),
    }


def test_a_session_is_ended_distilled_again_and_never_doubled(bench):
    bench.push(envelope("session.start", 0, body={"source": "startup"}), prompt("do it", 1))
    bench.push(envelope("session.end", 10, body={"reason": "other"}))
    bench.drain()
    (session,) = bench.rows("SELECT session::text, state, end_reason FROM sessions")
    assert (session["state"], session["end_reason"], bench.due) == ("ended", "other", [session["session"]])
    bench.push(prompt("a late line", 5))
    bench.drain()
    assert bench.due == [session["session"]] * 2
    bench.push(envelope("session.start", 60, body={"source": "resume"}))
    bench.drain()
    assert bench.rows("SELECT state FROM sessions") == [{"state": "reopened"}]


def test_a_start_in_the_same_folder_ends_a_silent_session_of_the_same_agent(bench):
    bench.push(prompt("one", 0, session="old"), prompt("two", 100, session="busy"))
    bench.drain()
    bench.push(envelope("session.start", 350, session="new", body={"source": "startup"}))
    bench.drain()
    states = {
        row["agent_session"]: row["state"] for row in bench.rows("SELECT agent_session, state FROM sessions")
    }
    assert states == {"old": "ended", "busy": "active", "new": "active"}


def test_a_commit_finds_its_session_and_prompt(bench):
    bench.push(prompt("fix the login", 0), prompt("and commit", 5), tool(6, shape="git commit -m _"))
    bench.drain()
    commit = {
        "sha": "a" * 40,
        "message": "fix login",
        "files": [{"path": "app/auth.py", "added": 3, "deleted": 1}],
    }
    bench.push(
        envelope("commit", 7, agent="git", session=None, body=commit),
        envelope("commit", 8, agent="git", session="s-1", body=commit | {"sha": "b" * 40}),
        envelope("commit", 9, agent="git", session=None, body=commit),
    )
    bench.drain()
    rows = bench.rows("""
        SELECT left(c.sha, 1) AS sha, c.link, e.text, s.agent_session FROM commits c
        JOIN exchanges e ON e.id = c.exchange JOIN sessions s ON s.session = c.session ORDER BY sha
    """)
    assert rows == [
        {"sha": "a", "link": "observation", "text": "and commit", "agent_session": "s-1"},
        {"sha": "b", "link": "environment", "text": "and commit", "agent_session": "s-1"},
    ]
    assert (
        bench.rows("SELECT path, added, deleted FROM code_observations")
        == [{"path": "app/auth.py", "added": 3, "deleted": 1}] * 2
    )
    assert bench.sums() == {"stored": 5, "redelivered": 1}


def test_projects_are_one_by_any_of_their_keys(bench):
    kept = {"common": "/home/u/a/.git", "root": "/home/u/a", "id": "11111111-1111-7111-8111-111111111111"}
    bench.push(tool(0, project=kept))
    bench.drain()
    bench.push(tool(1, project={**kept, "remote": "git.example/team/a", "root": "/home/u/renamed"}))
    bench.push(tool(2, project={"root": "/home/u/clone", "remote": "git.example/team/a"}))
    bench.push(tool(3, project={"root": "/elsewhere/a", "remote": "git.example/other/a"}))
    bench.drain()
    bench.push(tool(4, shape="ls", project={"root": "/tmp"}))
    bench.drain()
    counts = bench.rows("SELECT sum(count)::int AS n FROM observations GROUP BY project ORDER BY 1")
    assert [row["n"] for row in counts] == [1, 4]
    assert len(bench.rows("SELECT project FROM projects")) == 2
    assert bench.sums() == {"stored": 3, "merged": 2}


def test_the_sums_hold_in_any_order_of_arrival(bench):
    chance = random.Random(7)
    events = [tool(chance.randrange(0, 1500), shape=f"make t{chance.randrange(3)}") for _ in range(200)]
    events += [chance.choice(events) for _ in range(40)]
    chance.shuffle(events)
    for start in range(0, len(events), 17):
        bench.push(*events[start : start + 17])
        bench.drain()
    sums = bench.sums()
    assert sum(sums.values()) == 240
    assert sums["redelivered"] == 40
    merged = bench.rows("SELECT coalesce(sum(count), 0)::int AS n FROM observations")
    assert merged == [{"n": 200}]


def test_a_secret_the_hook_missed_is_removed_and_counted(bench):
    token = "gh" + "p_" + "".join(random.Random(3).choices("abcdefghijkmnpqrstuvwxyzABCDEFGH23456789", k=36))
    bench.push(prompt(f"push with {token} please", 0), tool(1, shape=f"echo {token}"))
    bench.drain()
    stored = bench.rows("SELECT text FROM exchanges UNION ALL SELECT shape FROM observations")
    assert len(stored) == 2
    assert not any(token in row["text"] for row in stored)
    caught = bench.rows("SELECT net, sum(hits)::int AS hits FROM redactions GROUP BY net")
    assert caught == [{"net": "worker", "hits": 2}]


def test_outcomes_told_later_split_what_was_merged_while_unknown(bench):
    codex = {"agent": "codex", "outcome": "unknown", "shape": "cargo test"}
    bench.push(*(tool(second, f"c{second}", **codex) for second in (0, 10, 20, 30)))
    bench.drain()
    assert bench.rows("SELECT outcome, count FROM observations") == [{"outcome": "unknown", "count": 4}]
    told = [
        {"call": "c0", "outcome": "failed", "exit": 101},
        {"call": "c10", "outcome": "ok", "exit": 0},
        {"call": "c20", "outcome": "ok", "exit": 0},
    ]
    outcomes = envelope("outcomes", 40, agent="codex", body={"calls": told})
    bench.push(outcomes, {**outcomes, "id": new_id(), "at": outcomes["at"] + 9000})
    bench.drain()
    rows = bench.rows("SELECT outcome, count, exit_code, call FROM observations ORDER BY at")
    assert rows == [
        {"outcome": "failed", "count": 1, "exit_code": 101, "call": "c0"},
        {"outcome": "ok", "count": 2, "exit_code": 0, "call": "c10"},
        {"outcome": "unknown", "count": 1, "exit_code": None, "call": "c30"},
    ]
    assert bench.sums() == {"stored": 5, "merged": 1}
    assert len(bench.rows("SELECT 1 AS one FROM windows")) == 3
    bench.push(
        envelope("outcomes", 60, agent="codex", body={"calls": [{"call": "c30", "outcome": "ok", "exit": 0}]})
    )
    bench.drain()
    rows = bench.rows("SELECT outcome, count FROM observations ORDER BY at")
    assert rows == [{"outcome": "failed", "count": 1}, {"outcome": "ok", "count": 3}]
    assert bench.sums() == {"stored": 5, "merged": 2}


def test_an_amend_told_before_its_commit_arrives_counts_once(bench):
    old, new = "a" * 40, "b" * 40
    bench.push(
        envelope("rewrite", 1, agent="git", session=None, body={"how": "amend", "pairs": [[old, new]]})
    )
    bench.drain()
    for sha, second in ((old, 0), (new, 1)):
        bench.push(envelope("commit", second, agent="git", session=None, body={"sha": sha, "message": "m"}))
    bench.drain()
    rows = bench.rows("SELECT sha, rewritten_to FROM commits ORDER BY sha")
    assert rows == [{"sha": old, "rewritten_to": new}, {"sha": new, "rewritten_to": None}]


def test_a_start_without_a_session_makes_no_project(bench):
    bench.push(envelope("session.start", 0, session=None, project={"root": "/tmp/somewhere"}))
    bench.drain()
    assert bench.sums() == {"stored": 1}
    assert bench.rows("SELECT name FROM projects") == []


def test_a_commit_by_hand_after_the_end_belongs_to_no_session(bench):
    bench.push(prompt("do it", 0), envelope("session.end", 10, body={"reason": "other"}))
    commit = {"sha": "c" * 40, "message": "by hand", "files": []}
    bench.push(envelope("commit", 300, agent="git", session=None, body=commit))
    bench.drain()
    assert bench.rows("SELECT session, link FROM commits") == [{"session": None, "link": None}]


def test_who_is_held_to_a_project_reaches_no_session_of_another_through_what_it_did_there(bench):
    elsewhere = {"root": "/home/u/other", "remote": "git.example/team/other"}
    bench.push(prompt("start", 0, project=elsewhere), tool(1, shape="git commit -m _"))
    bench.push(envelope("session.end", 30, body={"reason": "other"}))
    bench.drain()
    assert bench.rows("SELECT p.name FROM sessions JOIN projects p USING (client, project)") == [
        {"name": "other"}
    ]

    def links():
        return [row["link"] for row in bench.rows("SELECT link FROM commits ORDER BY sha")]

    commit = {"message": "m", "files": []}
    bench.push(envelope("commit", 2, agent="git", session="~0123456789ab", body=commit | {"sha": "a" * 40}))
    bench.drain()
    assert links() == [None]
    bench.push(envelope("commit", 2, agent="git", session=None, body=commit | {"sha": "b" * 40}))
    bench.drain()
    assert links() == [None, "observation"]
    with bench.database.tenant(bench.stream.client) as connection:
        connection.execute(text("UPDATE sessions SET state = 'distilled'"))
    for session, due in (("~0123456789ab", False), (None, True)):
        bench.then.clear()
        pairs = {"how": "amend", "pairs": [["b" * 40, ("c" if session else "d") * 40]]}
        bench.push(envelope("rewrite", 40, agent="git", session=session, body=pairs))
        bench.drain()
        assert bool(bench.due) is due


def test_a_rewrite_puts_the_session_of_the_old_commit_back_to_the_distiller(bench):
    bench.push(prompt("fix it", 0))
    commit = {"sha": "d" * 40, "message": "fix", "files": []}
    bench.push(envelope("commit", 1, agent="git", session="s-1", body=commit))
    bench.push(envelope("session.end", 2, body={"reason": "other"}))
    bench.drain()
    (session,) = set(bench.due)
    client = bench.stream.client
    with bench.database.tenant(client) as connection:
        connection.execute(text("UPDATE sessions SET state = 'distilled'"))
        connection.execute(text("UPDATE commits SET proved_at = now()"))
    bench.then.clear()
    bench.push(envelope("commit", 3, agent="git", session="s-1", body=commit | {"sha": "e" * 40}))
    bench.drain()
    with bench.database.tenant(client) as connection:
        connection.execute(text("UPDATE sessions SET state = 'distilled'"))
        connection.execute(text("UPDATE commits SET proved_at = now()"))
    bench.then.clear()
    pairs = {"how": "amend", "pairs": [["d" * 40, "e" * 40]]}
    bench.push(envelope("rewrite", 4, agent="git", session=None, body=pairs))
    bench.drain()
    assert bench.due == [session]
    rows = bench.rows("SELECT left(sha, 1) AS sha, proved_at IS NULL AS again FROM commits ORDER BY sha")
    assert rows == [{"sha": "d", "again": False}, {"sha": "e", "again": True}]


def test_a_start_in_the_same_folder_ends_no_session_of_another_project(bench):
    other = {"root": "/home/u/other", "remote": "git.example/team/other"}
    bench.push(
        envelope("session.start", 0, session="old"),
        envelope("session.start", 600, session="new", project=other),
    )
    bench.drain()
    assert [row["state"] for row in bench.rows("SELECT state FROM sessions")] == ["active", "active"]
    bench.push(envelope("session.start", 900, session="newer"))
    bench.drain()
    states = {
        row["agent_session"]: row["state"] for row in bench.rows("SELECT agent_session, state FROM sessions")
    }
    assert states == {"old": "ended", "new": "active", "newer": "active"}
