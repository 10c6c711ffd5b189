"""A running process takes what the file says, once it can be used."""

from __future__ import annotations

import pytest

from limbeck.configure.followed import Followed
from limbeck.server.values import Values
from limbeck.settings import Settings, load


@pytest.fixture
def followed(kept):
    kept.write("daily_usd = 2\n")
    return Followed(load({"LIMBECK_HOME": str(kept.home)}), {})


def test_while_the_file_stays_nothing_is_new(followed):
    assert followed.look() is None
    assert followed.look() is None


def test_a_change_is_new_once(followed, kept):
    followed.look()
    kept.write("daily_usd = 30\n")
    assert followed.look().daily_usd == 30.0
    assert followed.look() is None


def test_what_cannot_be_used_is_told_and_the_settings_of_before_stay(followed, kept, caplog):
    kept.write("daily_usd = 30\ncolour = 1\n")
    assert followed.look() is None
    assert followed.look() is None
    assert followed.settings.daily_usd == 2.0
    assert "What config.toml says now is not taken: There is no setting colour" in followed.trouble
    assert len(caplog.records) == 1
    kept.write("daily_usd = 2\n")
    assert followed.look() is None
    assert followed.trouble == ""


def test_values_that_do_not_go_together_are_not_taken(followed, kept):
    kept.write('distiller = "anthropic"\n')
    assert followed.look() is None
    assert "anthropic needs anthropic_api_key" in followed.trouble


def test_a_file_that_goes_leaves_the_defaults(followed, kept):
    kept.path.unlink()
    assert followed.look().daily_usd == 1.0


def test_a_server_sees_the_values_of_now_and_says_so(kept):
    kept.write("daily_usd = 2\n")
    told: list[Settings] = []
    values = Values(load({"LIMBECK_HOME": str(kept.home)}), told.append)
    assert values["daily_usd"] == 2.0
    kept.write("daily_usd = 30\n")
    assert values["daily_usd"] == 30.0
    assert [one.daily_usd for one in told] == [30.0]
    assert set(values) >= {"settings", "configure", "daily_usd"}
    assert len(values) == len(set(values))


def test_a_server_takes_nothing_while_something_waits_for_the_next_start(kept):
    kept.write("daily_usd = 2\n")
    told: list[Settings] = []
    values = Values(load({"LIMBECK_HOME": str(kept.home)}), told.append)
    kept.write('daily_usd = 30\nembeddings = "off"\nclient = "other"\n')
    assert (values["daily_usd"], values["owner"], told) == (2.0, "local", [])
    kept.write('daily_usd = 30\nembeddings = "off"\n')
    assert (values["daily_usd"], values["owner"]) == (30.0, "local")
    assert [one.embeddings for one in told] == ["off"]
