"""``limbeck config``: what is in force, and changing it; a key is neither shown nor taken where others may see it."""

from __future__ import annotations

import io
import json
import secrets

import pytest

from limbeck.main import main
from limbeck.settings import known_settings


@pytest.fixture
def config(tmp_path, monkeypatch, capsys):
    """Run the command in a home of its own; returns the exit code and both outputs."""
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))

    def run(*words: str, said: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(said))
        with pytest.raises(SystemExit) as end:
            main(["config", *words])
        return (end.value.code or 0, *capsys.readouterr())

    return run


def test_every_setting_is_listed_with_its_source(config, monkeypatch):
    monkeypatch.setenv("LIMBECK_MODEL", "a-model")
    config("set", "daily_usd", "2")
    code, out, _ = config("list", "--json")
    found = {one["name"]: one for one in json.loads(out)}
    assert (code, set(found)) == (0, set(known_settings()))
    assert (found["daily_usd"]["value"], found["daily_usd"]["source"]) == ("2.0", "config.toml")
    assert (found["model"]["value"], found["model"]["source"]) == ("a-model", "LIMBECK_MODEL")
    assert found["inject"]["source"] == "default"
    assert "What the model may cost a day" in config("list")[1]


def test_a_value_is_set_read_and_taken_out(config):
    code, out, _ = config("set", "ignore_tools", "Todo*", "mcp__x")
    assert (code, out.splitlines()) == (
        0,
        [
            "ignore_tools is Todo*, mcp__x now (config.toml).",
            "Nothing runs here: it holds from the next `limbeck up` or `limbeck ship` on.",
        ],
    )
    assert config("get", "ignore_tools")[1] == "Todo*\nmcp__x\n"
    assert json.loads(config("unset", "ignore_tools", "--json")[1])["value"] == ""
    assert config("get", "ignore_tools")[1].strip() == ""


def test_a_change_is_kept_for_the_audit_log_by_its_name_alone(config, tmp_path):
    key = secrets.token_hex(16)
    config("set", "anthropic_api_key", said=key)
    assert json.loads(config("set", "daily_usd", "3", "--json")[1])["noted"] is False
    config("set", "daily_usd", "lots")
    kept = tmp_path / "run" / "changes.jsonl"
    assert [json.loads(line)["names"] for line in kept.read_text().splitlines()] == [
        ["anthropic_api_key"],
        ["daily_usd"],
    ]
    assert key not in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_machine_whose_memory_is_elsewhere_keeps_no_log(config, tmp_path):
    config("set", "remote_url", "https://team.example")
    (tmp_path / "run" / "changes.jsonl").unlink()
    config("set", "daily_usd", "3")
    assert not (tmp_path / "run" / "changes.jsonl").exists()


def test_a_key_is_read_from_standard_input_and_never_shown(config, tmp_path):
    key = secrets.token_hex(16)
    code, out, err = config("set", "anthropic_api_key", said=f"{key}\n")
    assert (code, key in out + err) == (0, False)
    assert key in (tmp_path / "config.toml").read_text()
    for words in (
        ("get", "anthropic_api_key"),
        ("list",),
        ("list", "--json"),
        ("get", "anthropic_api_key", "--json"),
    ):
        assert key not in config(*words)[1]
    code, _, err = config("set", "anthropic_api_key", key)
    assert code == 2
    assert key not in err


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("set", "daily_usd", "lots"), 2, "an amount from 0 upwards is wanted"),
        (("set", "daily_usd", "1", "2"), 2, "is one value"),
        (("set", "distiller", "anthropic"), 1, "anthropic needs anthropic_api_key"),
        (("get", "colour"), 2, "there is no setting 'colour'"),
    ],
)
def test_what_cannot_be_used_is_a_sentence(config, words, code, says):
    ended, _, err = config(*words)
    assert (ended, says in " ".join(err.replace("│", " ").split())) == (code, True), err


def test_what_the_environment_sets_is_refused(config, monkeypatch):
    monkeypatch.setenv("LIMBECK_INJECT", "off")
    code, _, err = config("set", "inject", "prompt")
    assert code == 1
    assert "it is set by LIMBECK_INJECT, which wins; change it there" in err
