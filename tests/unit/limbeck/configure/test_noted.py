"""Changes that wait for the audit log: a line that makes no sense keeps none of the others back."""

from __future__ import annotations

import pytest

from limbeck.configure import noted
from limbeck.configure.noted import hand_over, note
from schema.database import Database


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "null",
        '{"id": "1", "at": "2026-01-01", "user": "a", "names": []}',
        '{"names": 5}',
        '{"id": "half of',
    ],
)
def test_a_line_that_makes_no_sense_keeps_nothing_back(tmp_path, monkeypatch, line):
    told = []
    monkeypatch.setattr(
        noted, "_put", lambda _database, client, found: told.append((client, found["names"])) or True
    )
    note(tmp_path, ["model"])
    with (tmp_path / "run" / "changes.jsonl").open("a") as file:
        file.write(f"{line}\n")
    note(tmp_path, ["inject", "daily_usd"])
    assert hand_over(tmp_path, Database("postgresql://nobody@127.0.0.1:1/none"), "local") == 2
    assert told == [("local", ["model"]), ("local", ["daily_usd", "inject"])]
    assert not (tmp_path / "run" / "changes.jsonl").exists()
