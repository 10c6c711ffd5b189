"""What was deleted is not found in the database's own files either."""

from __future__ import annotations

import psycopg

from limbeck import scrub
from schema.database import Database
from server.memory import bank
from tests.integration.server.memory.conftest import NOON


def files_with(folder, words: str) -> list[str]:
    """The files below ``folder`` that hold ``words``."""
    found = []
    for path in folder.rglob("*"):
        try:
            if path.is_file() and words.encode() in path.read_bytes():
                found.append(str(path.relative_to(folder)))
        except FileNotFoundError:
            continue  # the server removed it meanwhile
    return found


def test_no_file_of_the_database_holds_it(services, database):
    word = "quokkazanzibarov"
    tenants = Database(database.app_url, pooled=False)
    tenants.add_client("acme")
    owner = bank.Owner("acme", "alice")
    with tenants.tenant("acme", "alice") as connection:
        kept = bank.save(connection, owner, f"the {word} sleeps", [word], [bank.Context(word)], NOON)
    url = services.postgres.url(database=database.name)
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as admin:
        admin.execute("ANALYZE")
        admin.execute("CHECKPOINT")
    folder = services.postgres.data
    assert files_with(folder, word)
    with tenants.tenant("acme", "alice") as connection:
        assert bank.delete(connection, owner, kept.id)
    assert files_with(folder, word)
    assert scrub.database(url, ["memories", "memory_contexts", "search_units"]) == ""
    assert files_with(folder, word) == []
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as admin:
        assert admin.execute("SHOW wal_recycle").fetchone() == ("on",)
    tenants.close()


def test_who_does_not_own_the_database_is_told(database):
    assert scrub.database(database.app_url, ["memories"])


def test_a_queue_that_is_away_is_told(redis_url):
    assert scrub.queue("redis://127.0.0.1:1")
    assert scrub.queue(redis_url) == ""
