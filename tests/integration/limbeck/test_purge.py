"""A secret that an older version stored is found in every place it reached, and removed."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from limbeck.demo.search import tables_with
from limbeck.purge import purge
from projection.documents import store
from projection.documents.formats import from_text
from recall.embedding.minilm import MODEL
from recall.run import index_session
from recall.search import recall
from schema.database import Database
from schema.scope import Scope
from server.memory.reindex import index_all

SESSION = "01a22bf4-0000-7000-8000-000000000001"
PROJECT = "01a22bf4-0000-7000-8000-000000000002"


def token() -> str:
    return "gh" + "p_" + "".join(random.SystemRandom().choices(string.ascii_letters + string.digits, k=36))


@pytest.fixture
def planted(app_url: str) -> Iterator[tuple[Database, str]]:
    """A database with one token in a prompt, an observation, an event, a fact and the index."""
    database, secret = Database(app_url), token()
    database.add_client("local")
    with database.tenant("local") as connection:
        for statement in STATEMENTS:
            connection.execute(text(statement), {"session": SESSION, "project": PROJECT, "secret": secret})
    index_session(database, "local", SESSION)
    yield database, secret
    database.close()


STATEMENTS = (
    "INSERT INTO projects (client, project, name) VALUES ('local', :project, 'shop')",
    """INSERT INTO sessions (client, session, project, agent, agent_session, state, origin, started_at, last_at)
       VALUES ('local', :session, :project, 'claude', 's', 'distilled', 'hook', now(), now())""",
    """INSERT INTO exchanges (client, id, received_at, project, session, event_id, origin, at, agent, role, text, chars)
       VALUES ('local', gen_random_uuid(), now(), :project, :session, gen_random_uuid(), 'hook', now(), 'claude',
               'person', 'deploy with ' || :secret || ' today', 60)""",
    """INSERT INTO observations (client, id, received_at, project, session, event_id, origin, at, agent, tool, target,
                                 outcome, files, last_at)
       VALUES ('local', gen_random_uuid(), now(), :project, :session, gen_random_uuid(), 'hook', now(), 'claude',
               'Edit', 'app.py', 'ok', ARRAY['keys/' || :secret], now())""",
    """INSERT INTO events (client, id, project, session, key, kind, title, text, at, evidence)
       VALUES ('local', gen_random_uuid(), :project, :session, 'k', 'decision', 'deploys', 'use ' || :secret, now(),
               jsonb_build_array(jsonb_build_object('kind', 'exchange', 'id', 'x', 'at', now(),
                                                    'note', :secret ::text)))""",
    """INSERT INTO fact_versions (client, version, fact, project, subject, attribute, cardinality, kind, value,
                                  value_key, statement, standing, valid_from, session)
       VALUES ('local', gen_random_uuid(), gen_random_uuid(), :project, 'deploy', 'token', 'one', 'general', :secret,
               :secret, 'Deploys use ' || :secret, 'person', now(), :session)""",
)

SESSION_NAMED = text("""
    INSERT INTO sessions (client, session, project, agent, agent_session, state, origin, started_at, last_at)
    VALUES ('local', gen_random_uuid(), :project, 'claude', :name, 'distilled', 'hook', now(), now())
