"""Changing settings: all or nothing, in one file, with what a person wrote in it kept, and never for others to read."""

from __future__ import annotations

import secrets
import stat

import pytest

from limbeck.configure.change import change
from limbeck.configure.versions import version_of
from limbeck.errors import BadSetting, BadSettingsFile, UnknownSetting
from limbeck.settings import load
from server.errors import Stale

WRITTEN = """# our caps
daily_usd = 2.5  # agreed in March

ignore_paths = [
  "secret/**",  # never
]
"""


def test_a_value_is_written_and_is_in_force_at_the_next_reading(kept):
    settings = change(kept.home, {"daily_usd": "2", "ignore_tools": "Todo*\nmcp__x"}, {})
    again = load({"LIMBECK_HOME": str(kept.home)})
    assert settings.daily_usd == again.daily_usd == 2.0
    assert again.ignore_tools == ("Todo*", "mcp__x")
    assert again.sources["daily_usd"] == str(kept.path)


def test_comments_and_the_other_values_stay(kept):
    kept.write(WRITTEN)
    change(kept.home, {"daily_usd": "3", "inject": "prompt"}, {})
    assert kept.text == WRITTEN.replace("2.5", "3.0") + 'inject = "prompt"\n'


def test_a_value_that_is_taken_out_leaves_the_default(kept):
    kept.write(WRITTEN)
    assert change(kept.home, {"daily_usd": None, "ignore_paths": ""}, {}).daily_usd == 1.0
    assert "daily_usd" not in kept.text
    assert "ignore_paths" not in kept.text
    assert change(kept.home, {"model": None}, {}).model is None


def test_a_key_is_kept_from_others_also_where_the_file_was_open_to_them(kept):
    kept.write("daily_usd = 2\n", mode=0o644)
    key = secrets.token_hex(20)
    change(kept.home, {"anthropic_api_key": key}, {})
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    assert load({"LIMBECK_HOME": str(kept.home)}).anthropic_api_key == key
    assert [path.name for path in kept.home.iterdir() if path.name != ".config.toml.lock"] == ["config.toml"]


def test_what_a_link_leads_to_is_written_and_the_link_stays(kept, tmp_path):
    kept.home.mkdir(mode=0o700)
    (tmp_path / "elsewhere.toml").write_text("daily_usd = 2\n")
    kept.path.symlink_to(tmp_path / "elsewhere.toml")
    change(kept.home, {"daily_usd": "4"}, {})
    assert kept.path.is_symlink()
    assert (tmp_path / "elsewhere.toml").read_text() == "daily_usd = 4.0\n"


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"daily_usd": "lots"}, "daily_usd cannot be used: an amount from 0 upwards is wanted"),
        ({"inject": "always"}, "inject cannot be used: it is one of off, session, prompt"),
        ({"inject": "off", "worker_processes": "0"}, "worker_processes cannot be used"),
        ({"distiller": "anthropic"}, "distiller cannot be used: anthropic needs anthropic_api_key"),
        ({"embeddings": "voyage"}, "embeddings cannot be used: voyage needs embeddings_key"),
        ({"embeddings": "openai"}, "embeddings cannot be used: openai needs embeddings_key"),
        ({"ignore_projects": "\n".join(f"/p/{n}" for n in range(1001))}, "hooks look at 1000 at most"),
        ({"embeddings_url": "https://[x"}, "embeddings_url cannot be used: it names no host"),
        ({"remote_url": "https://"}, "remote_url cannot be used: it names no host"),
        (
            {"embeddings": "openai", "embeddings_url": "http://gpu.example:1234/v1"},
            "embeddings_url cannot be used: the address must be https, or http on this machine",
        ),
    ],
)
def test_what_cannot_be_used_changes_nothing(kept, wanted, says):
    kept.write(WRITTEN)
    with pytest.raises(BadSetting, match=says):
        change(kept.home, wanted, {})
    assert kept.text == WRITTEN


def test_a_key_that_cannot_be_used_is_not_told(kept):
    key = " "
    with pytest.raises(BadSetting) as refused:
        change(kept.home, {"anthropic_api_key": key, "session_usd": "9e9"}, {})
    assert "it is empty" in str(refused.value)


def test_an_unknown_name_is_refused(kept):
    for value in ("1", None):
        with pytest.raises(UnknownSetting, match="colour"):
            change(kept.home, {"colour": value}, {})


@pytest.mark.parametrize("variable", ["LIMBECK_ANTHROPIC_API_KEY", "LIMBECK_ANTHROPIC_API_KEY_FILE"])
def test_what_the_environment_sets_is_changed_there(kept, variable):
    with pytest.raises(BadSetting, match=f"it is set by {variable}, which wins; change it there"):
        change(kept.home, {"anthropic_api_key": "another"}, {variable: "one"})
    assert not kept.path.exists()


def test_a_file_that_cannot_be_used_is_left_alone(kept):
    kept.write("daily_usd = \n")
    with pytest.raises(BadSettingsFile, match=r"config\.toml"):
        change(kept.home, {"inject": "off"}, {})
    assert kept.text == "daily_usd = \n"


def test_what_was_wrong_before_keeps_nothing_else_from_changing(kept):
    kept.write('distiller = "anthropic"\n')
    assert change(kept.home, {"daily_usd": "2"}, {}).daily_usd == 2.0


def seen(kept, *names: str) -> dict[str, str]:
    settings = load({"LIMBECK_HOME": str(kept.home)})
    return {name: version_of(settings, name) for name in names}


def test_of_two_who_add_a_rule_at_once_the_second_is_told(kept):
    kept.write(WRITTEN)
    both = seen(kept, "ignore_paths")
    change(kept.home, {"ignore_paths": "secret/**\n*.pem"}, {}, both)
    with pytest.raises(Stale, match=r"ignore_paths is now secret/\*\*, \*\.pem; nothing was changed"):
        change(kept.home, {"ignore_paths": "secret/**\n*.key", "daily_usd": "9"}, {}, both)
    assert load({"LIMBECK_HOME": str(kept.home)}).ignore_paths == ("secret/**", "*.pem")
    assert load({"LIMBECK_HOME": str(kept.home)}).daily_usd == 2.5
    added = {"ignore_paths": "secret/**\n*.pem\n*.key"}
    assert len(change(kept.home, added, {}, seen(kept, "ignore_paths")).ignore_paths) == 3


def test_a_version_is_of_the_value_alone(kept):
    before = seen(kept, "ignore_paths", "daily_usd")
    change(kept.home, {"daily_usd": "3", "ignore_tools": "Todo*"}, {}, before)
    after = seen(kept, "ignore_paths", "daily_usd")
    assert after["ignore_paths"] == before["ignore_paths"]
    assert after["daily_usd"] != before["daily_usd"]
    change(kept.home, {"daily_usd": "1"}, {}, after)
    assert seen(kept, "daily_usd") == {"daily_usd": before["daily_usd"]}


def test_a_secret_has_no_version(kept):
    with pytest.raises(BadSetting, match="a secret has no version"):
        change(kept.home, {"anthropic_api_key": "x"}, {}, {"anthropic_api_key": "0" * 12})
    assert not kept.path.exists()
