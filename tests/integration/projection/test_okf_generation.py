"""From rows to a bundle: its generation, its marks, what never gets into it, and back into an empty project."""

from __future__ import annotations

import json
import secrets
from datetime import timedelta

import pytest
from sqlalchemy import text

from distill import changes
from distill.errors import ProjectHasFacts
from distill.store.adopt import Checked, adopt
from distill.store.facts import view
from projection.okf import lifecycle
from projection.okf.check import check
from projection.okf.clean import clean_facts
from projection.okf.generation import current, generate, marked
from projection.okf.load import load
from schema.errors import NotFound

from .conftest import CLIENT, NOON

LATER = NOON + timedelta(days=1)


def made(tenants, project, now=LATER):
    return generate(tenants, CLIENT, project, now)


def test_a_bundle_of_rows_conforms_and_is_counted_once_for_one_content(
    tenants, project, add_fact, add_session
):
    add_fact("database", "Postgres", session=add_session())
    first = made(tenants, project)
    assert check(first.files | {"manifest.json": first.manifest}) == []
    assert (first.number, first.is_new) == (1, True)
    again = made(tenants, project, LATER + timedelta(hours=1))
    assert (again.number, again.is_new) == (1, False)
    assert again.files == first.files
    assert again.manifest == first.manifest
    add_fact("queue", "Valkey")
    third = made(tenants, project, LATER + timedelta(hours=2))
    assert (third.number, third.is_new) == (2, True)


def test_every_kind_of_change_leaves_a_mark_and_many_are_one_generation(
    tenants, project, add_fact, add_session
):
    def due():
        with tenants.tenant(CLIENT) as connection:
            return marked(connection, CLIENT), current(connection, CLIENT, project)

    assert made(tenants, project).number == 1
    assert due() == ([], 1)
    fact = add_fact("database", "Postgres")
    add_fact("queue", "Valkey")
    add_session()
    assert due() == ([project], None)
    assert made(tenants, project).number == 2
    statements = [
        "INSERT INTO fact_checks (client, fact, project, freshness) VALUES (:c, :f, :p, 'fresh')",
        """
        INSERT INTO items (client, id, project, type, serial, title)
        VALUES (:c, gen_random_uuid(), :p, 'US', 1001, 'Sign in')
        """,
        """
        INSERT INTO work_log (client, id, project, item, at, by, origin, outcome)
        SELECT client, gen_random_uuid(), project, id, now(), 'ada', 'person', 'done' FROM items
        """,
        "DELETE FROM events",
        "DELETE FROM session_summaries",
    ]
    for number, statement in enumerate(statements, 3):
        with tenants.tenant(CLIENT) as connection:
            connection.execute(text(statement), {"c": CLIENT, "f": fact.id, "p": project})
        assert due() == ([project], None), statement
        assert made(tenants, project).number == number, statement
        assert due() == ([], number), statement


def test_a_change_during_the_read_keeps_its_mark(tenants, project, add_fact, monkeypatch):
    from projection.okf import generation

    def load_while_another_writes(*given):
        state = load(*given)
        add_fact("queue", "Valkey")
        return state

    monkeypatch.setattr(generation, "load", load_while_another_writes)
    made(tenants, project)
    with tenants.tenant(CLIENT) as connection:
        assert marked(connection, CLIENT) == [project]


@pytest.mark.parametrize("known_before", [False, True])
def test_a_slower_run_does_not_make_an_older_bundle_current(
    tenants, project, add_fact, monkeypatch, known_before
):
    from projection.okf import generation

    if known_before:
        made(tenants, project)
    add_fact("database", "Postgres")
    overtaken: list[int] = []

    def load_and_be_overtaken(*given):
        state = load(*given)
        if not overtaken:
            overtaken.append(0)
            add_fact("queue", "Valkey")
            overtaken[0] = made(tenants, project).number
        return state

    monkeypatch.setattr(generation, "load", load_and_be_overtaken)
    slower = made(tenants, project)
    assert slower.number == overtaken[0]
    assert any(b"Valkey" in content for content in slower.files.values())
    assert not slower.is_new
    assert made(tenants, project).number == slower.number


def test_marks_of_a_project_that_is_gone_are_dropped(tenants, new_project):
    project = new_project()
    with tenants.tenant(CLIENT) as connection:
        connection.execute(
            text("INSERT INTO bundle_marks (client, project) VALUES (:c, :p)"), {"c": CLIENT, "p": project}
        )
        connection.execute(text("DELETE FROM projects"))
        assert marked(connection, CLIENT) == []
        assert connection.scalar(text("SELECT count(*) FROM bundle_marks")) == 0


def test_another_clients_project_is_not_there(tenants, project):
    with pytest.raises(NotFound):
        generate(tenants, "stranger", project, LATER)


