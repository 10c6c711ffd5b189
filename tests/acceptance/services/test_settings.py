"""A setting that is changed while everything runs is taken by the parts that use it."""

from __future__ import annotations

import json

from .conftest import wait_until


def pids(cli) -> dict[str, int]:
    return {name: part["pid"] for name, part in cli.report()["parts"].items() if part["running"]}


def renewed(before: dict[str, int], now: dict[str, int]) -> set[str] | None:
    """The parts that are other processes; None while one is down."""
    return {name for name in before if now[name] != before[name]} if set(now) == set(before) else None


def test_what_runs_takes_a_change_and_the_rest_goes_on(cli):
    cli.ok("up")
    before = pids(cli)
    told = cli.ok("config", "set", "daily_usd", "2.5")
    assert told.startswith("daily_usd is 2.5 now (config.toml).\nWhat runs takes it within seconds: ")
    wait_until(lambda: renewed(before, pids(cli)) == {"worker", "distiller"}, cli.logs)
    after = cli.report()
    assert all(part["restarts"] == 0 for part in after["parts"].values())
    settings = json.loads(cli.ok("call", "listSettings", "--json"))["settings"]
    assert [(one["value"], one["source"]) for one in settings if one["name"] == "daily_usd"] == [
        ("2.5", "config.toml")
    ]


def test_a_file_that_cannot_be_used_is_told_and_changes_nothing(cli):
    cli.ok("up")
    (cli.home.path / "config.toml").write_text("daily_usd = lots\n")
    (cli.home.path / "config.toml").chmod(0o600)
    wait_until(lambda: any("is not taken" in note for note in cli.state().warnings), cli.logs)
    (cli.home.path / "config.toml").unlink()
    wait_until(lambda: not any("is not taken" in note for note in cli.state().warnings), cli.logs)
    assert cli.report()["problems"] == []
