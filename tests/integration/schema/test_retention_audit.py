"""Old lines of the audit log go by its owner's hand alone, and that they went stays known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from schema.database import Database
from schema.errors import Refused
from schema.ids import new_id
from schema.retention import retain_audit

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ADD = text("""
    INSERT INTO audit (client, id, at, user_name, via, operation, ids, outcome)
    VALUES (:client, :id, :at, 'alice', 'rest', 'pin_fact', '{}', 'done')
""")


@pytest.fixture
def kept(app_url):
    """Two clients with lines of the day before, of the moment itself, and of the day after."""
    database = Database(app_url)
    for client in ("alice", "bob"):
        database.add_client(client)
        with database.tenant(client) as connection:
            for days in (-1, 0, 1):
                line = {"client": client, "id": new_id(), "at": NOON + timedelta(days=days)}
                connection.execute(ADD, line)
    yield database
    database.close()


def times(database, client):
    with database.tenant(client) as connection:
        return list(connection.scalars(text("SELECT at FROM audit ORDER BY at")))


def records(database, client):
    with database.tenant(client) as connection:
        found = connection.execute(
            text("SELECT partition, received_from, received_to, mirror_rows FROM retentions")
        )
        return [tuple(row) for row in found]


def test_what_is_older_goes_for_every_client_and_is_recorded(kept, owner_url):
    assert retain_audit(owner_url, NOON) == 2
    day = timedelta(days=1)
    for client in ("alice", "bob"):
        assert times(kept, client) == [NOON, NOON + day]
        assert records(kept, client) == [("audit until 2026-03-02T12:00:00+00:00", NOON - day, NOON, 1)]
    assert retain_audit(owner_url, NOON) == 0


def test_a_dry_run_counts_and_changes_nothing(kept, owner_url):
    assert retain_audit(owner_url, NOON + timedelta(days=9), dry_run=True) == 6
    assert len(times(kept, "alice")) == 3
    assert records(kept, "alice") == []


def test_the_application_drops_no_line(kept, app_url):
    with pytest.raises(Refused, match="not the schema's owner"):
        retain_audit(app_url, NOON)
    assert len(times(kept, "bob")) == 3
