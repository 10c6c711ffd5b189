"""A bundle is made anew once for many changes, for those who have one, and it is told."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

from sqlalchemy import text

from capture.queue import bundles_key
from projection.okf.generation import generate
from workers import publish

NOW = datetime(2026, 12, 1, tzinfo=UTC)
ITEM = "INSERT INTO items (client, id, project, type, serial, title) VALUES (:c, gen_random_uuid(), :p, 'US', :n, 'x')"


def test_once_for_many_changes_and_only_where_somebody_has_a_bundle(bench):
    client, redis = bench.stream.client, bench.stream.redis
    runtime = SimpleNamespace(database=bench.database, redis=redis)
    project = "01a22bf4-0000-7000-8000-000000000003"

    def change(number):
        with bench.database.tenant(client) as connection:
            connection.execute(text(ITEM), {"c": client, "p": project, "n": number})

    def due():
        with bench.database.tenant(client) as connection:
            return publish.marked(connection, client)

    with bench.database.tenant(client) as connection:
        connection.execute(
            text("INSERT INTO projects (client, project, name) VALUES (:c, :p, 'shop')"),
            {"c": client, "p": project},
        )
    change(1001)
    assert due() == []
    assert generate(bench.database, client, project, NOW).number == 1
    assert redis.get(bundles_key(client)) is None
    for number in (1002, 1003, 1004):
        change(number)
    assert due() == [project]
    assert publish.bundle(runtime, client, project, NOW) is True
    assert publish.bundle(runtime, client, project, NOW) is False
    assert due() == []
    assert int(redis.get(bundles_key(client))) == 1
    assert generate(bench.database, client, project, NOW).number == 2
    assert publish.bundle(runtime, client, "01a22bf4-0000-7000-8000-00000000ffff", NOW) is False
    redis.delete(bundles_key(client))
