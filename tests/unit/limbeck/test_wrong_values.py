"""One rule for exit codes: what cannot be right whatever is stored is wrong usage (2), in every command alike.

Nothing runs here, so a wrong value that were looked at only after the database was opened would end with 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from limbeck.main import COMMANDS, application, main

# What must stand beside the value that is tried, so that nothing else is wrong.
BESIDE = {
    "add message": ["words"],
    "add note": ["words"],
    "recall": ["words"],
    "remember": ["key", "value"],
    "memory search": ["words"],
    "memory save": ["words"],
    "facts retire": ["0199aaaa"],
    "facts edit": ["0199aaaa", "--value", "x"],
    "review accept": ["0199aaaa"],
    "drafts approve": ["0199aaaa"],
    "drafts edit": ["0199aaaa", "--title", "x"],
    "drafts merge": ["0199aaaa", "BU3001"],
    "items new": ["BU", "a title"],
    "items set": ["BU3001", "--title", "x"],
    "items order": ["US1001", "BU3001"],
    "items log": ["BU3001", "--outcome", "x"],
    "bench recall": ["--data", "."],
    "token create": ["name"],
    "call": ["list_facts"],
    "retain": ["--days", "9"],
    "config set": ["idle_minutes", "9"],
    "config unset": ["idle_minutes"],
}
NOT_A_TIME, NOT_AN_ID, NOT_A_NUMBER = "some day", "not-an-id", "the login bug"
# Command and parameter -> values that cannot be right.
WRONG: dict[tuple[str, str], list[str]] = {
    ("observations", "--since"): [NOT_A_TIME, ""],
    ("observations", "--session"): [""],
    ("quarantine show", "identifier"): [NOT_AN_ID, "01"],
    ("quarantine retry", "identifier"): [NOT_AN_ID],
    ("quarantine drop", "identifier"): [NOT_AN_ID],
    ("add message", "text"): ["", "  "],
    ("add note", "text"): ["", "  "],
    ("trace", "identifier"): ["", " "],
    ("recall", "words"): ["", "?"],
    ("recall", "--kind"): ["rumour"],
    ("recall", "--as-of"): [NOT_A_TIME],
    ("remember", "key"): [""],
    ("remember", "value"): [""],
    ("remember", "--scope"): ["everywhere", "agent:", "project:"],
    ("memory search", "words"): [""],
    ("memory save", "content"): [""],
    ("memory delete", "identifier"): [NOT_AN_ID, "mem_short"],
    ("memory recall", "--scope"): ["everywhere"],
    ("forget", "key"): [""],
    ("forget", "--scope"): ["everywhere"],
    ("forget", "--text"): ["", " "],
    ("forget", "--memory"): [NOT_AN_ID],
    ("forget", "--fact"): [NOT_AN_ID],
    ("forget", "--session"): [""],
    ("facts", "--as-of"): [NOT_A_TIME],
    ("facts", "--known-at"): [NOT_A_TIME],
    ("facts retire", "fact"): [NOT_AN_ID, "", "01"],
    ("facts restore", "fact"): [NOT_AN_ID],
    ("facts confirm", "fact"): [NOT_AN_ID],
    ("facts pin", "fact"): [NOT_AN_ID],
    ("facts edit", "fact"): [NOT_AN_ID],
    ("review", "--state"): ["undecided"],
    ("review accept", "flag"): [NOT_AN_ID],
    ("review reject", "flag"): [NOT_AN_ID],
    ("drafts list", "--state"): ["undecided", "offered"],
    ("drafts show", "draft"): [NOT_AN_ID, "01"],
    ("drafts approve", "ids"): [NOT_AN_ID],
    ("drafts approve", "--type"): ["EPIC"],
    ("drafts approve", "--title"): ["", " "],
    ("drafts approve", "--use-case"): ["BU3001", NOT_A_NUMBER],
    ("drafts edit", "draft"): [NOT_AN_ID],
    ("drafts edit", "--type"): ["EPIC"],
    ("drafts edit", "--title"): [""],
    ("drafts edit", "--use-case"): [NOT_A_NUMBER],
    ("drafts merge", "draft"): [NOT_AN_ID],
    ("drafts merge", "into"): [NOT_A_NUMBER],
    ("drafts reject", "ids"): [NOT_AN_ID],
    ("items list", "--type"): ["EPIC"],
    ("items list", "--state"): ["resting"],
    ("items list", "--use-case"): [NOT_A_NUMBER, "BU3001"],
    ("items show", "number"): [NOT_A_NUMBER],
    ("items new", "kind"): ["EPIC"],
    ("items new", "title"): ["", " "],
    ("items new", "--use-case"): [NOT_A_NUMBER],
    ("items set", "number"): [NOT_A_NUMBER],
    ("items set", "--title"): [""],
    ("items set", "--state"): ["resting"],
    ("items set", "--use-case"): [NOT_A_NUMBER],
    ("items done", "numbers"): [NOT_A_NUMBER],
    ("items archive", "numbers"): [NOT_A_NUMBER],
    ("items restore", "numbers"): [NOT_A_NUMBER],
    ("items order", "use_case"): [NOT_A_NUMBER, "BU3001"],
    ("items order", "numbers"): [NOT_A_NUMBER],
    ("items log", "number"): [NOT_A_NUMBER],
    ("items log", "--commit"): ["HEAD~", "abc", "no hash"],
    ("items history", "number"): [NOT_A_NUMBER],
    ("install", "names"): ["netscape"],
    ("uninstall", "names"): ["netscape"],
    ("hook-preview", "agent"): ["netscape"],
    ("redact", "--net"): ["third"],
    ("redact", "--jsonl"): ["", " "],
    ("bench recall", "--half"): ["third"],
    ("bench recall-scale", "--sizes"): ["many", "1"],
    ("bench facts", "--only"): ["luck"],
    ("token create", "name"): ["", "a\tb"],
    ("token create", "--user"): [" "],
    ("token create", "--agent"): [""],
    ("token create", "--right"): ["all"],
    ("token revoke", "which"): ["", " "],
    ("call", "operation"): ["dance"],
    ("call", "values"): ["no pair", "limit=-1", "limit=x"],
    ("call", "--body"): ["{", "[]", '{"limit": -1}'],
    ("mcp", "--url"): ["not a url"],
    ("config get", "name"): ["colour"],
    ("config set", "name"): ["colour"],
    ("config set", "values"): ["long"],
    ("config unset", "name"): ["colour"],
    ("config set", "--version"): ["", "3"],
    ("config unset", "--version"): ["", "3"],
    ("worker", "--queues"): ["dreams"],
    ("health", "part"): ["heart"],
}
# Parameters that take any text: what is stored, or the disk, decides.
ANY = {"--project", "--by", "--reason", "--text", "--title", "--source", "--statement", "--value", "--file"}
ANY |= {"--outcome", "--tests", "--review", "--tag", "--snippet", "--host"}
ANY_HERE = {("memory recall", "query"), ("memory keys", "query"), ("hook-preview", "arguments")}


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with its name, those below others too."""
    for name in COMMANDS:
        root: Any = typer.main.get_command(application(name))
        yield from _below(name, root.commands[name])


