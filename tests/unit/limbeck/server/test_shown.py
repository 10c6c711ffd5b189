"""Settings as people may see them: with their source, without a secret."""

from __future__ import annotations

import secrets
from pathlib import Path

from limbeck.server.shown import shown
from limbeck.settings import load


def told(home: Path, **variables: str) -> dict[str, dict]:
    return {one["name"]: one for one in shown(load({"LIMBECK_HOME": str(home), **variables}))}


def test_each_value_tells_where_it_was_set(tmp_path):
    (tmp_path / "config.toml").write_text('daily_usd = 2.5\nignore_paths = ["a/*", "b"]\n')
    found = told(tmp_path, LIMBECK_MODEL="m-1")
    assert (found["daily_usd"]["value"], found["daily_usd"]["source"]) == ("2.5", "config.toml")
    assert (found["model"]["value"], found["model"]["source"]) == ("m-1", "LIMBECK_MODEL")
    assert (found["session_usd"]["value"], found["session_usd"]["source"]) == ("0.25", "default")
    assert found["ignore_paths"]["value"] == "a/*\nb"


def test_no_secret_is_told_only_that_there_is_one(tmp_path):
    secret, password = secrets.token_hex(16), secrets.token_hex(16)
    found = told(
        tmp_path,
        LIMBECK_ANTHROPIC_API_KEY=secret,
        LIMBECK_DATABASE_URL=f"postgresql://u:{password}@db.example/x",
        LIMBECK_EMBEDDINGS_URL=f"https://u:{password}@models.example/v1",
    )
    assert secret not in str(found)
    assert password not in str(found)
    assert found["anthropic_api_key"]["value"] == found["database_url"]["value"] == "set"
    assert found["embeddings_key"]["value"] == ""
    assert found["embeddings_url"]["value"] == "https://models.example/v1"