""")


def test_it_is_gone_from_rows_index_and_history(planted, owner_url):
    database, secret = planted
    reached = set(tables_with(secret, owner_url))
    assert {"exchanges", "observations", "events", "fact_versions", "search_units"} <= reached
    counted = purge(owner_url, database, "local", dry_run=True)
    assert set(tables_with(secret, owner_url)) == reached
    assert counted.cleaned["exchanges"] == 1
    heard = []
    done = purge(owner_url, database, "local", progress=lambda name, rows: heard.append((name, rows)))
    assert ("exchanges", 1) in heard
    assert heard[-1] == ("making the index anew, 1 of 2", 0)
    assert list(tables_with(secret, owner_url)) == []
    assert list(tables_with(secret.lower(), owner_url)) == []
    assert done.cleaned == counted.cleaned
    assert done.secrets.total() >= 6
    with database.tenant("local") as connection:
        assert connection.scalar(text("SELECT text FROM exchanges")).startswith("deploy with [REDACTED:")
        assert connection.scalar(text("SELECT count(*) FROM search_units")) >= 3
    again = purge(owner_url, database, "local")
    assert +again.cleaned == {}


def test_two_names_that_were_told_apart_by_their_secrets_alone_both_stay(planted, owner_url):
    database, _ = planted
    names = [f"docs/{token()}.md" for _ in range(3)]
    with database.tenant("local") as connection:
        for name in names:
            document = from_text("a.md", f"# {len(name)}\n\nwords")
            store.save(connection, "local", PROJECT, "plain.md", document, by="anna", now=datetime.now(UTC))
            connection.execute(
                text("UPDATE documents SET name = :name WHERE name = 'plain.md'"), {"name": name}
            )
            connection.execute(SESSION_NAMED, {"project": PROJECT, "name": name})
    purge(owner_url, database, "local")
    assert [list(tables_with(name[5:-3], owner_url)) for name in names] == [[], [], []]
    with database.tenant("local") as connection:
        for column, table in (("name", "documents"), ("agent_session", "sessions")):
            kept = connection.scalars(
                text(f"SELECT {column} FROM {table} WHERE {column} LIKE 'docs/%'")
            ).all()
            assert len(set(kept)) == 3
            assert all(one.startswith("docs/[REDACTED:github-token].md") for one in kept)
        assert connection.scalar(text("SELECT count(*) FROM document_versions")) == 3
    assert +purge(owner_url, database, "local").cleaned == {}


def test_another_clients_rows_are_left(planted, owner_url):
    database, secret = planted
    database.add_client("other")
    purge(owner_url, database, "other")
    assert "exchanges" in set(tables_with(secret, owner_url))


def test_an_interrupted_purge_is_finished_by_the_next(planted, owner_url, monkeypatch):
    database, secret = planted
    whole = units(database)

    def killed(*_arguments, **_options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("recall.again.index_session", killed)
        with pytest.raises(KeyboardInterrupt):
            purge(owner_url, database, "local")
    assert units(database) < whole
    again = purge(owner_url, database, "local")
    assert +again.cleaned == {}
    assert again.reindexed > 0
    assert units(database) == whole
    assert list(tables_with(secret, owner_url)) == []
    assert purge(owner_url, database, "local").reindexed == 0


def units(database):
    with database.tenant("local") as connection:
        return connection.scalar(text("SELECT count(*) FROM search_units"))


def test_what_a_person_saved_is_cleaned_and_still_found(planted, owner_url):
    database, secret = planted
    with database.tenant("local", "alice") as connection:
        connection.execute(
            text("""INSERT INTO memories (client, id, owner, content, source, scope, created_at, updated_at)
                    VALUES ('local', gen_random_uuid(), 'alice', 'the kestrel key is ' || :secret, 'chat', 'user',
                            now(), now())"""),
            {"secret": secret},
        )
    index_all(database, "local")
    assert {"memories", "search_units"} <= set(tables_with(secret, owner_url))
    purge(owner_url, database, "local")
    assert list(tables_with(secret, owner_url)) == []
    found = recall(database, Scope("local", None, "alice"), "kestrel key")
    assert "[REDACTED:" in found.hits[0].text
    assert recall(database, Scope("local", None, "bob"), "kestrel key").nothing


ORDINARY = (
    "INSERT INTO projects (client, project, name) VALUES ('local', :project, 'shop')",
    """INSERT INTO sessions (client, session, project, agent, agent_session, state, origin, started_at, last_at)
       VALUES ('local', :session, :project, 'claude', 's', 'distilled', 'hook', now(), now())""",
    """INSERT INTO exchanges (client, id, received_at, project, session, event_id, origin, at, agent, role, text, chars)
       VALUES ('local', gen_random_uuid(), now(), :project, :session, gen_random_uuid(), 'hook', now(), 'claude',
               'person', 'Look at commit d670460b4b4aece5915caf5c68d12f560a9fe3e4 and src/ledger/HttpClientFactory.py',
               80)""",
    """INSERT INTO commits (client, id, received_at, project, session, event_id, origin, at, sha, message, branch,
                            files)
       VALUES ('local', gen_random_uuid(), now(), :project, :session, gen_random_uuid(), 'hook', now(),
               'd670460b4b4aece5915caf5c68d12f560a9fe3e4', 'Number invoices per year', 'main',
               '[{"path": "src/ledger/InvoiceNumbering.py", "added": 3, "deleted": 1}]')""",
)


def test_an_ordinary_day_holds_no_secret(app_url, owner_url):
    database = Database(app_url)
    database.add_client("local")
    with database.tenant("local") as connection:
        for statement in ORDINARY:
            connection.execute(text(statement), {"session": SESSION, "project": PROJECT})
    index_session(database, "local", SESSION)
    with database.tenant("local") as connection:
        connection.execute(text("UPDATE search_units SET model = :model"), {"model": MODEL})
    counted = purge(owner_url, database, "local", dry_run=True)
    database.close()
    assert counted.scanned["search_units"] >= 3
    assert +counted.cleaned == {}
    assert +counted.secrets == {}
