"""What a session begins with, from a real memory."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from limbeck.bench.facts_script import START
from schema.database import Database
from server.errors import BadInput

from .conftest import World


@pytest.fixture
def shop(database, alice):
    opened = Database(database.app_url)
    opened.add_client("local")
    world = World(opened)
    world.tell(
        "shop",
        "s-1",
        [
            "P: The cache is Redis.",
            "P: Always run ruff before you commit.",
            "R: MARKER-7 is only what was said.",
        ],
    )
    world.tell("shop", "s-2", ["P: We use Postgres for the database."], start=START.replace(month=4))
    yield world
    opened.close()


def told(world, alice, **how):
    return [
        line for line in world.ask(alice, "bootstrap_session", **how).fenced.splitlines() if line[:1] == "-"
    ]


def test_what_persons_agreed_on_stands_first_then_the_newest(shop, alice):
    assert [line.partition(" [")[0] for line in told(shop, alice)][:3] == [
        "- Always run ruff before you commit.",
        "- Database: Postgres.",
        "- The cache is Redis.",
    ]
    fact = shop.ask(alice, "list_facts", subject="cache").facts[0]
    shop.ask(alice, "pin_fact", id=fact.id)
    assert told(shop, alice)[0].startswith("- The cache is Redis.")


def test_facts_from_the_files_asked_about_stand_first(shop, alice):
    with shop.database.tenant("local") as connection:
        copied = """
            INSERT INTO fact_versions SELECT client, gen_random_uuid(), gen_random_uuid(), project, 'parser', attribute,
                scope, cardinality, 'general', 'LL', 'll', 'The parser is hand-written.', standing, valid_from, NULL,
                now(), NULL, NULL, '', false, session, '[]', ARRAY['src/parse/read.py']
            FROM fact_versions WHERE subject = 'cache' AND retired_at IS NULL
        """
        connection.execute(text(copied))
    assert not told(shop, alice)[0].startswith("- The parser")
    for asked in ("src/parse/read.py", "src/parse", "src/"):
        assert told(shop, alice, files=[asked])[0].startswith("- The parser is hand-written.")


def test_freshness_and_origin_are_shown_and_nothing_of_the_mirror(shop, alice):
    fact = shop.ask(alice, "list_facts", subject="database").facts[0]
    with shop.database.tenant("local") as connection:
        connection.execute(
            text("""
                INSERT INTO fact_checks (client, fact, project, freshness)
                SELECT client, fact, project, 'stale' FROM fact_versions WHERE fact = :fact AND retired_at IS NULL
            """),
            {"fact": fact.id},
        )
    (line,) = [line for line in told(shop, alice) if "Postgres" in line and "known from" in line]
    assert line.endswith("[stack, known from person, since 2026-04-02, stale]")
    brief = shop.ask(alice, "bootstrap_session")
    assert "MARKER-7" not in brief.fenced
    assert "Asked:" not in brief.fenced
    assert brief.tokens < 1000


def test_the_same_memory_gives_the_same_bytes(shop, alice):
    one, two = (shop.ask(alice, "bootstrap_session") for _ in range(2))
    assert one == two
    shop.ask(alice, "record_event", kind="question", title="Do carts expire?")
    assert shop.ask(alice, "bootstrap_session").brief != one.brief


def test_an_empty_project_has_an_empty_brief_and_none_must_be_named(shop, alice):
    shop.tell("empty", "e-1", [], distil=False)
    brief = shop.ask(alice, "bootstrap_session", project="empty")
    assert (brief.fenced, brief.brief, brief.refs, brief.tokens) == ("", "", [], 0)
    with pytest.raises(BadInput, match="name one"):
        shop.ask(alice, "bootstrap_session")
