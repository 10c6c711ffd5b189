"""What the running parts say of a row that the database refuses: never what was in it."""

from __future__ import annotations

import psycopg

from limbeck.services.postgres import OWNER
from tests.words import plain_word

from .conftest import wait_until

GUARD = "ALTER TABLE {table} ADD CONSTRAINT planted CHECK (strpos({column}, 'heron') = 0)"


def test_a_refused_row_is_in_no_log_and_no_sentence(running):
    """A worker, the server and a command each meet it; the words have the form of no secret."""
    word = plain_word()
    url = running.home.postgres().url(OWNER).replace("+psycopg", "")
    with psycopg.connect(url, autocommit=True) as connection:
        for table, column in (("messages", "text"), ("memories", "content"), ("items", "title")):
            connection.execute(GUARD.format(table=table, column=column))
    said = [
        *running("add", "message", f"The {word} flies"),
        *running("memory", "save", f"The {word} flies"),
        *running("call", "postMemory", f"content=The {word} flies"),
        *running("call", "get_item_by_number", f"number={word}"),
        *running("items", "new", "TA", f"The {word} flies", "--project", word),
    ]
    wait_until(lambda: "entry" in (running.home.logs / "worker.log").read_text(), running.logs)
    said += [
        *running("quarantine", "list"),
        *running("status"),
        *running("status", "--json"),
        *running("doctor"),
    ]
    with psycopg.connect(url, autocommit=True) as connection:
        for table in ("messages", "memories", "items"):
            connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT planted")
    # What a person typed may be said back to them where it is the name of something; a row's text never.
    assert f"The {word}" not in " ".join(map(str, said))
    files = [*running.home.logs.iterdir(), *running.home.run.glob("*.json")]
    assert files
    assert [path.name for path in files if word.encode() in path.read_bytes()] == []
