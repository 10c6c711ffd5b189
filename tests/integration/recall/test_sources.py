"""A session's rows become units; the same session again writes nothing; what is gone is taken out."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta

import pytest
from sqlalchemy import text

from recall.run import index_facts, index_session
from recall.search import recall
from schema.errors import NotFound

from .conftest import CLIENT, NOON


def insert(connection, table: str, **values) -> None:
    columns = ", ".join(values)
    places = ", ".join(
        f"CAST(:{c} AS jsonb)" if isinstance(v, (list, dict)) else f":{c}" for c, v in values.items()
    )
    plain = {c: json.dumps(v) if isinstance(v, (list, dict)) else v for c, v in values.items()}
    connection.execute(
        text(f"INSERT INTO {table} ({columns}) VALUES ({places})"), {"client": CLIENT, **plain}
    )


def ids() -> str:
    return str(uuid.uuid4())


@pytest.fixture
def session(tenants, project) -> str:
    """A session that chose Postgres: two exchanges, one call, one commit, a summary, an event and two facts."""
    number = ids()
    mirror = {
        "client": CLIENT,
        "project": project,
        "session": number,
        "received_at": NOON.now(NOON.tzinfo),
        "origin": "hook",
    }
    evidence = [
        {"kind": "commit", "id": ids(), "at": NOON.isoformat(), "session": number, "commit": "abc1234"}
    ]
    with tenants.tenant(CLIENT) as c:
        insert(
            c,
            "sessions",
            client=CLIENT,
            session=number,
            project=project,
            agent="claude",
            agent_session="s1",
            state="ended",
            origin="hook",
            started_at=NOON,
            last_at=NOON,
        )
        for minute, (role, words) in enumerate(
            [
                ("person", "Orders get lost under load, SQLite locks"),
                ("reply", "I moved the orders to Postgres"),
            ]
        ):
            insert(
                c,
                "exchanges",
                **mirror,
                id=ids(),
                event_id=ids(),
                at=NOON + timedelta(minutes=minute),
                agent="claude",
                role=role,
                text=words,
                chars=len(words),
            )
        c.execute(
            text("""
                INSERT INTO observations (client, project, session, received_at, origin, id, event_id, at, agent, tool,
                                          target, outcome, last_at, files)
                VALUES (:client, :project, :session, :received_at, :origin, :id, :event_id, :at, 'claude', 'Edit',
                        'src/orders/store.py', 'ok', :at, '{src/orders/store.py}')
            """),
            mirror | {"id": ids(), "event_id": ids(), "at": NOON},
        )
        insert(
            c,
            "commits",
            **mirror,
            id=ids(),
            event_id=ids(),
            at=NOON,
            sha="abc1234def",
            message="Use Postgres\n\nLocks.",
            files=[{"path": "src/orders/store.py", "added": 3, "deleted": 1}],
        )
        insert(
            c,
            "session_summaries",
            client=CLIENT,
            session=number,
            id=ids(),
            project=project,
            title="Postgres for orders",
            text="SQLite locked under load.",
            distiller="offline",
            started_at=NOON,
            at=NOON,
            evidence=evidence,
        )
        insert(
            c,
            "events",
            client=CLIENT,
            id=ids(),
            project=project,
            session=number,
            key="k",
            kind="decision",
            title="Use Postgres",
            text="Postgres was chosen over SQLite.",
            at=NOON,
            evidence=evidence,
        )
        for value, ends in (("SQLite", NOON), ("Postgres", None)):
            insert(
                c,
                "fact_versions",
                client=CLIENT,
                version=ids(),
                fact=ids(),
                project=project,
                subject="orders",
                attribute="database",
                cardinality="one",
                kind="stack",
                value=value,
                value_key=value.lower(),
                statement=f"The orders are stored in {value}.",
                standing="code",
                valid_from=NOON - timedelta(days=1 if ends else 0),
                valid_to=ends,
                session=number,
                evidence=evidence,
            )
    return number


def test_every_kind_of_unit_is_found_with_its_provenance(tenants, scope, session):
    index_session(tenants, CLIENT, session)
    answer = recall(tenants, scope, "where are the orders stored, which database?", limit=5)
    kinds = {hit.kind for hit in answer.hits}
    assert answer.hits[0].kind == "fact"
    assert answer.hits[0].text == "The orders are stored in Postgres."
    assert answer.hits[0].evidence[0].commit == "abc1234"
    assert all(hit.session == session for hit in answer.hits)
    assert len(answer.hits) == 3
    for kind in ("event", "summary", "commit", "turn", "session"):
        kinds |= {hit.kind for hit in recall(tenants, scope, "Postgres SQLite orders", kinds=[kind]).hits}
    assert kinds == {"fact", "event", "summary", "commit", "turn", "session"}


def test_a_superseded_fact_is_shown_only_when_asked_for(tenants, scope, session):
    index_session(tenants, CLIENT, session)

    def statements(query: str, **how) -> list[str]:
        return [hit.text for hit in recall(tenants, scope, query, kinds=["fact"], **how).hits]

    current, old = "The orders are stored in Postgres.", "The orders are stored in SQLite."
    assert statements("where are orders stored") == [current]
    assert set(statements("where are orders stored", history=True)) == {current, old}
    assert set(statements("where were the orders stored before?")) == {current, old}
    assert statements("where are orders stored", as_of=NOON - timedelta(hours=3)) == [old]


def test_indexing_again_writes_nothing(tenants, project, session):
    assert index_session(tenants, CLIENT, session) > 0
    assert index_session(tenants, CLIENT, session) == 0
    assert index_facts(tenants, CLIENT, project) == 0


def test_what_the_session_no_longer_has_is_taken_out(tenants, scope, session):
    index_session(tenants, CLIENT, session)
    with tenants.tenant(CLIENT) as connection:
        connection.execute(text("DELETE FROM events"))
    index_session(tenants, CLIENT, session)
    assert recall(tenants, scope, "Use Postgres", kinds=["event"]).nothing


def test_the_file_a_session_touched_finds_it(tenants, scope, session):
    index_session(tenants, CLIENT, session)
    answer = recall(tenants, scope, "what happened here", files=["src/orders/store.py"])
    assert answer.signals["files"] == "ran"
    assert {hit.session for hit in answer.hits} == {session}


def test_an_unknown_session_is_refused(tenants):
    with pytest.raises(NotFound):
        index_session(tenants, CLIENT, ids())
