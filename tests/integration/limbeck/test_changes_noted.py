"""A change of the settings by a command is in the audit log once, with the names alone, also where it came late."""

from __future__ import annotations

import json

import pytest

from limbeck.configure.noted import hand_over, hand_over_now, note
from limbeck.main import main
from schema.database import Database

UNREACHABLE = "postgresql+psycopg://nobody@127.0.0.1:1/none"


@pytest.fixture
def database(app_url):
    opened = Database(app_url, pooled=False)
    opened.add_client("local")
    yield opened
    opened.close()


def rows(database: Database) -> list[tuple[str, str, list[str], str]]:
    with database.everyone("local") as connection:
        found = connection.exec_driver_sql("SELECT via, operation, ids, outcome FROM audit ORDER BY at")
        return [tuple(row) for row in found]


def test_a_command_leaves_its_line_where_the_database_answers(
    database, app_url, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    monkeypatch.setenv("LIMBECK_DATABASE_URL", app_url)
    with pytest.raises(SystemExit):
        main(["config", "set", "daily_usd", "2", "--json"])
    assert json.loads(capsys.readouterr().out)["noted"] is True
    assert rows(database) == [("command", "change_settings", ["daily_usd"], "done")]
    assert not (tmp_path / "run" / "changes.jsonl").exists()


def test_what_could_not_be_told_is_told_later_in_order_and_once(database, app_url, tmp_path):
    kept = tmp_path / "run" / "changes.jsonl"
    note(tmp_path, ["model"])
    assert hand_over_now(tmp_path, UNREACHABLE, "local") is False
    assert hand_over(tmp_path, database, "unknown") == 0
    note(tmp_path, ["inject", "daily_usd"])
    told = kept.read_text()
    kept.write_text(told + '{"id": "half of')
    assert hand_over(tmp_path, database, "local") == 2
    kept.write_text(told)  # as one that was killed between the row and its word left it
    assert hand_over_now(tmp_path, app_url, "local") is True
    assert [ids for _, _, ids, _ in rows(database)] == [["model"], ["daily_usd", "inject"]]
    assert not kept.exists()
