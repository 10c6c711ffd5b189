"""Settings: strict names, values and places; secrets by file; never shown."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

import schema
from limbeck.errors import BadSetting, BadSettingsFile, UnknownSetting
from limbeck.settings import CLIENT, child_environment, load


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home with space"


def read(home: Path, **variables: str):
    return load({"LIMBECK_HOME": str(home)} | {f"LIMBECK_{name}": value for name, value in variables.items()})


def write_config(home: Path, text: str, mode: int = 0o600) -> None:
    home.mkdir()
    path = home / "config.toml"
    path.write_text(text)
    path.chmod(mode)


def test_without_anything_the_servers_are_embedded(home):
    settings = read(home)
    assert (settings.home, settings.client) == (home, "local")
    assert settings.embedded_database
    assert settings.embedded_redis


def test_the_default_home_is_below_the_persons_data_folder(own_home):
    assert load({}).home.is_relative_to(own_home)


def test_the_environment_wins_over_the_file_and_the_source_is_known(home):
    write_config(home, 'client = "team"\nidle_minutes = 5\n')
    settings = read(home, IDLE_MINUTES="7")
    assert (settings.client, settings.idle_minutes) == ("team", 7)
    assert settings.sources == {"client": str(home / "config.toml"), "idle_minutes": "LIMBECK_IDLE_MINUTES"}


def test_lists_come_from_the_file_as_lists_and_from_the_environment_as_lines(home):
    write_config(home, 'ignore_paths = ["secret/**", "*.pem"]\n')
    settings = read(home, IGNORE_TOOLS="mcp__*\nTodo")
    assert settings.ignore_paths == ("secret/**", "*.pem")
    assert settings.ignore_tools == ("mcp__*", "Todo")


def test_an_unknown_variable_is_refused_by_name_and_the_known_ones_are_listed(home):
    with pytest.raises(UnknownSetting) as refused:
        read(home, DATABASE_ULR="postgresql://x/y")
    assert "LIMBECK_DATABASE_ULR" in str(refused.value)
    assert "LIMBECK_DATABASE_URL" in str(refused.value)


def test_an_unknown_name_in_the_file_is_refused_with_the_file(home):
    write_config(home, "colour = 1\n")
    with pytest.raises(UnknownSetting, match=r"colour.*config\.toml"):
        read(home)


@pytest.mark.parametrize("name", ["SKIP", "TOKEN"])
def test_variables_that_are_not_settings_pass(home, name):
    assert read(home, **{name: "1"}).client == "local"


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("DATABASE_URL", "mysql://host/db", "postgresql://"),
        ("DATABASE_URL", "host/db", "postgresql://"),
        ("REDIS_URL", "http://host", "redis://"),
        ("IDLE_MINUTES", "soon", "minutes from 0.05 to 1440"),
        ("IDLE_MINUTES", "0", "minutes from 0.05"),
        ("CLIENT", "a b", "letters"),
        ("CLIENT", "", "letters"),
        ("DISTILLER", "magic", "auto, offline, anthropic"),
        ("DAILY_USD", "-1", "amount"),
        ("DAILY_USD", "nan", "amount"),
        ("ANTHROPIC_API_KEY", " ", "empty"),
    ],
)
def test_a_wrong_value_is_refused_with_its_name_and_what_is_wanted(home, name, value, says):
    with pytest.raises(BadSetting) as refused:
        read(home, **{name: value})
    assert str(refused.value).startswith(f"LIMBECK_{name} cannot be used")
    assert says in str(refused.value)


def test_a_secret_is_in_no_message_and_in_no_repr(home):
    secret = secrets.token_hex(16)
    with pytest.raises(BadSetting) as refused:
        read(home, DATABASE_URL=f"mysql://me:{secret}@host/db")
    assert secret not in str(refused.value)
    settings = read(home, ANTHROPIC_API_KEY=secret, REDIS_URL=f"redis://:{secret}@host")
    assert secret not in repr(settings)
    assert settings.anthropic_api_key == secret


def test_a_secret_can_come_from_a_file_without_its_last_newline(home, tmp_path):
    path = tmp_path / "key"
    path.write_text("abc\n")
    settings = read(home, ANTHROPIC_API_KEY_FILE=str(path))
    assert settings.anthropic_api_key == "abc"
    assert settings.sources["anthropic_api_key"] == "LIMBECK_ANTHROPIC_API_KEY_FILE"


def test_a_missing_secret_file_is_named(home, tmp_path):
    with pytest.raises(BadSetting, match=r"LIMBECK_REDIS_URL_FILE.*nowhere cannot be read"):
        read(home, REDIS_URL_FILE=str(tmp_path / "nowhere"))


def test_a_secret_given_twice_is_refused(home, tmp_path):
    with pytest.raises(BadSetting, match="is set too"):
        read(home, REDIS_URL="redis://a", REDIS_URL_FILE=str(tmp_path / "x"))


def test_only_secrets_come_from_files(home, tmp_path):
    with pytest.raises(BadSetting, match="only secrets"):
        read(home, CLIENT_FILE=str(tmp_path / "x"))


@pytest.mark.parametrize("text", ["client = ", "client = [1]", "[policy]\npaths = []", "client = true"])
def test_a_broken_file_is_refused_with_its_path(home, text):
    write_config(home, text)
    with pytest.raises(BadSettingsFile, match=r"config\.toml"):
        read(home)


def test_a_file_with_a_secret_that_others_may_read_is_refused(home):
    write_config(home, 'redis_url = "redis://h"\n', mode=0o644)
    with pytest.raises(BadSettingsFile, match="chmod 600"):
        read(home)


def test_an_empty_home_is_refused():
    with pytest.raises(BadSetting, match="LIMBECK_HOME"):
        load({"LIMBECK_HOME": " "})


def test_children_get_our_settings_and_nothing_that_changes_python_or_postgres(home, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/evil")
    monkeypatch.setenv("PGOPTIONS", "-c x=y")
    monkeypatch.setenv("LIMBECK_CLIENT", "team")
    environment = child_environment(read(home))
    assert environment["LIMBECK_CLIENT"] == "team"
    assert environment["LIMBECK_HOME"] == str(home)
    assert "PYTHONPATH" not in environment
    assert "PGOPTIONS" not in environment


@pytest.mark.parametrize(
    "name", ["Acme", "a b", "", "-a", ".a", "_a", "a\n", "\u0131", "a" * 64, "a{b}", "caf\u00e9"]
)
def test_a_client_that_the_database_would_refuse_is_refused_here(home, name):
    with pytest.raises(BadSetting, match=r"LIMBECK_CLIENT.*lower-case letters"):
        read(home, CLIENT=name)


@pytest.mark.parametrize("name", ["a", "0", "acme-2.team_b", "a" * 63])
def test_a_client_that_the_database_takes_is_taken(home, name):
    assert read(home, CLIENT=name).client == name


def test_settings_and_the_database_ask_the_same_of_a_client():
    ground = Path(schema.__file__).parent / "migrations" / "versions" / "0001_ground.py"
    assert f"'^{CLIENT.pattern}$'" in ground.read_text("utf-8")
