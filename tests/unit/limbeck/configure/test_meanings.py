"""Every setting is explained, and so is what is shown of it."""

from __future__ import annotations

import secrets
from dataclasses import replace

from limbeck.configure.meanings import HOOKS, MEANINGS, SERVER, SUPERVISOR
from limbeck.server.shown import shown
from limbeck.services.worker import WORKERS
from limbeck.settings import Settings, known_settings


def test_every_setting_has_a_meaning_and_parts_that_there_are():
    assert set(MEANINGS) == set(known_settings())
    parts = {HOOKS, SERVER, SUPERVISOR, *WORKERS}
    assert all(meaning.parts <= parts and meaning.says.endswith(".") for meaning in MEANINGS.values())


def test_what_is_shown_has_its_kind_and_never_a_secret(tmp_path):
    key = secrets.token_hex(16)
    settings = replace(
        Settings(home=tmp_path), anthropic_api_key=key, database_url=f"postgresql://u:{key}@h/d", inject="off"
    )
    found = {one["name"]: one for one in shown(settings)}
    assert key not in str(found)
    assert found["anthropic_api_key"]["value"] == "set"
    assert found["embeddings_key"]["value"] == ""
    assert (found["inject"]["kind"], found["inject"]["choices"]) == ("choice", ["off", "session", "prompt"])
    assert found["inject"]["usual"] == "session"
    assert [found[name]["kind"] for name in ("daily_usd", "embeddings_dimension", "model", "ignore_paths")] == [
        "number", "number", "text", "lines",
    ]  # fmt: skip
    assert found["anthropic_url"]["goes_with"] == "anthropic_api_key"
    assert found["embeddings_url"]["goes_with"] == ""
