"""What the settings keep no longer goes by itself, as the schema's owner; without a setting nothing does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from sqlalchemy import text

from schema.database import Database
from schema.errors import Refused
from schema.ids import new_id
from workers import sweep
from workers.app import create_app
from workers.runtime import Runtime
from workers.settings import WorkerSettings

NOW = datetime.now(UTC)
LINE = text("""
    INSERT INTO audit (client, id, at, user_name, via, operation, ids, outcome)
    VALUES ('acme', :id, :at, 'alice', 'rest', 'pin_fact', '{}', 'done')
""")


@pytest.fixture
def database_of(app_url):
    """Two old lines and a young one."""
    database = Database(app_url)
    database.add_client("acme")
    with database.tenant("acme") as connection:
        for days in (400, 100, 1):
            connection.execute(LINE, {"id": new_id(), "at": NOW - timedelta(days=days)})
    yield database
    database.close()


def lines(database) -> int:
    with database.tenant("acme") as connection:
        return connection.scalar(text("SELECT count(*) FROM audit"))


def runtime(app_url: str, owner_url: str | None, **days: int) -> Runtime:
    return Runtime(WorkerSettings(app_url, "redis://127.0.0.1:1", owner_url=owner_url, **days))


def test_nothing_goes_without_a_setting(database_of, app_url, owner_url):
    assert sweep.retained(runtime(app_url, owner_url), NOW) == []
    assert lines(database_of) == 3


def test_old_lines_go_once(database_of, app_url, owner_url):
    told = runtime(app_url, owner_url, retain_audit_days=90)
    assert sweep.retained(told, NOW) == ["audit: 2 lines dropped"]
    assert lines(database_of) == 1
    assert sweep.retained(told, NOW) == []


def test_old_evidence_goes_in_whole_months(database_of, app_url, owner_url):
    name = "exchanges_2024_01"
    with psycopg.connect(owner_url.replace("+psycopg", ""), autocommit=True) as owner:
        owner.execute(
            f"CREATE TABLE {name} PARTITION OF exchanges FOR VALUES FROM ('2024-01-01 00:00+00') "
            "TO ('2024-02-01 00:00+00')"
        )
    young = runtime(app_url, owner_url, retain_days=(NOW - datetime(2024, 1, 20, tzinfo=UTC)).days)
    assert sweep.retained(young, NOW) == []
    assert sweep.retained(runtime(app_url, owner_url, retain_days=60), NOW) == [f"{name}: 0 rows dropped"]
    assert lines(database_of) == 3


def test_an_account_that_is_not_the_owner_is_refused_with_a_sentence(database_of, app_url, owner_url):
    with psycopg.connect(owner_url.replace("+psycopg", ""), autocommit=True) as owner:
        owner.execute(
            "CREATE TABLE messages_2024_01 PARTITION OF messages FOR VALUES FROM ('2024-01-01 00:00+00') "
            "TO ('2024-02-01 00:00+00')"
        )
    for days in ({"retain_days": 60}, {"retain_audit_days": 90}):
        with pytest.raises(Refused, match="not the schema's owner; give LIMBECK_DATABASE_OWNER_URL"):
            sweep.retained(runtime(app_url, app_url, **days), NOW)
    assert lines(database_of) == 3


def test_it_is_looked_at_once_a_day(app_url):
    app = create_app(WorkerSettings(app_url, "redis://127.0.0.1:1"))
    assert app.conf.beat_schedule["retain"] == {"task": "sweep.retain", "schedule": 86_400.0}