def _below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for inner, found in getattr(command, "commands", {}).items():
        yield from _below(f"{name} {inner}", found)


def parameters() -> Iterator[tuple[str, Any]]:
    for name, command in commands():
        for parameter in command.params:
            if not getattr(parameter, "is_flag", False):
                yield name, parameter


def kind(parameter: Any) -> type:
    return parameter.type_descriptor.annotation


def numbers() -> Iterator[tuple[str, str, str]]:
    for name, parameter in parameters():
        if kind(parameter) in (int, float):
            least = parameter.type_descriptor.parameter_info.min
            yield name, parameter.opts[0], "many"
            yield name, parameter.opts[0], str(10**400) if kind(parameter) is int else "nan"
            if kind(parameter) is float:
                yield name, parameter.opts[0], "1e300"
            if least is not None:
                yield name, parameter.opts[0], str(math.floor(least) - 1)


def end_of(words: list[str]) -> int:
    with pytest.raises(SystemExit) as end:
        main(words)
    return int(end.value.code or 0)


@pytest.fixture(autouse=True)
def nothing_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def test_every_parameter_is_a_number_a_path_any_text_or_in_the_table():
    unknown = {
        (name, parameter.opts[0])
        for name, parameter in parameters()
        if kind(parameter) not in (int, float)
        and "Path" not in str(kind(parameter))
        and parameter.opts[0] not in ANY
        and (name, parameter.opts[0]) not in {*WRONG, *ANY_HERE}
    }
    assert unknown == set()


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [(name, parameter, value) for (name, parameter), values in WRONG.items() for value in values],
)
def test_a_value_that_cannot_be_right_is_code_two(name, parameter, value, capsys):
    assert end_of(typed(name, parameter, value)) == 2
    told = capsys.readouterr().err
    assert told.strip()
    assert "Traceback" not in told


def test_options_that_exclude_one_another_are_code_two(capsys):
    assert end_of(["install", "git", "--user"]) == 2
    assert "git has no hooks for a user" in capsys.readouterr().err


EVERYWHERE = [
    name for name, command in commands() if {"everywhere", "project"} <= {one.name for one in command.params}
]


@pytest.mark.parametrize("options", [["--all", "--project", "x"], ["--project", "x", "--all"]])
@pytest.mark.parametrize("name", EVERYWHERE)
def test_one_project_and_every_project_are_code_two(name, options, capsys):
    assert end_of([*name.split(), *options, *BESIDE.get(name, [])]) == 2
    assert "exclude one another" in " ".join(capsys.readouterr().err.replace("│", " ").split())


@pytest.mark.parametrize(("name", "parameter", "value"), list(numbers()))
def test_a_number_that_cannot_be_right_is_code_two(name, parameter, value, capsys):
    assert end_of(typed(name, parameter, value)) == 2
    assert capsys.readouterr().err.strip()


def typed(name: str, parameter: str, value: str) -> list[str]:
    """The command with its other arguments as they should be, and the value in its place."""
    beside = list(BESIDE.get(name, []))
    if parameter.startswith("--"):
        if parameter in beside:
            place = beside.index(parameter)
            del beside[place : place + 2]
        return [*name.split(), *beside, f"{parameter}={value}"]
    command = dict(commands())[name]
    at = [one.opts[0] for one in command.params if one.param_type_name == "argument"].index(parameter)
    return [*name.split(), *beside[:at], value, *beside[at + 1 :]]
