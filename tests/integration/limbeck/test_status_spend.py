"""What `limbeck status` says of the model's cost."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from limbeck.commands.status import _spend
from limbeck.services.home import Home
from limbeck.settings import Settings
from schema.database import Database


@pytest.mark.parametrize(("microusd", "reached"), [(0, False), (499_999, False), (500_000, True)])
def test_today_against_the_cap(app_url: str, tmp_path: Path, microusd: int, reached: bool):
    database = Database(app_url)
    database.add_client("local")
    with database.tenant("local") as connection:
        connection.execute(
            text("INSERT INTO spend_totals (client, scope, microusd) VALUES ('local', :scope, :microusd)"),
            {"scope": f"day:{datetime.now(UTC).date()}", "microusd": microusd},
        )
    database.close()
    settings = Settings(home=tmp_path, database_url=app_url, daily_usd=0.5, at_cap="wait")
    told = _spend(settings, Home(tmp_path))
    assert told == {"today_usd": microusd / 1e6, "cap_usd": 0.5, "reached": reached, "at_cap": "wait"}