def test_no_raw_prompt_and_no_secret_reaches_a_bundle(tenants, project, add_fact, add_session):
    """A marker in the mirror, and secrets planted in every text of the memory behind the nets' back."""
    session = add_session()
    key = "gh" + "p_" + secrets.token_hex(18)
    words = f"deploy with token {key} please"
    add_fact(
        "deploy " + key, key, statement=words, reason=words, session=session, files=(f"config/{key}.env",)
    )
    with tenants.tenant(CLIENT) as connection:
        values = {"c": CLIENT, "p": project, "s": session, "w": words}
        connection.execute(
            text("""
                INSERT INTO exchanges (client, id, received_at, project, session, event_id, origin, at, agent, role,
                                       text, chars, cut)
                VALUES (:c, gen_random_uuid(), now(), :p, :s, gen_random_uuid(), 'hook', now(), 'claude', 'person',
                        'RAW-PROMPT-MARKER', 17, false)
            """),
            values,
        )
        connection.execute(text("UPDATE session_summaries SET title = :w, text = :w"), values)
        connection.execute(text("UPDATE events SET title = :w, text = :w, files = ARRAY[:w]"), values)
        connection.execute(text("UPDATE projects SET name = :w"), values)
        connection.execute(
            text("""
                INSERT INTO items (client, id, project, type, serial, title, text)
                VALUES (:c, gen_random_uuid(), :p, 'US', 1001, :w, :w)
            """),
            values,
        )
        connection.execute(
            text("""
                INSERT INTO work_log (client, id, project, item, at, by, origin, outcome, tests, review)
                SELECT client, gen_random_uuid(), project, id, now(), :w, 'person', :w, :w, :w FROM items
            """),
            values,
        )
    asked = add_session(
        "RAW-PROMPT-MARKER please", "Asked: RAW-PROMPT-MARKER please.\nChanged: store.py.", hours=1
    )
    with tenants.tenant(CLIENT) as connection:
        connection.execute(text("DELETE FROM events WHERE session = :s"), {"s": asked})
    bundle = made(tenants, project)
    whole = b"".join([*bundle.files.values(), bundle.manifest, *(path.encode() for path in bundle.files)])
    assert key.encode() not in whole
    assert key[8:30].encode() not in whole
    assert b"RAW-PROMPT-MARKER" not in whole
    assert b"deploy" in whole
    assert b"Session of 2026-03-02" in whole
    assert b"Changed: store.py." in whole


def in_project(tenants, project):
    with tenants.tenant(CLIENT) as connection:
        state = load(connection, CLIENT, project)
    return state.versions, state.checks


def exported(bundle):
    found = [
        lifecycle.read(path, content.decode())
        for path, content in sorted(bundle.files.items())
        if path.endswith(".jsonl")
    ]
    return [v for versions, _ in found for v in versions], [c for _, checks in found for c in checks]


def take_over(tenants, project, versions, checks):
    told = [Checked(one.fact, one.freshness, one.sha, one.at) for one in checks]
    with tenants.tenant(CLIENT) as connection:
        return adopt(connection, CLIENT, project, clean_facts(versions), told)


@pytest.fixture
def lived(tenants, project, add_fact):
    """Facts in every state: superseded, retired, restored, pinned, edited, checked."""
    old = add_fact("database", "MySQL")
    new = add_fact("queue", "Valkey", hours=1)
    pinned = add_fact("language", "Python", hours=2)
    edited = add_fact("style", "ruff", hours=3)
    with tenants.tenant(CLIENT) as connection:
        changes.retire(connection, CLIENT, old.id, "ada", "moved on", NOON + timedelta(hours=5))
        changes.pin(connection, CLIENT, pinned.id, True, NOON + timedelta(hours=6))
        changes.edit(
            connection,
            CLIENT,
            edited.id,
            "ada",
            NOON + timedelta(hours=7),
            statement="Ruff formats: 'all'\n---",
            value="",
        )
        changes.retire(connection, CLIENT, new.id, "ada", "", NOON + timedelta(hours=8))
        changes.restore(connection, CLIENT, new.id, "ada", NOON + timedelta(hours=9))
        connection.execute(
            text("""
                INSERT INTO fact_checks (client, fact, project, freshness, sha, checked_at)
                VALUES (:c, :f, :p, 'stale', :sha, :at)
            """),
            {"c": CLIENT, "f": new.id, "p": project, "sha": "d" * 40, "at": NOON},
        )
    return project


def test_export_then_import_gives_the_same_facts_with_the_same_states(tenants, lived, new_project, services):
    """Into an empty project of another database: not a version, a time or an id differs."""
    from schema.database import Database

    bundle = made(tenants, lived)
    versions, checks = exported(bundle)
    assert (tuple(versions), tuple(checks)) == in_project(tenants, lived)
    with services.fresh_database() as fresh:
        other = Database(fresh.app_url)
        other.add_client(CLIENT)
        with other.tenant(CLIENT) as connection:
            connection.execute(
                text("INSERT INTO projects (client, project, name) VALUES (:c, :p, 'shop')"),
                {"c": CLIENT, "p": lived},
            )
        assert take_over(other, lived, versions, checks) == len(versions)
        assert in_project(other, lived) == in_project(tenants, lived)
        assert generate(other, CLIENT, lived, LATER).files == bundle.files
        other.close()


def test_import_beside_the_project_it_came_from_gives_new_ids_and_the_same_lives(tenants, lived, new_project):
    versions, checks = exported(made(tenants, lived))
    copy = new_project("copy")
    take_over(tenants, copy, versions, checks)

    def lives(project):
        with tenants.tenant(CLIENT) as connection:
            believed = view(connection, CLIENT, project, history=True)
        return [
            (f.slot, f.value, f.statement, f.valid_from, f.valid_to, f.pinned, f.reason) for f in believed
        ]

    assert lives(copy) == lives(lived)
    assert not {v.version for v in in_project(tenants, copy)[0]} & {v.version for v in versions}
    with pytest.raises(ProjectHasFacts):
        take_over(tenants, copy, versions, checks)


def test_the_manifest_lists_every_file_with_its_size(tenants, lived):
    bundle = made(tenants, lived)
    told = json.loads(bundle.manifest)
    assert {one["path"]: one["bytes"] for one in told["files"]} == {
        p: len(c) for p, c in bundle.files.items()
    }
    assert told["project"] == "shop"
