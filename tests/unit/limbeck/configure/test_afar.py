"""What may be changed over the server, and what stays with whoever has the machine."""

from __future__ import annotations

import os
import secrets
import time

import pytest

from limbeck.configure import afar
from limbeck.configure.afar import ON_THE_MACHINE, change_afar, kept_from
from limbeck.errors import BadSetting
from limbeck.services import state as states
from limbeck.services.child import Identity
from limbeck.services.state import Phase, State
from limbeck.settings import load


@pytest.fixture
def settings(kept, monkeypatch):
    """Those of a home whose supervisor runs, with a key."""
    for name in [name for name in os.environ if name.startswith("LIMBECK_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("LIMBECK_HOME", str(kept.home))
    kept.write(f'anthropic_api_key = "{secrets.token_hex(8)}"\n')
    (kept.home / "run").mkdir()
    states.write(kept.home / "run", State(Identity.own(), Phase.READY, since=time.time()))
    return load()


def test_caps_keys_and_rules_can_be_changed(settings, kept):
    new = change_afar(settings, {"daily_usd": "2", "anthropic_api_key": "another", "ignore_paths": "a/**"})
    assert (new.daily_usd, new.anthropic_api_key, new.ignore_paths) == (2.0, "another", ("a/**",))
    assert "another" in kept.text


@pytest.mark.parametrize("name", sorted(ON_THE_MACHINE))
def test_where_things_lie_and_who_gets_in_is_changed_on_the_machine(settings, name):
    with pytest.raises(BadSetting, match=f"on the server's machine: limbeck config set {name}"):
        change_afar(settings, {name: "1"})


def test_an_address_is_changed_only_with_the_key_that_is_sent_there(settings, kept):
    before = kept.text
    with pytest.raises(BadSetting, match="the key is sent there, so give anthropic_api_key with it"):
        change_afar(settings, {"anthropic_url": "https://elsewhere.example"})
    assert kept.text == before
    together = {"anthropic_url": "https://elsewhere.example", "anthropic_api_key": "for there"}
    assert change_afar(settings, together).anthropic_api_key == "for there"


def test_a_key_that_the_file_has_got_since_counts(settings, kept):
    kept.write('embeddings_key = "new"\n')
    with pytest.raises(BadSetting, match="so give embeddings_key with it"):
        change_afar(settings, {"embeddings_url": "https://elsewhere.example"})


def test_without_a_key_an_address_stands_by_itself(settings):
    assert change_afar(settings, {"embeddings_url": "http://localhost:1234"}).embeddings_url is not None


def test_what_the_environment_sets_cannot_be_changed(settings):
    told = kept_from(settings, "daily_usd", here=True, environment={"LIMBECK_DAILY_USD": "1"})
    assert told == "Set by LIMBECK_DAILY_USD: change it there"
    told = kept_from(
        settings, "anthropic_url", here=True, environment={"LIMBECK_ANTHROPIC_API_KEY_FILE": "x"}
    )
    assert told == "The key that is sent there is set by LIMBECK_ANTHROPIC_API_KEY_FILE: change both there"


def test_in_a_deployment_nothing_can_be_changed(settings, kept):
    (kept.home / "run" / "state.json").unlink()
    assert not afar.runs_here(settings)
    with pytest.raises(BadSetting, match="this server is part of a deployment"):
        change_afar(settings, {"daily_usd": "2"})
