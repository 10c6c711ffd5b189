"""A statement that fails with a secret among its values, of a form no rule knows: no log and no sentence has it."""

from __future__ import annotations

import logging
from io import StringIO

import pytest
from sqlalchemy import text

from schema.database import Database, owner
from schema.errors import LimbeckError
from schema.failures import places, told
from schema.logs import Quiet
from tests.words import plain_word

NOW = "2026-03-01T00:00:00Z"
# Each fails in its own way with :word among its values.
STATEMENTS = {
    "a value of the wrong form": "SELECT cast(:word AS uuid)",
    "a text that is no JSON": "SELECT cast(:word AS jsonb)",
    "a number that is none": "SELECT cast(:word AS integer)",
    "a key that is there": "INSERT INTO clients (client) VALUES (:word), (:word)",
    "a rule of the table": """
        INSERT INTO projects (client, project, name, remote) VALUES (:client, cast(:id AS uuid), NULL, :word)
    """,
    "a column that is not there": "SELECT :word AS x FROM projects WHERE nothing = :word",
    "a function that raises": "SELECT 1 / (length(:word) - length(:word))",
    "a value too large": "SELECT repeat(:word, 1000000000)",
}


@pytest.fixture
def logs():
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Quiet("%(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    root.setLevel(before)


@pytest.mark.parametrize("statement", list(STATEMENTS.values()), ids=list(STATEMENTS))
def test_the_secret_is_in_no_log(services, database, logs, statement):
    word = plain_word()
    values = {"word": word, "client": "acme", "id": "01990000-0000-7000-8000-000000000001"}
    log = logging.getLogger("limbeck.test")
    app = Database(database.app_url, pooled=False)
    try:
        with app.tenant("acme") as connection:
            connection.execute(text(statement), {k: v for k, v in values.items() if f":{k}" in statement})
    except Exception as error:
        failure = error
        log.exception("as it is")
        log.warning("in the line: %s", error)
        log.error("its places: %s", places(error))
        shown = str(error) if isinstance(error, LimbeckError) else told(error)
    else:
        pytest.fail("it did not fail")
    finally:
        app.close()
    with owner(database.owner_url) as engine:
        assert word not in repr(engine)
    assert type(failure).__name__ in logs.getvalue()
    assert word not in logs.getvalue()
    assert word not in shown
    assert word not in services.postgres.log.read_text(errors="replace")
