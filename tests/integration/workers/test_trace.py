"""From a fact to its evidence, session, prompt and commit, and back; also when retention took the evidence."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from capture.ids import new_id
from schema.churn import hotspots
from schema.errors import NotFound
from schema.retention import retain
from schema.scope import Scope
from schema.trace import trace
from workers.incoming import read
from workers.ingest import ingest

from .build import encoded, envelope, prompt, tool

OLD = datetime(2026, 1, 15, 12, tzinfo=UTC)
TABLES = ("exchanges", "observations", "commits", "messages", "code_observations")
SHA = "c0ffee" + "0" * 34
UNUSED = "01a00000-0000-7000-8000-000000000000"
FACT, VERSION, EVENT = new_id(), new_id(), new_id()


def follow(bench, identifier):
    with bench.database.tenant(bench.stream.client) as connection:
        return trace(connection, Scope(bench.stream.client), identifier)


def store(bench, *events, now=OLD):
    """Ingest as if the events had arrived at ``now``."""
    read_ = [read(f"{number}-{new_id()[-12:]}", line, now) for number, line in enumerate(encoded(*events))]
    with bench.database.tenant(bench.stream.client) as connection:
        ingest(connection, bench.stream.client, read_, now=now)


@pytest.fixture
def told(bench, owner_url):
    """A session of January with a prompt, a call and a commit, and a fact and an event that rest on them."""
    with psycopg.connect(owner_url.replace("+psycopg", ""), autocommit=True) as owner:
        for table in TABLES:
            owner.execute(
                f"CREATE TABLE {table}_2026_01 PARTITION OF {table} FOR VALUES FROM ('2026-01-01 00:00+00') "
                "TO ('2026-02-01 00:00+00')"
            )

    def at(second, made):
        return {**made, "at": int((OLD + timedelta(seconds=second)).timestamp() * 1000)}

    files = [{"path": "app/auth.py", "added": 3, "deleted": 1}]
    commit = {"sha": SHA, "message": "Log in with tokens\n\nmore", "files": files}
    store(
        bench,
        at(-60, prompt("an earlier one")),
        at(0, prompt("use tokens for the login")),
        at(5, tool(0, "c1", target="app/auth.py", shape=None)),
        at(9, envelope("commit", agent="git", session="s-1", body=commit)),
    )
    (call,) = bench.rows("SELECT id::text, session::text FROM observations")
    (row,) = bench.rows("SELECT id::text FROM commits")
    evidence = [
        {"kind": "observation", "id": call["id"], "at": OLD.isoformat(), "session": call["session"]},
        {"kind": "commit", "id": row["id"], "at": OLD.isoformat(), "session": call["session"], "commit": SHA},
    ]
    bench.rows(
        """
        INSERT INTO fact_versions (client, version, fact, project, subject, attribute, cardinality, kind, value,
                                   value_key, statement, standing, valid_from, session, evidence)
        SELECT :client, :version, :fact, project, 'login', 'way', 'one', 'general', 'tokens', 'tokens',
               'The login uses tokens', 'model', now(), session, cast(:evidence AS jsonb) FROM sessions RETURNING 1
        """,
        client=bench.stream.client, version=VERSION, fact=FACT, evidence=json.dumps(evidence),
    )  # fmt: skip
    bench.rows(
        """
        INSERT INTO events (client, id, project, session, key, kind, title, text, at, evidence)
        SELECT :client, :id, project, session, 'k', 'decision', 'Tokens', 'We use tokens', now(),
               cast(:evidence AS jsonb) FROM sessions RETURNING 1
        """,
        client=bench.stream.client, id=EVENT, evidence=json.dumps(evidence[1:]),
    )  # fmt: skip
    return call["id"], row["id"], call["session"]


def test_from_a_fact_to_what_it_rests_on(bench, told):
    call, commit, session = told
    for identifier in (FACT, VERSION):
        found = follow(bench, identifier)
        assert (found.what.kind, found.what.id, found.what.text) == ("fact", FACT, "The login uses tokens")
        assert [(node.kind, node.id) for node in found.because] == [("observation", call), ("commit", commit)]
        assert [node.id for node in found.sessions] == [session]
        assert [node.text for node in found.prompts] == ["person: use tokens for the login"]
        assert [(node.commit, node.link) for node in found.commits] == [(SHA, "environment")]


def test_the_first_characters_of_an_id_do_where_no_other_has_them(bench, told):
    shared = next(at for at in range(36) if FACT[at] != EVENT[at])
    assert follow(bench, FACT[: shared + 1]).what.id == FACT
    assert follow(bench, EVENT[: shared + 1]).what.id == EVENT
    for start in (FACT[:shared], FACT[:7], "0" * 8):
        with pytest.raises(NotFound):
            follow(bench, start)


def test_and_back_from_the_commit_the_call_and_the_session(bench, told):
    call, commit, session = told
    for identifier in (commit, SHA, SHA[:9]):
        found = follow(bench, identifier)
        assert (found.what.kind, found.what.id) == ("commit", commit)
        assert [node.text for node in found.prompts] == ["person: use tokens for the login"]
        assert {(node.kind, node.id) for node in found.led_to} == {("fact", FACT), ("decision", EVENT)}
    assert [node.id for node in follow(bench, call).led_to] == [FACT]
    for identifier in (session, "s-1"):
        found = follow(bench, identifier)
        assert (found.what.kind, [node.commit for node in found.commits]) == ("session", [SHA])
        assert [node.text for node in found.prompts] == [
            "person: an earlier one",
            "person: use tokens for the login",
        ]
        assert {node.id for node in found.led_to} == {FACT, EVENT}


def test_a_captured_event_leads_to_its_row(bench, told):
    (line,) = bench.rows("SELECT event_id::text, mirror::text FROM ledger WHERE kind = 'tool'")
    assert follow(bench, line["event_id"]).what.id == line["mirror"]


@pytest.mark.parametrize("identifier", ["", "c0ffe", "nothing", "%", UNUSED])
def test_what_is_unknown_is_said_to_be(bench, identifier):
    with pytest.raises(NotFound):
        follow(bench, identifier)


def test_another_client_sees_nothing(bench, told):
    bench.database.add_client("stranger")
    with bench.database.tenant("stranger") as connection, pytest.raises(NotFound):
        trace(connection, Scope("stranger"), FACT)


def test_retention_drops_what_was_distilled_and_says_so(bench, told, owner_url):
    call, commit, _ = told
    store(bench, prompt("of today"), now=datetime.now(UTC))
    before = bench.rows("SELECT disposition, events FROM ledger_counts")
    month = datetime(2026, 2, 1, tzinfo=UTC)
    kept = retain(owner_url, month)
    assert {one.why for one in kept if one.rows} == {"1 of its sessions are not distilled"}
    bench.rows("UPDATE sessions SET state = 'distilled' RETURNING 1")
    assert retain(owner_url, month - timedelta(seconds=1)) == []
    planned = retain(owner_url, month, dry_run=True)
    assert [one.why for one in planned] == [""] * len(planned)
    assert len(bench.rows("SELECT id FROM observations")) == 1
    began = datetime.now(UTC).date()
    gone = {one.name: one.rows for one in retain(owner_url, month)}
    assert gone["exchanges_2026_01"] == 2
    assert gone["observations_2026_01"] == gone["commits_2026_01"] == gone["code_observations_2026_01"] == 1
    assert bench.rows("SELECT text FROM exchanges") == [{"text": "of today"}]
    assert bench.rows("SELECT 1 FROM windows") == []
    assert bench.rows("SELECT disposition, events FROM ledger_counts") == before
    told_of = bench.rows("SELECT partition, mirror_rows FROM retentions WHERE mirror_rows > 0 ORDER BY 1")
    assert [row["partition"] for row in told_of] == [name for name in sorted(gone) if gone[name]]
    found = follow(bench, FACT)
    assert [(node.id, node.commit) for node in found.because] == [(call, None), (commit, SHA)]
    assert {began <= node.dropped_at.date() <= datetime.now(UTC).date() for node in found.because} == {True}
    assert retain(owner_url, month) == []


def test_a_replaced_commit_counts_once(bench):
    def commit(sha, path, added):
        body = {"sha": sha * 40, "message": "m", "files": [{"path": path, "added": added, "deleted": 0}]}
        return envelope("commit", agent="git", session=None, body=body)

    pairs = [["a" * 40, "b" * 40]]
    bench.push(commit("a", "x.py", 5), commit("b", "x.py", 6), commit("c", "x.py", 1), commit("d", "y.py", 9))
    bench.push(envelope("rewrite", agent="git", session=None, body={"how": "amend", "pairs": pairs}))
    bench.drain()
    with bench.database.tenant(bench.stream.client) as connection:
        rows = hotspots(connection, Scope(bench.stream.client))
    assert [(row["path"], row["commits"], row["added"]) for row in rows] == [("x.py", 2, 7), ("y.py", 1, 9)]
