"""The README's tables name every command and every setting, and none that is not there."""

from __future__ import annotations

import re

from limbeck.main import COMMANDS
from limbeck.settings import PREFIX, known_settings

from .conftest import ROOT

ELSEWHERE = {"LIMBECK_HOME", "LIMBECK_SKIP", "LIMBECK_NAME_FILE"}  # variables that are no settings


def first_cells(heading: str) -> str:
    """The first column of the table under the heading ``heading``."""
    text = (ROOT / "README.md").read_text("utf-8")
    rows = text.split(f"| {heading} | ", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return "\n".join(row.split(" | ")[0] for row in rows)


def test_every_command_is_in_the_table():
    told = {words.split()[0] for words in re.findall(r"`([^`]+)`", first_cells("command"))}
    assert set(COMMANDS) - told == set()


def test_every_setting_is_in_the_table():
    told = set(re.findall(r"`([A-Za-z_]+)`", first_cells("setting")))
    settings = {name if name.startswith("ignore_") else PREFIX + name.upper() for name in known_settings()}
    assert settings - told == set()
    assert {name for name in told if name.startswith(PREFIX)} - settings == set()


def test_the_text_names_no_setting_that_is_not_there():
    told = set(re.findall(rf"{PREFIX}[A-Z_]+", (ROOT / "README.md").read_text("utf-8")))
    assert told - {PREFIX + name.upper() for name in known_settings()} - ELSEWHERE == set()
