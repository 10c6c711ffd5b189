"""A secret that an older version let through is in no file of the home and of the servers after a purge."""

from __future__ import annotations

import json
import secrets

import psycopg

from .conftest import wait_until

PLANTED = (
    "UPDATE messages SET text = text || %(secret)s",
    "UPDATE memories SET content = content || %(secret)s",
    "UPDATE search_units SET lexemes = lexemes || lower(%(secret)s), text = text || %(secret)s",
    "UPDATE search_postings SET lexeme = lower(%(secret)s) WHERE lexeme = 'heron'",
)


def test_it_is_in_no_file(running):
    secret = "ghp_" + secrets.token_hex(18)
    url = running.home.postgres().url().replace("+psycopg", "")
    running.ok("add", "message", "The heron flies")
    running.ok("memory", "save", "The heron sleeps")
    with psycopg.connect(url, autocommit=True) as connection:
        wait_until(lambda: connection.execute("SELECT 1 FROM messages").fetchone(), running.logs)
        for statement in PLANTED:
            connection.execute(statement, {"secret": secret})
        connection.execute("ANALYZE")
        connection.execute("CHECKPOINT")
    with (running.home.logs / "worker.log").open("a") as log:
        log.write(f"an old line with {secret}\n")
    assert files_with(running.home, secret)
    told = json.loads(running.ok("purge", "--json"))
    assert told["cleaned"]["messages"] == 1
    assert told["logs"] >= 1
    assert told["not_reached"] == []
    assert files_with(running.home, secret) == []
    assert files_with(running.home, secret.lower()) == []
    assert "The heron sleeps" in running.ok("memory", "search", "heron")


def files_with(home, words: str) -> list[str]:
    """The files of the home and of the servers' state that hold ``words``."""
    found = []
    for folder in {home.path, home.state}:
        for path in folder.rglob("*"):
            try:
                if path.is_file() and words.encode() in path.read_bytes():
                    found.append(str(path))
            except OSError:
                continue  # a server removed it meanwhile
    return found
